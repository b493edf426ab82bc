// Clients as an operator finds, changes, merges and erases them, and the profile as its owner changes it.

import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { browserWith, password } from '../support/client.ts'
import { openOrdering } from '../support/orders.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'

const platform = await openPlatform()
const { call, url, app, makeKey } = platform
const shop = await openOrdering(platform)
const { db } = app.shops.test

const register = async (body: object) =>
  browserWith(url, await call('POST', '/v1/auth/register', { body: { password, ...body } }))
const clientsFor = async (q: string): Promise<string[]> =>
  (await call('GET', `/v1/admin/clients?${new URLSearchParams({ q })}`)).body.data.clients.map(
    (it: { id: string }) => it.id,
  )
const detail = async (id: string) => (await call('GET', `/v1/admin/clients/${id}`)).body.data

test('clients are found by id, phone, e-mail, name and external id', async () => {
  const { client } = await register({
    name: 'Dilnoza Karimova',
    phone: '+998 93 111-22-33',
    email: 'dilnoza@mail.uz',
    external_ids: ['8b1f3c7e-4a51-4b7a-9a0e-3d5b0c9f1e22'],
  })
  for (const q of [
    client.id,
    '93 111 22 33',
    'dilnoza@mail.uz',
    'DILN',
    'karim',
    '8b1f3c7e-4a51-4b7a-9a0e-3d5b0c9f1e22',
  ])
    deepEqual(await clientsFor(q), [client.id], q)
  deepEqual(await clientsFor('%'), [])
  deepEqual(await clientsFor('nothing like it'), [])
  const reader = await makeKey({ scopes: ['catalog:read', 'orders:read', 'cart:read', 'marketing:read'] })
  assertRefused('insufficient_permissions', await call('GET', '/v1/admin/clients', { key: reader }))
})

test('the detail shows orders, cart and limits', async () => {
  const { client } = await register({ name: 'Bek', email: 'bek@mail.uz' })
  const empty = await detail(client.id)
  deepEqual([empty.orders.count, empty.cart, empty.limits.credit_outstanding.amount], [0, null, 0])
  await db.transaction(async (tx) => {
    await tx.all(`insert into cart_credits (client_id, outstanding_tiyin) values ($1, 500)`, [
      Number(client.id),
    ])
  })
  equal((await detail(client.id)).limits.credit_outstanding.amount, 500)
  const buyer = { ClientId: Number(client.id) }
  const [sold, wanted] = [await shop.stock.offer({ price: 1_000 }), await shop.stock.offer({ price: 300 })]
  await shop.put(buyer, sold, 2)
  const [orderId] = await shop.ordered(buyer)
  const { CartId } = await shop.put(buyer, wanted, 3)
  const full = await detail(client.id)
  equal(full.orders.count, 1)
  const [{ created_at: _, ...recent }] = full.orders.recent
  deepEqual(recent, {
    id: String(orderId),
    status: 'confirmed',
    amount: { amount: 200_000, currency: 'UZS' },
  })
  deepEqual([full.cart.id, full.cart.units], [CartId, 3])
  equal(full.limits.ordered_today.amount, 200_000)
  equal((await call('GET', '/v1/admin/clients/999999999')).status, 404)
})

test('an operator changes a client, but leaves a way to reach it', async () => {
  const { client } = await register({ name: 'Aziz', email: 'aziz@mail.uz' })
  const path = `/v1/admin/clients/${client.id}`
  const changed = await call('PATCH', path, { body: { name: 'Aziz aka', phone: '901112233' } })
  equal(changed.body.data.client.phone, '+998901112233', changed.text)
  const none = assertRefused(
    'validation_failed',
    await call('PATCH', path, { body: { phone: null, email: null } }),
  )
  deepEqual(none.fields[0].path, 'phone')
  const taken = assertRefused(
    'validation_failed',
    await call('PATCH', path, { body: { email: 'bek@mail.uz' } }),
  )
  deepEqual(taken.fields[0].rule, 'taken')
  assertRefused(
    'version_mismatch',
    await call('PATCH', path, { body: { name: 'x' }, headers: { 'if-match': '"1"' } }),
  )
})

test('a client changes the own profile, and contacts only with the password', async () => {
  const browser = await register({ name: 'Madina', email: 'madina@mail.uz' })
  const renamed = await browser.call('PATCH', '/v1/auth/me', { body: { name: 'Madina opa' } })
  equal(renamed.body.data.client.name, 'Madina opa', renamed.text)
  const email = { email: 'madina@new.uz' }
  assertRefused('validation_failed', await browser.call('PATCH', '/v1/auth/me', { body: email }))
  assertRefused(
    'validation_failed',
    await browser.call('PATCH', '/v1/auth/me', { body: { ...email, current_password: 'wrong password' } }),
  )
  const moved = await browser.call('PATCH', '/v1/auth/me', { body: { ...email, current_password: password } })
  equal(moved.body.data.client.email, 'madina@new.uz', moved.text)
  const login = { login: 'madina@new.uz', password }
  equal((await call('POST', '/v1/auth/login', { body: login })).status, 200)
})

