// A server is killed while it sends mails. NOTIFICATIONS and NOTIFICATION_KILLS make the test longer.

import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { databaseUrl, freshDatabase } from '../support/database.ts'
import { openMailServer } from '../support/mail.ts'
import { bozor, type RunningServer, startServer } from '../support/process.ts'
import { callAt, type CallOptions } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const mails = Number(process.env['NOTIFICATIONS'] ?? 60)
const kills = Number(process.env['NOTIFICATION_KILLS'] ?? 2)

test('every e-mail arrives after kill -9, and duplicates have the same id', async () => {
  const post = await openMailServer()
  const env = {
    DATABASE_URL: databaseUrl(await freshDatabase()),
    SECRET_KEY: '0'.repeat(64),
    TEST_SMTP_URL: post.url,
    MAIL_FROM: 'shop@bozor.uz',
    LOG_LEVEL: 'debug',
  }
  const args = ['--name', 'x', '--type', 'server', '--scopes', 'marketing:read marketing:write admin:write']
  const made = await bozor(['app', 'create', ...args, '--env', 'test', '--json'], env)
  equal(made.code, 0, made.stderr)
  const key = (JSON.parse(made.stdout) as { api_key: string }).api_key
  let server: RunningServer = await startServer(env)
  const call = (method: string, path: string, options: CallOptions = {}) =>
    callAt(server.url, method, path, { key, ...options })
  const texts = { ru: { subject: 'Код', text: 'Код {{custom.code}}' } }
  equal(
    (await call('POST', '/v1/marketing/templates', { body: { slug: 'code', channel: 'email', texts } }))
      .status,
    201,
  )

  // The mail server receives a mail and does not reply: the killed process cannot know whether it was accepted.
  const answered = Promise.withResolvers<undefined>()
  post.answer({ mail: () => answered.promise })
  const ids: string[] = []
  for (let at = 0; at < mails; at++) {
    const body = {
      address: `buyer-${at}@mail.uz`,
      channel: 'email',
      template: 'code',
      variables: { custom: { code: String(at) } },
    }
    ids.push((await call('POST', '/v1/marketing/notifications', { body })).body.data.notification.id)
  }
  let seen = 0
  const unknown = new Set<string>()
  for (let at = 0; at < kills; at++) {
    await waitUntil(() => post.mails.length > seen)
    await server.end('SIGKILL')
    seen = post.mails.length
    for (const it of post.mails) unknown.add(it.headers['message-id']!)
    server = await startServer(env)
  }
  ok(unknown.size >= kills && unknown.size < mails)
  answered.resolve(undefined)
  await waitUntil(async () => {
    const { body } = await call('GET', '/v1/marketing/notifications?status=sent&per_page=1')
    return body.data.pagination.total === mails
  })
  const copies = Map.groupBy(post.mails, (it) => it.headers['message-id']!)
  deepEqual([...copies.keys()].toSorted(), ids.map((it) => `<${it}@bozor.uz>`).toSorted())
  for (const [id, all] of copies) equal(all.length > 1, unknown.has(id), `${id} ${all.length}`)
  for (const all of copies.values()) equal(new Set(all.map((it) => it.text)).size, 1)

  // A refusal repeats the address; the log does not.
  post.answer({ sender: () => ({ code: 451, text: 'not now, buyer-0@mail.uz' }) })
  for (let at = 0; at < 6; at++) {
    const body = {
      address: 'buyer-0@mail.uz',
      channel: 'email',
      template: 'code',
      variables: { custom: { code: '1' } },
    }
    await call('POST', '/v1/marketing/notifications', { body })
  }
  await waitUntil(() => server.output().includes('keeps failing'))
  match(server.output(), /not now, \*\*\*@\*\*\*/)
  doesNotMatch(server.output(), /buyer-\d+@/)
  equal(await server.end('SIGTERM'), 0)
})
