import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../../test/support/shop.ts'
import { type ClientRecord, exportClients, upsertClients } from './records.ts'

const { app, call } = await openPlatform()
const { db } = app.shops.test
const load = (records: ClientRecord[]) => db.transaction((tx) => upsertClients(tx, records))
const publishedBy = (records: ClientRecord[]) =>
  db.transaction(async (tx) => {
    await upsertClients(tx, records)
    return tx.published.map((it) => it.event.type)
  })
const signIn = async (login: string, password: string) =>
  (await call('POST', '/v1/auth/login', { body: { login, password } })).status

test('an imported client can sign in, and is exported with a password hash', async () => {
  const record = { id: 70, name: 'Aziza', phone: '901234567', external_ids: ['8b1f'], password: 'plum' }
  deepEqual(await load([record]), [])
  equal(await signIn('+998901234567', 'plum'), 200)
  const { records } = await exportClients(db.read(), 0, 10)
  const { password_hash, ...rest } = records[0]!
  deepEqual(rest, { id: 70, name: 'Aziza', phone: '+998901234567', email: null, external_ids: ['8b1f'] })
  match(String(password_hash), /^\$argon2id\$/)
  ok(!JSON.stringify(records).includes('plum'))
})

test('exported clients keep their password when imported elsewhere', async () => {
  const { records } = await exportClients(db.read(), 0, 10)
  const { live } = app.shops
  deepEqual(await live.db.transaction((tx) => upsertClients(tx, records as ClientRecord[])), [])
  const reply = await fetch(`${await app.server.fastify.listeningOrigin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: '901234567', password: 'plum' }),
  })
  equal(reply.status, 200)
})

test('importing a file again changes nothing and publishes nothing', async () => {
  const records = [
    { id: 81, name: 'Olim', email: 'Olim@Mail.uz', password: 'apricot' },
    { id: 82, name: 'Bek' },
  ]
  deepEqual(await publishedBy(records), ['ClientRegistered', 'ClientRegistered'])
  deepEqual(await publishedBy(records), [])
  deepEqual(await publishedBy([{ id: 81, name: 'Olim' }]), [])
  deepEqual(await publishedBy([{ id: 82, name: 'Bekzod' }]), ['ClientChanged'])
  equal(await signIn('olim@mail.uz', 'apricot'), 200)
})

test('an imported password ends the sessions of the old one', async () => {
  await load([{ id: 90, name: 'Nodira', email: 'nodira@mail.uz', password: 'before' }])
  const opened = await call('POST', '/v1/auth/login', {
    body: { login: 'nodira@mail.uz', password: 'before' },
  })
  const cookie = opened.headers.get('set-cookie')!.split(';')[0]!
  deepEqual(await publishedBy([{ id: 90, name: 'Nodira', password: 'after' }]), [
    'ClientSignedOut',
    'ClientChanged',
    'PasswordChanged',
  ])
  equal((await call('GET', '/v1/auth/me', { key: null, headers: { cookie } })).status, 401)
})

test('a taken phone, an invalid e-mail or an invalid hash rejects only its own record', async () => {
  const refused = await load([
    { id: 101, name: 'First', phone: '+998900000001' },
    { id: 102, name: 'Second', phone: '90 000 00 01' },
    { id: 103, name: 'Third', phone: '+998901234567' },
    { id: 104, name: 'Fourth', email: 'nowhere' },
    { id: 105, name: 'Fifth', password_hash: '$argon2id$v=19$m=99999999,t=2,p=1$AAAAAAAAAAA$AAAAAAAAAAA' },
    { id: 106, name: 'Sixth' },
  ])
  deepEqual(
    refused.map((it) => [it.at, it.faults[0]!.path, it.faults[0]!.rule, it.isMissingReference]),
    [
      [1, 'phone', 'taken', true],
      [2, 'phone', 'taken', true],
      [3, 'email', 'format', false],
      [4, 'password_hash', 'format', false],
    ],
  )
  const { records } = await exportClients(db.read(), 100, 10)
  deepEqual(
    records.map((it) => it['id']),
    [101, 106],
  )
})

test('export pages contain every client exactly once', async () => {
  const seen: unknown[] = []
  let after: string | null = '0'
  while (after !== null) {
    const page = await exportClients(db.read(), Number(after), 2)
    seen.push(...page.records.map((it) => it['id']))
    after = page.last
  }
  deepEqual(seen, [70, 81, 82, 90, 101, 106])
})

test('a new client never gets the id of an imported one', async () => {
  await load([{ id: 108, name: 'Ahead of the counter' }])
  const ids = new Set<string>()
  for (let at = 0; at < 3; at++) {
    const body = { name: 'New', email: `new${at}@mail.uz`, password: 'four plums in a basket' }
    const made = await call('POST', '/v1/auth/register', { body })
    equal(made.status, 201, made.text)
    ids.add(made.body.data.client.id)
  }
  deepEqual([...ids], ['109', '110', '111'])
})

test('erased and merged clients are not exported: an import would refuse or revive them', async () => {
  const ids = async () => (await exportClients(db.read(), 0, 1_000)).records.map(({ id }) => id)
  const [first, second] = await ids()
  await db.transaction((tx) =>
    tx.all(`update identity_clients set name = '', erased_at = $2 where id = $1`, [first, tx.now]),
  )
  await db.transaction((tx) =>
    tx.all(`update identity_clients set merged_into = $2 where id = $1`, [second, first]),
  )
  const left = await ids()
  equal(left.includes(first) || left.includes(second), false)
})
