import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { newGuest, openCarts } from '../../../test/support/carts.ts'
import { browserWith, password } from '../../../test/support/client.ts'
import { assertRefused } from '../../../test/support/refused.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { openWishlists } from '../../../test/support/wishlists.ts'
import { secretUuid } from '../../base/random.ts'
import { clientRecords } from '../../identity/index.ts'
import { maxSessions, externalIdKeys, linkGuests, originalIdentifier, buyerKeyOf } from './aliases.ts'
import { loadHistory } from './history.ts'

const shop = await openPlatform()
const { db, relay } = shop.app.shops.test
const stock = await openStock(shop)
const { put, newClient } = openCarts(shop, 9_000)
const offer = String(await stock.offer())
const uuid = 'e621e1f8-c36c-495a-93fc-0c247a3e6e5f'

const look = async (user_id: string, at = '2026-10-01T09:00:00.000Z') =>
  shop.call('POST', '/v1/interactions', {
    body: { interactions: [{ user_id, offer_id: offer, kind: 'view', at }] },
  })
const buyerOf = async (...names: string[]) => {
  await relay.catchUp()
  const { buyer, interactions } = (await loadHistory(db.read(), names))!
  return [buyer, interactions.length]
}
const client = (id: number, fields: object = {}) =>
  db.transaction((tx) => clientRecords.load(tx, [{ id, name: `Client ${id}`, ...fields }]))

test('a client is named by id; every other buyer by a hash, which is its own alias', () => {
  equal(buyerKeyOf('17'), '17')
  for (const name of ['017', '9007199254740993', 'gs_test_secret', uuid, '+998901234567']) {
    equal(/^guest-[0-9a-f]{32}$/.test(buyerKeyOf(name)), true)
    equal(buyerKeyOf(buyerKeyOf(name)), buyerKeyOf(name))
  }
  deepEqual(
    [originalIdentifier('crm-1'), originalIdentifier('gs_test_secret'), originalIdentifier('17')],
    ['crm-1', null, null],
  )
})

test('an id of another system is a UUID in any letter case, and never one of our ids', () => {
  equal(externalIdKeys(uuid).length, 2)
  deepEqual(externalIdKeys('crm-1'), [buyerKeyOf('crm-1')])
  deepEqual(externalIdKeys('17'), [])
})

test('external ids of a client find the history of all aliases, before and after linking', async () => {
  await look(uuid)
  await client(1, { external_ids: [uuid, 'crm-1'] })
  await look('crm-1', '2026-10-02T09:00:00.000Z')
  await look('1', '2026-10-03T09:00:00.000Z')
  for (const name of ['1', uuid, uuid.toUpperCase(), 'crm-1']) deepEqual(await buyerOf(name), ['1', 3])
})

test('a guest who is named by a UUID keeps the history when an application writes it in other letters', async () => {
  const [guest, other] = [secretUuid(), secretUuid().toUpperCase()]
  await look(guest)
  deepEqual(await buyerOf(guest.toUpperCase()), [buyerKeyOf(guest), 1])
  await look(other)
  deepEqual(await buyerOf(other.toLowerCase()), [buyerKeyOf(other), 1])
  const unknown = secretUuid()
  deepEqual(await buyerOf(unknown), [buyerKeyOf(unknown), 0])
})

test('an external id that two clients claim belongs to the first until it is removed there', async () => {
  await look('shared', '2026-10-01T10:00:00.000Z')
  await client(11, { external_ids: ['shared'] })
  await relay.catchUp()
  await client(10, { external_ids: ['shared'] })
  await client(12, { external_ids: ['shared'] })
  deepEqual(await buyerOf('shared'), ['11', 1])
  await client(11, { external_ids: [] })
  deepEqual(await buyerOf('shared'), ['10', 1])
  deepEqual(await buyerOf('11'), ['11', 0])
})