test('an operator sees where a client is signed in, ends one session, and ends all', async () => {
  const browser = await register({ name: 'Lola', email: 'lola@mail.uz' })
  const login = { login: 'lola@mail.uz', password }
  const [second, third] = [
    browserWith(url, await call('POST', '/v1/auth/login', { body: login })),
    browserWith(url, await call('POST', '/v1/auth/login', { body: login })),
  ]
  const path = `/v1/admin/clients/${browser.client.id}/sessions`
  const ids = async () =>
    (await call('GET', path)).body.data.sessions.map((it: { id: string }) => it.id).toSorted()
  deepEqual(await ids(), [browser.session.id, second.session.id, third.session.id].toSorted())

  equal((await call('DELETE', `${path}/${second.session.id}`)).body.data.ended, 1)
  assertRefused('not_found', await call('DELETE', `${path}/${second.session.id}`))
  equal((await second.call('GET', '/v1/auth/me')).status, 401)
  equal((await third.call('GET', '/v1/auth/me')).status, 200)

  equal((await call('DELETE', path)).body.data.ended, 2)
  deepEqual(await ids(), [])
  equal((await third.call('GET', '/v1/auth/me')).status, 401)
  assertRefused('not_found', await call('DELETE', '/v1/admin/clients/999999999/sessions'))
  assertRefused('not_found', await call('GET', '/v1/admin/clients/999999999/sessions'))
})

test('a session of one client is not ended in the name of another', async () => {
  const [mine, theirs] = [
    await register({ name: 'Nargiza', email: 'nargiza@mail.uz' }),
    await register({ name: 'Sevara', email: 'sevara@mail.uz' }),
  ]
  const path = `/v1/admin/clients/${mine.client.id}/sessions/${theirs.session.id}`
  assertRefused('not_found', await call('DELETE', path))
  equal((await theirs.call('GET', '/v1/auth/me')).status, 200)
})

test('a duplicate is merged with its contacts, credit and external ids, and can no longer sign in', async () => {
  const kept = await register({ name: 'Olim', email: 'olim@mail.uz' })
  const duplicate = await register({ name: 'Olim', phone: '+998907778899' })
  const ids = [Number(kept.client.id), Number(duplicate.client.id)]
  await db.transaction(async (tx) => {
    await tx.all(`insert into cart_credits (client_id, outstanding_tiyin) values ($1, 100), ($2, 200)`, ids)
  })
  const merge = () =>
    call('POST', `/v1/admin/clients/${duplicate.client.id}/merge`, { body: { into: ids[0] } })
  const merged = await merge()
  equal(merged.status, 200, merged.text)
  deepEqual(
    [merged.body.data.client.id, merged.body.data.client.phone, merged.body.data.client.email],
    [kept.client.id, '+998907778899', 'olim@mail.uz'],
  )
  equal((await merge()).status, 200)
  const now = await detail(kept.client.id)
  equal(now.limits.credit_outstanding.amount, 300)
  equal((await detail(duplicate.client.id)).client.merged_into, kept.client.id)
  assertRefused('unauthorized', await duplicate.call('GET', '/v1/auth/me'))
  equal((await kept.call('GET', '/v1/auth/me')).status, 200)
  const self = await call('POST', `/v1/admin/clients/${kept.client.id}/merge`, { body: { into: ids[0] } })
  assertRefused('validation_failed', self)
})

test('an erased client leaves nothing personal, and cannot sign in', async () => {
  const email = 'gone@mail.uz'
  const browser = await register({ name: 'Gulnora Yusupova', email, phone: '+998935554433' })
  const erased = await call('POST', `/v1/admin/clients/${browser.client.id}/erase`)
  equal(erased.status, 200, erased.text)
  notEqual(erased.body.data.client.erased_at, null)
  assertRefused('unauthorized', await browser.call('GET', '/v1/auth/me'))
  assertRefused(
    'invalid_credentials',
    await call('POST', '/v1/auth/login', { body: { login: email, password } }),
  )
  const tables = await db
    .read()
    .all<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'test'`)
  for (const { name } of tables) {
    const found = await db
      .read()
      .all(
        `select 1 from ${name} t where t::text like any (array['%Gulnora%', '%gone@mail.uz%', '%935554433%'])`,
      )
    equal(found.length, 0, name)
  }
  equal((await register({ name: 'Another', email })).client.id === browser.client.id, false)
})
