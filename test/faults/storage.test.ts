// Full or read-only storage: writes are refused, reads continue, and nothing is lost.

import { equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from '../support/database.ts'
import { openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const connection = await freshDatabase()
const { app, call } = await openPlatform({ connection })

/** Makes the database read-only or writable, and ends connections with the old setting. */
async function setReadOnly(state: 'on' | 'off'): Promise<void> {
  const owner = new pg.Client({ ...connection, options: '-c default_transaction_read_only=off' })
  await owner.connect()
  const { rows } = await owner.query('select current_database() as name')
  await owner.query(`alter database ${rows[0].name} set default_transaction_read_only = ${state}`)
  await owner.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await owner.end()
}

test('read-only storage refuses writes with 503, serves reads, and recovers without a restart', async () => {
  const write = (slug: string) => call('POST', '/v1/catalog/brands', { body: { slug, name: slug } })
  equal((await write('before')).status, 201)
  await setReadOnly('on')
  const refused = await write('during')
  equal(refused.status, 503)
  equal(refused.body.error.code, 'storage_unavailable')
  equal(Number(refused.headers.get('retry-after')) > 0, true)
  equal((await call('GET', '/v1/catalog/brands?slug=before')).body.data.pagination.total, 1)
  await setReadOnly('off')
  // A write on a connection that was just ended is refused too; a client that repeats it succeeds.
  await waitUntil(async () => (await write('after')).status === 201, { what: 'writes are accepted again' })
  equal((await call('GET', '/v1/catalog/brands?slug=during')).body.data.pagination.total, 0)
})

test('database errors of a full or broken disk are 503 and not 500', async () => {
  for (const code of ['53100', '53200', '58030', '25006'])
    await rejects(
      app.shops.test.db.transaction((tx) =>
        tx.all(`do $$ begin raise exception 'no room' using errcode = '${code}'; end $$`),
      ),
      { code: 'storage_unavailable' },
      code,
    )
})
