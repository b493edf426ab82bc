// Which scope gives access to which class of data, over all routes, and what a key inside a phone app can read.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { type Route, scopesOf } from '../../src/http/route.ts'
import type { Scope } from '../../src/http/scopes.ts'
import { browserWith, password } from '../support/client.ts'
import { memberAt } from '../support/member.ts'
import { openPlatform } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'

const platform = await openPlatform()
const { app, call, url, keys, makeKey } = platform

/** The class of data that a route reads or changes. The first match applies; every route has one. */
// oxfmt-ignore
const dataClasses: [pattern: RegExp, dataClass: string][] = [
  [/^POST \/(v1\/auth\/(register|login|guest-session|password-reset(\/complete)?)|v1\/admin\/(sessions|members\/invitations\/accept|password-reset(?!s))|v1\/orders\/callbacks\/)/, 'entry'],
  [/^POST \/(offers|mobile|web|api\/gateway)\//,                     'recommended offers'],
  [/^GET \/v1\/catalog\/(export|moderated-offers|.*stock)/,          'catalog records'],
  [/^GET \/v1\/(catalog\/|recommendations\/suggestions)/,            'catalog'],
  [/^\w+ \/v1\/catalog\//,                                           'catalog changes'],
  [/^POST \/v1\/interactions/,                                       'own interactions'],
  [/ \/(v1\/(cart|recommendations\/recently-viewed)|api\/(cart|wishlist|shared-carts))/, 'own cart'],
  [/ \/v1\/orders\/metrics/,                                         'operation'],
  [/ \/v1\/orders/,                                                  'own orders'],
  [/ \/v1\/mandates/,                                                'own mandates'],
  [/ \/v1\/auth\/(me|addresses|reviews|devices|subscriptions|consents)/,     'own profile'],
  [/ \/v1\/auth\/(logout|password|sessions)/,                        'own session'],
  [/ \/v1\/marketing\/(consents|notifications)/,                     'recipients'],
  [/ \/v1\/marketing\//,                                             'marketing'],
  [/ \/v1\/admin\/(clients|mandates|password-resets)/,                        'clients'],
  [/ \/v1\/admin\/(members|me|sessions)/,                            'members'],
  [/ \/v1\/admin\/(applications|keys)/,                              'credentials'],
  [/ \/v1\/(events|webhooks|integration-events)/,                    'all events'],
  [/ \/v1\/recommendations\//,                                       'interactions of all buyers'],
  [/ \/v1\/(admin|test)\//,                                          'operation'],
]

const classOf = ({ method, path }: Route): string =>
  dataClasses.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1] ?? `no class: ${method} ${path}`

/** The minimum that a caller needs, as one text: scopes and kind of caller. */
const needsOf = ({ declared }: Route): string =>
  [scopesOf(declared).join(' and ') || (declared.needs ? '' : 'nothing'), declared.needs ?? '']
    .filter(Boolean)
    .join(', ')

/** All requirements that give access to a class of data. */
const matrix: Record<string, string[]> = {
  entry: ['nothing'],
  'recommended offers': ['nothing'],
  catalog: ['catalog:read'],
  'catalog records': ['catalog:read'],
  'catalog changes': ['catalog:write'],
  'own interactions': ['catalog:read'],
  'own cart': ['cart:read', 'cart:write', 'cart:write and orders:write'],
  'own orders': ['cart:write and orders:write', 'orders:read', 'orders:write'],
  'own mandates': ['orders:read', 'orders:write, session'],
  'own profile': ['profile:read, client', 'profile:write, client'],
  'own session': ['session'],
  recipients: ['marketing:read', 'marketing:write'],
  marketing: ['marketing:read', 'marketing:read and marketing:write', 'marketing:write'],
  clients: ['admin:read', 'admin:write'],
  members: ['admin:read', 'admin:write, owner', 'member'],
  credentials: ['admin:read', 'admin:write'],
  'all events': ['admin:read', 'admin:write'],
  'interactions of all buyers': ['admin:read', 'admin:write'],
  operation: ['admin:read', 'admin:write'],
}

test('every route belongs to a class of data and requires what the matrix defines', () => {
  const found: Record<string, Set<string>> = {}
  for (const route of app.routes) (found[classOf(route)] ??= new Set()).add(needsOf(route))
  deepEqual(
    Object.fromEntries(Object.entries(found).map(([name, needs]) => [name, [...needs].toSorted()])),
    Object.fromEntries(Object.entries(matrix).map(([name, needs]) => [name, needs.toSorted()])),
  )
})

/** Scopes that a key inside a phone app may have. */
const phoneScopes: Scope[] = ['catalog:read', 'cart:read', 'cart:write', 'orders:read', 'orders:write']

/** Personal texts that such a key must not read. */
const secrets = {
  'name of a client': 'Gulbahor Secretova',
  'e-mail of a client': 'gulbahor@secret.uz',
  'phone of a client': '998931234509',
  'e-mail of a member': 'owner@secret.uz',
  'session of a guest': 'guest-session-of-another',
}

test('a key inside a phone app reads no personal data on any route', async () => {
  const register = {
    name: secrets['name of a client'],
    email: secrets['e-mail of a client'],
    phone: `+${secrets['phone of a client']}`,
    password,
  }
  const { client } = browserWith(url, await call('POST', '/v1/auth/register', { body: register }))
  await memberAt(platform, 'owner', secrets['e-mail of a member'])
  const guest = { customer_id: secrets['session of a guest'] }
  await call('POST', '/v1/cart', { body: { ...guest, items: [] } })
  const interaction = {
    user_id: secrets['session of a guest'],
    offer_id: '1',
    kind: 'view',
    at: '2026-11-01T09:00:00Z',
  }
  await call('POST', '/v1/interactions', { body: { interactions: [interaction] } })

  const key = await makeKey({ type: 'mobile', scopes: phoneScopes })
  const reads = app.routes.filter((it) => it.method === 'GET' && !it.path.endsWith('/stream'))
  ok(reads.length > 80)
  const served: string[] = []
  for (const { path, declared } of reads) {
    const target = path.replaceAll(/\{\w+\}/g, client.id)
    for (const query of [
      '',
      `?ClientId=${client.id}`,
      `?customer_id=${client.id}`,
      '?records=interaction',
      '?records=client',
    ]) {
      const reply = await call('GET', `${target}${query}`, { key })
      if (reply.status < 300) served.push(path)
      for (const [what, text] of Object.entries(secrets))
        ok(!reply.text.includes(text), `GET ${target}${query} shows the ${what}`)
    }
    const isAllowed = scopesOf(declared).every((it) => phoneScopes.includes(it)) && !declared.needs
    if (!isAllowed) ok(!served.includes(path), `GET ${path} is served without its scope`)
  }
  deepEqual([...new Set(served.filter((it) => !it.startsWith('/v1/catalog/')))].toSorted(), [])
})

test('behaviour and clients are exported to admin:read only', async () => {
  const reader = await makeKey({ scopes: ['catalog:read'] })
  for (const records of ['interaction', 'client'])
    equal((await call('GET', `/v1/catalog/export?records=${records}`, { key: reader })).status, 403, records)
  equal((await call('GET', '/v1/catalog/export?records=client', { key: keys.test })).status, 200)
})

test('drafts of moderated offers are shown and exported to admin:read only', async () => {
  const stock = await openStock(platform)
  await stock.moderatedOffer({ id: 7_001, status: 'draft' })
  await stock.moderatedOffer({ id: 7_002, status: 'approved' })
  const path = '/v1/catalog/moderated-offers'
  const reader = await makeKey({ scopes: ['catalog:read', 'catalog:write'] })
  const listed = async (key: string, query = '') =>
    (await call('GET', `${path}${query}`, { key })).body.data.moderated_offers.map(
      (it: { id: string }) => it.id,
    )
  deepEqual(await listed(keys.test), ['7001', '7002'])
  deepEqual(await listed(reader), ['7002'])
  deepEqual(await listed(reader, '?status=draft'), [])
  deepEqual(await listed(keys.test, '?status=draft'), ['7001'])
  equal((await call('GET', `${path}/7001`, { key: keys.test })).status, 200)
  equal((await call('GET', `${path}/7001`, { key: reader })).status, 404)
  equal((await call('GET', `${path}/7002`, { key: reader })).status, 200)
  equal((await call('GET', '/v1/catalog/export?records=moderated_offer', { key: reader })).status, 403)
})

test('hidden offers are shown and exported only with catalog:write or admin:read', async () => {
  const stock = await openStock(platform)
  await stock.offer({ id: 7_101, is_visible: false })
  await stock.offer({ id: 7_102 })
  const reader = await makeKey({ scopes: ['catalog:read'] })
  const writer = await makeKey({ scopes: ['catalog:read', 'catalog:write'] })
  for (const key of [reader, writer, keys.test]) {
    const isShown = key !== reader
    const hidden = await call('GET', '/v1/catalog/offers?is_visible=false', { key })
    const ids = hidden.body.data.offers.map((it: { id: string }) => it.id)
    equal(ids.includes('7101'), isShown)
    equal((await call('GET', '/v1/catalog/offers/7101', { key })).status, isShown ? 200 : 404)
    equal((await call('GET', '/v1/catalog/offers/7102', { key })).status, 200)
    const { text } = await call('GET', '/v1/catalog/export?records=offer', { key })
    equal(text.includes('"id":7101,'), isShown)
    ok(text.includes('"id":7102,'))
  }
})

test('what is below an offer is 404 to callers who may not read the offer', async () => {
  const stock = await openStock(platform)
  await stock.offer({ id: 7_201, is_visible: false })
  await stock.offer({ id: 7_202 })
  await stock.moderatedOffer({ id: 7_203, status: 'draft' })
  await stock.moderatedOffer({ id: 7_204, status: 'approved', is_visible: false })
  await stock.moderatedOffer({ id: 7_205, status: 'approved' })
  const reader = await makeKey({ scopes: ['catalog:read'] })
  const writer = await makeKey({ scopes: ['catalog:read', 'catalog:write'] })
  const readers: [path: string, reader: boolean, writer: boolean][] = [
    ['offers/7201', false, true],
    ['offers/7202', true, true],
    ['offers/7299', false, false],
    ['moderated-offers/7203', false, false],
    ['moderated-offers/7204', false, true],
    ['moderated-offers/7205', true, true],
  ]
  for (const [path, ...areServed] of readers)
    for (const [at, key] of [reader, writer].entries())
      for (const below of ['', '/stock', '/stock-movements']) {
        const reply = await call('GET', `/v1/catalog/${path}${below}`, { key })
        equal(reply.status, areServed[at] ? 200 : 404, `${path}${below} ${reply.text}`)
        if (reply.status !== 404) continue
        const unknown = await call('GET', `/v1/catalog/${path.replace(/\d+/, '7298')}${below}`, { key })
        deepEqual(
          { ...reply.body.error.details, id: '' },
          { ...unknown.body.error.details, id: '' },
          'the same as for an unknown offer',
        )
      }
  for (const key of [writer, keys.test]) {
    const listed = await call('GET', '/v1/catalog/moderated-offers?is_visible=false', { key })
    deepEqual(
      listed.body.data.moderated_offers.map((it: { id: string }) => it.id),
      ['7204'],
    )
  }
  const listed = await call('GET', '/v1/catalog/moderated-offers?is_visible=false', { key: reader })
  deepEqual(listed.body.data.moderated_offers, [])
})

test('why a moderator rejected an offer, and which orders moved its stock, is not for every reader', async () => {
  const stock = await openStock(platform)
  const id = await stock.moderatedOffer({ id: 7_301, status: 'pending' })
  const path = `/v1/catalog/moderated-offers/${id}`
  equal((await call('POST', `${path}/reject`, { body: { reason: 'The picture is stolen' } })).status, 200)
  const reader = await makeKey({ scopes: ['catalog:read'] })
  const writer = await makeKey({ scopes: ['catalog:read', 'catalog:write'] })
  const historyFor = async (key: string) => (await call('GET', `${path}/history`, { key })).status
  deepEqual(
    [await historyFor(reader), await historyFor(writer), await historyFor(keys.test)],
    [404, 404, 200],
  )
  for (const step of ['submit', 'approve'])
    equal((await call('POST', `${path}/${step}`, { body: {} })).status, 200)
  deepEqual(
    [await historyFor(reader), await historyFor(writer), await historyFor(keys.test)],
    [403, 200, 200],
  )

  const adjusted = await call('POST', `${path}/stock-adjustments`, {
    body: { change: -1, reason: 'Found broken' },
  })
  equal(adjusted.status, 200, adjusted.text)
  const referenceFor = async (key: string) =>
    (await call('GET', `${path}/stock-movements?sort=-id`, { key })).body.data.movements[0].reference
  deepEqual(
    [await referenceFor(reader), await referenceFor(writer), await referenceFor(keys.test)],
    [null, 'Found broken', 'Found broken'],
  )
})
