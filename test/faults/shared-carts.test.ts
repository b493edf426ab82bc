// SC1 to SC10: faults of shared carts.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { secretText, secretUuid, sha256, timedUuid } from '../../src/base/random.ts'
import { newGuest, openCarts, queryOf, statuses, times } from '../support/carts.ts'
import { browserWith, password } from '../support/client.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform, type Reply } from '../support/shop.ts'
import { linesOf, openSharedCarts, sharedCarts } from '../support/shared-carts.ts'
import { openStock } from '../support/stock.ts'

const shop = await openPlatform()
const stock = await openStock(shop)
const { call } = shop
const carts = openCarts(shop)
const { newClient } = carts
const shared = openSharedCarts(shop)
const { create, look, join, add, change, remove, take, close, count, eventsOf } = shared
const { db } = shop.app.shops.test

/** A reply without what differs in any case: the meta data and the id that the caller sent. */
const withoutMeta = ({ text }: Reply) => text.replace(/"meta".*/, '').replaceAll(/[0-9a-f-]{36}/g, '')

test('ids come from a secure source, and a guessed id is 404', async () => {
  const creator = newClient()
  const made = await Promise.all(times(20, () => create(creator)))
  for (const { Id, JoinToken } of made) {
    match(Id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    match(JoinToken, /^[0-9A-Za-z]{32}$/)
  }
  equal(new Set(made.map((it) => it.Id.slice(0, 8))).size, 20)
  const outsider = newClient()
  const absent = await look(outsider, secretUuid())
  for (const id of [made[0].Id, timedUuid(db.clock.now()), '00000000-0000-0000-0000-000000000000']) {
    const reply = await look(outsider, id)
    assertRefused('not_found', reply)
    equal(withoutMeta(reply), withoutMeta(absent))
  }
})

let lastPhone = 0

async function signedIn() {
  const phone = `+9989013${String(++lastPhone).padStart(5, '0')}`
  const body = { name: 'Secret Name', phone, password }
  const reply = await call('POST', '/v1/auth/register', { body, headers: { origin: shop.url } })
  const browser = browserWith(shop.url, reply)
  return { ...browser, id: Number(browser.client.id), phone }
}

test('a RequesterId that differs from the credential is refused, in query and body', async () => {
  const [creator, outsider] = [newClient(), newClient()]
  const me = await signedIn()
  const { Id } = await create(creator)
  const as = (RequesterId: number | string) =>
    `${sharedCarts}/${Id}?${queryOf(outsider)}&RequesterId=${RequesterId}`
  assertRefused('buyer_mismatch', await call('GET', as(creator.ClientId)))
  assertRefused('not_found', await call('GET', as(outsider.ClientId)))
  assertRefused(
    'buyer_mismatch',
    await me.call('GET', `${sharedCarts}/${Id}?RequesterId=${creator.ClientId}`),
  )
  assertRefused('buyer_mismatch', await me.call('GET', `${sharedCarts}/${Id}?${queryOf(creator)}`))
  assertRefused(
    'buyer_mismatch',
    await me.call('GET', `${sharedCarts}/count?RequesterId=${creator.ClientId}`),
  )
  const spoof = { RequesterId: creator.ClientId }
  const device = await shop.makeKey({ type: 'mobile' })
  for (const [method, path, body] of [
    ['POST', '/items', { OfferId: await stock.offer(), Quantity: 1 }],
    ['PATCH', '/items/quantity', { OfferId: 1, NewQuantity: 1 }],
    ['DELETE', '/items', { OfferId: 1 }],
    ['POST', '/participants', { Token: 'x' }],
    ['POST', '/to-cart', {}],
    ['POST', '/join-token', {}],
    ['DELETE', '', {}],
  ] as const) {
    const whole = `${sharedCarts}/${Id}${path}`
    assertRefused('buyer_mismatch', await me.call(method, whole, { body: { ...body, ...spoof } }))
    assertRefused('buyer_mismatch', await call(method, whole, { body: { ...outsider, ...body, ...spoof } }))
    assertRefused('buyer_mismatch', await call(method, whole, { key: device, body: { ...body, ...spoof } }))
  }
  const own = await call('GET', `${sharedCarts}/${Id}?${queryOf(creator)}&RequesterId=${creator.ClientId}`)
  equal(own.status, 200, own.text)
  assertRefused(
    'buyer_mismatch',
    await call('GET', `${sharedCarts}/${Id}?${queryOf(creator)}`, { key: device }),
  )
})

test('the id alone gives no access: joining needs the token, which is stored as a hash', async () => {
  const [creator, friend, outsider] = [newClient(), newGuest(), newClient()]
  const offer = await stock.offer()
  const { Id, JoinToken } = await create(creator, { Items: [{ OfferId: offer, Quantity: 2 }] })
  for (const attempt of [
    look(outsider, Id),
    join(outsider, Id),
    join(outsider, Id, secretText(32)),
    join(outsider, Id, JoinToken.slice(0, -1)),
    join(outsider, Id, `${JoinToken}x`),
    add(outsider, Id, { OfferId: offer }),
    change(outsider, Id, { OfferId: offer, NewQuantity: 1 }),
    remove(outsider, Id, offer),
    take(outsider, Id),
    close(outsider, Id),
    call('POST', `${sharedCarts}/${Id}/join-token`, { body: outsider }),
  ])
    assertRefused('not_found', await attempt)
  const replies = await Promise.all(times(10, () => join(friend, Id, JoinToken)))
  deepEqual(statuses(replies), { 200: 10 })
  equal((await look(friend, Id)).body.data.ParticipantIds.length, 1)
  equal((await eventsOf(Id)).filter((it) => it === 'SharedCartJoined').length, 1)
  equal((await look(creator, Id)).body.data.JoinToken, JoinToken)
  equal((await look(friend, Id)).body.data.JoinToken, null)
  const kept = await db
    .read()
    .one<Record<string, unknown>>(`select * from cart_shared_carts where id = $1`, [Id])
  deepEqual(kept['token_hash'], sha256(JoinToken))
  ok(!JSON.stringify(kept).includes(JoinToken))
  assertRefused('not_found', await look(creator, secretUuid()))
  assertRefused(
    'not_found',
    await call('GET', `${sharedCarts}/${Id}?${queryOf(creator)}`, { key: shop.keys.live }),
  )
})

test('only the creator can renew the token, and the old one stops working', async () => {
  const [creator, friend, late] = [newClient(), newClient(), newClient()]
  const { Id, JoinToken } = await create(creator)
  equal((await join(friend, Id, JoinToken)).status, 200)
  const renew = (buyer: object) => call('POST', `${sharedCarts}/${Id}/join-token`, { body: buyer })
  assertRefused('not_found', await renew(friend))
  const fresh = (await renew(creator)).body.data.JoinToken
  assertRefused('not_found', await join(late, Id, JoinToken))
  equal((await join(late, Id, fresh)).status, 200)
  equal((await look(friend, Id)).status, 200)
})

test('a repeated creation is replayed without the token', async () => {
  const body = { ...newClient(), Items: [] }
  const keyed = () =>
    call('POST', sharedCarts, { body, headers: { 'idempotency-key': `once-${body.ClientId}` } })
  const [first, again] = [await keyed(), await keyed()]
  deepEqual([first.status, again.status], [201, 201])
  equal(again.body.data.Id, first.body.data.Id)
  deepEqual([typeof first.body.data.JoinToken, again.body.data.JoinToken], ['string', null])
  equal(await count({ ClientId: body.ClientId }), 1)
})

test('a RequesterId alone names the buyer, and a closed shared cart has no token', async () => {
  const [creator, other] = [newClient(), newClient()]
  const made = await call('POST', sharedCarts, { body: { RequesterId: creator.ClientId, Items: [] } })
  equal(made.status, 201, made.text)
  const path = `${sharedCarts}/${made.body.data.Id}`
  const seen = await call('GET', `${path}?RequesterId=${creator.ClientId}`)
  equal(seen.body.data?.JoinToken, made.body.data.JoinToken, seen.text)
  equal((await call('GET', `${sharedCarts}/count?RequesterId=${creator.ClientId}`)).body.data.Count, 1)
  assertRefused('not_found', await call('GET', `${path}?RequesterId=${other.ClientId}`))
  const key = await shop.makeKey({ type: 'mobile' })
  assertRefused('buyer_mismatch', await call('GET', `${path}?RequesterId=${creator.ClientId}`, { key }))
  equal((await call('DELETE', `${path}?RequesterId=${creator.ClientId}`)).status, 200)
  equal((await call('GET', `${path}?RequesterId=${creator.ClientId}`)).body.data.JoinToken, null)
})

test('the count includes open shared carts that the caller created, joined or is named in', async () => {
  const [creator, friend, named] = [newClient(), newGuest(), newClient()]
  const me = await signedIn()
  const first = await create(creator, { Items: [], ParticipantIds: [named.ClientId] })
  const second = await create(creator)
  await join(friend, first.Id, first.JoinToken)
  deepEqual([await count(creator), await count(friend), await count(named)], [2, 1, 1])
  const mine = await me.call('GET', `${sharedCarts}/count`)
  deepEqual(mine.body.data, { Count: 0 })
  assertRefused('buyer_mismatch', await me.call('GET', `${sharedCarts}/count?${queryOf(creator)}`))
  await close(creator, second.Id)
  equal((await join(named, first.Id)).status, 200)
  deepEqual([await count(creator), await count(named)], [1, 1])
})

test('"count" is a separate path, and a malformed id is 404', async () => {
  const buyer = newClient()
  const { Id } = await create(buyer)
  deepEqual((await call('GET', `${sharedCarts}/count?${queryOf(buyer)}`)).body.data, { Count: 1 })
  for (const id of [
    'counts',
    'Count',
    '1',
    '%00',
    `${Id}0`,
    Id.slice(1),
    Id.replaceAll('-', ''),
    '..%2fcount',
  ])
    assertRefused('not_found', await call('GET', `${sharedCarts}/${id}?${queryOf(buyer)}`))
})

test('more than fifty participants are refused, and participants are not notified', async () => {
  const creator = newClient()
  const post = (ParticipantIds: unknown) =>
    call('POST', sharedCarts, { body: { ...creator, Items: [], ParticipantIds } })
  for (const ids of [times(10_000, (at) => at + 1), times(51, (at) => at + 1), ['1'], [0], [-1], [1.5]])
    assertRefused('validation_failed', await post(ids))
  const { Id, JoinToken, ParticipantIds } = await create(creator, {
    Items: [],
    ParticipantIds: [...times(46, (at) => 700_000 + at), 700_000, creator.ClientId],
  })
  equal(ParticipantIds.length, 46)
  const replies = await Promise.all(times(10, () => join(newGuest(), Id, JoinToken)))
  deepEqual(statuses(replies), { 200: 4, 409: 6 })
  const { limit } = assertRefused('conflict', await join(newClient(), Id, JoinToken))
  equal(limit, 50)
  equal((await join({ ClientId: 700_001 }, Id)).status, 200)
  const published = await db
    .read()
    .all<{ fields: object }>(`select fields from outbox_events where subject = $1`, [`shared-cart/${Id}`])
  ok(!published.some((it) => JSON.stringify(it.fields).includes('700000')))
})

test('a shared cart shows offers and ids, and no other personal data', async () => {
  const me = await signedIn()
  const guest = newGuest()
  const offer = await stock.offer({ price: 5_000 })
  const made = await me.call('POST', sharedCarts, {
    body: { Items: [{ OfferId: offer, Quantity: 2 }], Title: 'Birthday' },
  })
  const { Id, JoinToken } = made.body.data
  await join(guest, Id, JoinToken)
  const reply = await add(guest, Id, { OfferId: offer, Quantity: 1 })
  const { data } = reply.body
  deepEqual(Object.keys(data).toSorted(), [
    'CreatedAt',
    'CreatorId',
    'Currency',
    'ExpiresAt',
    'Id',
    'IsOpen',
    'Items',
    'JoinToken',
    'ModeratedItems',
    'ParticipantIds',
    'RequesterId',
    'TakenBy',
    'Title',
    'TotalAmount',
    'TotalItemsCount',
    'UpdatedAt',
    'Version',
  ])
  deepEqual(
    [data.CreatorId, data.ParticipantIds, data.RequesterId, data.Title],
    [me.id, ['guest-1'], 'guest-1', 'Birthday'],
  )
  deepEqual(linesOf(data), [
    [offer, 2, me.id],
    [offer, 1, 'guest-1'],
  ])
  deepEqual([data.TotalAmount, data.TotalItemsCount], [15_000, 3])
  equal(new Date(data.ExpiresAt).getTime() - new Date(data.CreatedAt).getTime(), 72 * 3_600_000)
  const own = await me.call('GET', `${sharedCarts}/${Id}`)
  equal(own.body.data.JoinToken, JoinToken)
  ok(!reply.text.includes(JoinToken))
  for (const seen of [reply, own])
    for (const secret of [guest.SessionId, me.phone, me.phone.slice(1), 'Secret Name'])
      ok(!seen.text.includes(secret), secret)
})

test('only the creator closes a shared cart; participants can still read it', async () => {
  const [creator, friend, named] = [newClient(), newClient(), newClient()]
  const { Id, JoinToken } = await create(creator, { Items: [], ParticipantIds: [named.ClientId] })
  await join(friend, Id, JoinToken)
  assertRefused('not_found', await close(friend, Id))
  assertRefused('not_found', await close(named, Id))
  const stale = await call('DELETE', `${sharedCarts}/${Id}?${queryOf(creator)}`, {
    headers: { 'if-match': '"1"' },
  })
  assertRefused('version_mismatch', stale)
  equal((await close(creator, Id)).body.data.IsOpen, false)
  for (const it of [creator, friend, named]) equal((await look(it, Id)).body.data.IsOpen, false)
})

test('a new client never gets an id that owns a wishlist or a shared cart', async () => {
  const { id } = await signedIn()
  const offer = await stock.offer()
  await call('POST', '/api/wishlist/offers', { body: { ClientId: id + 1, OfferId: offer } })
  await create({ ClientId: id + 2 })
  await create(newClient(), { Items: [], ParticipantIds: [id + 3] })
  ok(![id + 1, id + 2, id + 3].includes((await signedIn()).id))
})

test('a merged client keeps the shared carts of the duplicate, and an erased one leaves none', async () => {
  const [kept, duplicate, friend] = [(await signedIn()).id, (await signedIn()).id, newClient()]
  const offer = await stock.offer({ quantity: 20 })
  const item = (Quantity: number) => ({ OfferId: offer, Quantity })
  const own = await create({ ClientId: duplicate }, { Items: [item(1)], Title: 'Personal title' })
  await join(friend, own.Id, own.JoinToken)
  await join({ ClientId: kept }, own.Id, own.JoinToken)
  await add({ ClientId: kept }, own.Id, item(2))
  const joined = await create(friend, { Items: [], ParticipantIds: [duplicate] })
  await add({ ClientId: duplicate }, joined.Id, item(3))

  const merged = await call('POST', `/v1/admin/clients/${duplicate}/merge`, { body: { into: kept } })
  equal(merged.status, 200, merged.text)
  const mine = (await look({ ClientId: kept }, own.Id)).body.data
  deepEqual([mine.CreatorId, linesOf(mine)], [kept, [[offer, 3, kept]]])
  deepEqual(linesOf((await look(friend, joined.Id)).body.data), [[offer, 3, kept]])
  equal(await count({ ClientId: kept }), 2)

  equal((await call('POST', `/v1/admin/clients/${kept}/erase`)).status, 200)
  assertRefused('not_found', await look(friend, own.Id))
  deepEqual(linesOf((await look(friend, joined.Id)).body.data), [])
  equal(await count({ ClientId: kept }), 0)
})

// Moves the clock, so it is last.
test('an expired shared cart is 404, not counted, and deleted', async () => {
  const [creator, friend] = [newClient(), newClient()]
  const offer = await stock.offer()
  const brief = await create(creator, { Items: [{ OfferId: offer, Quantity: 1 }], ExpiresInHours: 1 })
  const long = await create(creator, { Items: [], ExpiresInHours: 720 })
  await join(friend, brief.Id, brief.JoinToken)
  await shop.app.shops.test.jobs.close()
  await call('POST', '/v1/test/clock', { body: { advance: 'PT59M' } })
  equal((await look(friend, brief.Id)).status, 200)
  await call('POST', '/v1/test/clock', { body: { advance: 'PT1M1S' } })
  const absent = await look(creator, secretUuid())
  for (const attempt of [
    look(creator, brief.Id),
    look(friend, brief.Id),
    join(newClient(), brief.Id, brief.JoinToken),
    add(friend, brief.Id, { OfferId: offer }),
    take(friend, brief.Id),
    close(creator, brief.Id),
  ]) {
    const reply = await attempt
    assertRefused('not_found', reply)
    equal(withoutMeta(reply), withoutMeta(absent))
  }
  deepEqual([await count(creator), await count(friend)], [1, 0])
  await shop.app.shops.test.jobs.runNow('expire-shared-carts')
  const rows = await db
    .read()
    .all<{ id: string }>(`select id from cart_shared_carts where id = any($1)`, [[brief.Id, long.Id]])
  deepEqual(rows, [{ id: long.Id }])
  equal((await eventsOf(brief.Id)).at(-1), 'SharedCartExpired')
})
