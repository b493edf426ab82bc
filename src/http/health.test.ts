import { deepEqual, equal, ok } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openPlatform } from '../../test/support/shop.ts'
import { recordBackup } from '../base/backup/last-backup.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'bozor-health-'))
after(() => rmSync(dataDir, { recursive: true }))
const { call, keys, makeKey } = await openPlatform({
  env: { DATA_DIR: dataDir, SMTP_URL: 'smtp://user:word@mail.example:2525', MAIL_FROM: 'a@b.uz' },
})

test('health shows parts, queues, versions, jobs and outside services without credentials', async () => {
  const reply = await call('GET', '/v1/admin/health', { key: keys.live })
  equal(reply.status, 200, reply.text)
  const { data } = reply.body
  ok(data.checks.some((it: { name: string }) => it.name === 'product_index'))
  ok(data.is_ready === data.checks.every((it: { is_ok: boolean }) => it.is_ok))
  deepEqual(
    data.queues.map((it: { name: string }) => it.name),
    ['event', 'payment', 'webhook', 'notification'],
  )
  equal(data.versions.node, process.versions.node)
  ok(data.jobs.total > 5)
  const mail = data.services.find((it: { name: string }) => it.name === 'email')
  deepEqual([mail.state, mail.server], ['configured', 'mail.example:2525'])
  ok(!reply.text.includes('word'))
  const sms = data.services.find((it: { name: string }) => it.name === 'sms')
  deepEqual([sms.state, sms.variables[0]], ['off', 'SMS_URL'])
  const key = await makeKey({ scopes: ['catalog:read'] })
  equal((await call('GET', '/v1/admin/health', { key })).status, 403)
})

test('the last backup is known after it was made', async () => {
  equal((await call('GET', '/v1/admin/health')).body.data.last_backup, null)
  recordBackup({ dataDir }, { folder: '/mnt/backups/a', madeAt: '2026-11-16T02:00:00.000Z' })
  const reply = await call('GET', '/v1/admin/health')
  deepEqual(reply.body.data.last_backup, { created_at: '2026-11-16T02:00:00.000Z' })
  ok(!reply.text.includes('/mnt'), 'a test key sees no path of the server')
})