test('a phone number finds its client in any notation, and an unknown one finds none', async () => {
  await client(20, { phone: '+998901234567' })
  await look('20')
  const ask = (phone: string) =>
    shop.call('POST', '/offers/recommended', { body: { mobi_user_id: 'm-20', phone } })
  equal((await ask('90 123-45-67')).status, 200)
  deepEqual(await buyerOf('m-20', '+998901234567'), ['20', 1])
  await client(20, { phone: '+998907654321' })
  deepEqual(await buyerOf('+998901234567'), [buyerKeyOf('+998901234567'), 0])
})

test('of several names the first with a history counts, then the first that belongs to a client', async () => {
  await client(30, { external_ids: ['known-30'] })
  deepEqual(await buyerOf('nobody', 'known-30'), ['30', 0])
  await look('busy')
  deepEqual(await buyerOf('nobody', 'known-30', 'busy'), [buyerKeyOf('busy'), 1])
})

test('signing in and registering link the guest session that the request names', async () => {
  const registered = await shop.call('POST', '/v1/auth/register', {
    body: { name: 'Aziza', email: 'aziza@mail.uz', password, guest_session_id: 'session-before-1' },
  })
  const { id } = browserWith(shop.url, registered).client
  await look('session-before-1')
  deepEqual(await buyerOf('session-before-1'), [id, 1])
  await look('session-before-2', '2026-10-02T09:00:00.000Z')
  await shop.call('POST', '/v1/auth/login', {
    body: { login: 'aziza@mail.uz', password, guest_session_id: 'session-before-2' },
  })
  deepEqual(await buyerOf(id), [id, 2])
})

test('signing in links external ids of the client; ids that can be guessed are accepted from servers only', async () => {
  const device = '5a0c3a52-6a0c-4d0e-8f1b-0d5f6b1c2e3f'
  const browser = await shop.makeKey({ type: 'web', scopes: ['catalog:read'] })
  const signUp = (name: string, external_ids: string[]) =>
    shop.call('POST', '/v1/auth/register', {
      body: { name, email: `${name}@mail.uz`, password, external_ids },
    })
  const signIn = (name: string, external_ids: string[], key?: string) =>
    shop.call('POST', '/v1/auth/login', {
      body: { login: `${name}@mail.uz`, password, external_ids },
      ...(key && { key }),
    })
  await look(device)
  const { client: bek } = (await signUp('bek', ['crm-bek'])).body.data
  const { client: again } = (await signIn('bek', [device, 'crm-bek'])).body.data
  deepEqual(again.external_ids, ['crm-bek', device])
  await look('crm-bek', '2026-10-02T09:00:00.000Z')
  deepEqual(await buyerOf(device), [bek.id, 2])
  const last = (await signIn('bek', [device], browser)).body.data.client
  deepEqual([last.external_ids, last.updated_at], [again.external_ids, again.updated_at])

  const { fields } = assertRefused('validation_failed', await signIn('bek', [device, 'crm-anna'], browser))
  deepEqual([fields[0].path, fields[0].rule], ['external_ids.1', 'format'])
  await signUp('anna', [device])
  deepEqual(await buyerOf(device), [bek.id, 2])
  const many = (from: number) => Array.from({ length: 10 }, (_, at) => `crm-${from + at}`)
  for (let from = 0; from < 90; from += 10) equal((await signIn('bek', many(from))).status, 200)
  assertRefused('validation_failed', await signIn('bek', many(90)))
})

test('merging links a guest without items, and a session of another client stays theirs', async () => {
  const [guest, first, second] = [newGuest(), newClient(), newClient()]
  await look(guest.SessionId)
  const merge = (ClientId: number) =>
    shop.call('POST', '/api/cart/merge-carts', { body: { ...guest, ClientId } })
  await merge(first.ClientId)
  deepEqual(await buyerOf(guest.SessionId), [String(first.ClientId), 1])
  await put(guest, Number(offer))
  await merge(second.ClientId)
  deepEqual(await buyerOf(guest.SessionId), [String(first.ClientId), 2])
})

test('merging wishlists links the guest too', async () => {
  const { addToWishlist, merge } = openWishlists(shop)
  const [guest, known, wishless] = [newGuest(), newClient(), newGuest()]
  await addToWishlist(guest, Number(offer))
  await merge(guest.SessionId, known.ClientId)
  deepEqual(await buyerOf(guest.SessionId), [String(known.ClientId), 1])
  await look(wishless.SessionId)
  await merge(wishless.SessionId, known.ClientId)
  deepEqual(await buyerOf(String(known.ClientId)), [String(known.ClientId), 2])
})

test('a client has at most a hundred linked sessions', async () => {
  const names = Array.from({ length: maxSessions + 20 }, (_, at) => ({ identifier: `s-${at}`, clientId: 40 }))
  for (const some of [names.slice(0, 100), names.slice(100)])
    await db.transaction((tx) => linkGuests(tx, some))
  equal((await loadHistory(db.read(), ['40']))!.aliases.length, maxSessions + 1)
})

test('a guest who requests lists before and after having a cart does not see cart items', async () => {
  const guest = newGuest()
  const body = { user_id: guest.SessionId, from_layer: 'main_page', from_app: 'web' }
  const shown = async () =>
    (await shop.call('POST', '/offers/recommended/v3', { body })).body.offers.map(
      (it: { offer_id: string }) => it.offer_id,
    )
  equal((await shown()).includes(offer), true)
  await put(guest, Number(offer))
  equal((await shown()).includes(offer), false)
})

const stored = async (...keys: string[]) => {
  await relay.catchUp()
  return db.read().one<{ interactions: number; lists: number; aliases: number }>(
    `select (select count(*) from recommendations_interactions where buyer = any($1)) as interactions,
       (select count(*) from recommendations_lists where buyer = any($1)) as lists,
       (select count(*) from recommendations_aliases where buyer = any($1) or alias = any($1)) as aliases`,
    [keys],
  )
}

/** A client who is known by three identifiers, has interactions under each of them, and has seen a list. */
async function knownClient(id: number, external: string): Promise<string[]> {
  const { SessionId: guest } = newGuest()
  await client(id, { external_ids: [external] })
  await relay.catchUp()
  await db.transaction((tx) => linkGuests(tx, [{ identifier: guest, clientId: id }]))
  for (const [day, name] of [String(id), external, guest].entries())
    await look(name, `2026-10-0${day + 1}T11:00:00.000Z`)
  const list = await shop.call('POST', '/offers/recommended/v3', {
    body: { user_id: String(id), from_layer: 'main_page', from_app: 'test' },
  })
  equal(list.status, 200, list.text)
  await waitUntil(async () => (await stored(String(id))).lists === 1, { what: 'the list is logged' })
  return [String(id), external, guest].map(buyerKeyOf)
}

test('nothing of an erased client is left, and another client who claims the external id gets it', async () => {
  const keys = await knownClient(80, 'till-80')
  deepEqual(await buyerOf('till-80'), ['80', 3])
  deepEqual(await stored(...keys), { interactions: 3, lists: 1, aliases: 2 })
  await client(81, { external_ids: ['till-80'] })
  await put({ ClientId: 80 }, Number(offer))
  equal((await shop.call('POST', '/v1/admin/clients/80/erase')).status, 200)
  deepEqual(await buyerOf('80'), ['80', 0])
  deepEqual(await stored(...keys), { interactions: 0, lists: 0, aliases: 1 })
  await look('till-80', '2026-10-05T11:00:00.000Z')
  deepEqual(await buyerOf('till-80'), ['81', 1])
})

test('the behaviour of a merged client counts for the remaining one', async () => {
  const keys = await knownClient(82, 'till-82')
  await client(83)
  await look('83', '2026-10-01T11:00:00.000Z')
  const merged = await shop.call('POST', '/v1/admin/clients/82/merge', { body: { into: '83' } })
  equal(merged.status, 200, merged.text)
  // The interaction of the first of October is the same under both ids.
  for (const name of ['83', 'till-82']) deepEqual(await buyerOf(name), ['83', 3])
  equal((await stored('82')).interactions + (await stored('82')).lists, 0)
  deepEqual(await stored('83', ...keys.slice(1)), { interactions: 3, lists: 1, aliases: 2 })
})
