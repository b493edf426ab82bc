// An unmodified client of the official MCP SDK shops for a client, over HTTP with OAuth and over stdio, and is stopped by
// its mandate.

import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Scope } from '../../src/http/scopes.ts'
import { browserWith } from '../support/client.ts'
import {
  allowed,
  Browser,
  newApplication,
  newBuyer,
  password,
  returned,
  signedInThrough,
  type TestApplication,
} from '../support/oauth.ts'
import { address, cash, openOrdering } from '../support/orders.ts'
import { callAt, openPlatform } from '../support/shop.ts'

const platform = await openPlatform()
const { url, call, keys } = platform
const shop = await openOrdering(platform)
const scopes: Scope[] = ['catalog:read', 'cart:read', 'cart:write', 'orders:read', 'orders:write']
const offer = await shop.stock.offer({ price: 300, quantity: 50 })
await platform.app.loaded()

/** A client with a session of their own. */
async function signUp() {
  const { phone, id } = await newBuyer(url, keys.test)
  const body = { login: phone, password }
  const session = browserWith(url, await callAt(url, 'POST', '/v1/auth/login', { key: keys.test, body }))
  return { phone, id, session }
}
type Buyer = Awaited<ReturnType<typeof signUp>>

const sums = (amount: number) => ({ amount: amount * 100, currency: 'UZS' })

async function grant({ session }: Buyer, application: TestApplication, more: object = {}): Promise<string> {
  const expires_at = new Date(platform.app.shops.test.clock.now().getTime() + 3_600_000).toISOString()
  const body = {
    application_id: application.id,
    budget: sums(1_000),
    expires_at,
    needs_confirmation: false,
    ...more,
  }
  const reply = await session.call('POST', '/v1/mandates', { body })
  equal(reply.status, 201, reply.text)
  return reply.body.data.mandate.id
}

/** An OAuth client as an agent has it: registered before, with PKCE; a person signs in and allows it in a browser. */
class AgentAccess {
  readonly #application: TestApplication
  readonly #phone: string
  #tokens: object | undefined
  #verifier = ''
  code = ''
  authorizationUrl: URL | undefined

  constructor(application: TestApplication, phone: string) {
    this.#application = application
    this.#phone = phone
  }
  get redirectUrl() {
    return this.#application.redirect
  }
  get clientMetadata() {
    return { redirect_uris: [this.redirectUrl], client_name: 'Agent' }
  }
  clientInformation = () => ({
    client_id: this.#application.id,
    ...(this.#application.secret && { client_secret: this.#application.secret }),
  })
  tokens = () => this.#tokens
  saveTokens = (tokens: object) => void (this.#tokens = tokens)
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier)
  codeVerifier = () => this.#verifier
  async redirectToAuthorization(authorization: URL): Promise<void> {
    this.authorizationUrl = authorization
    const browser = new Browser(url)
    const shown = await allowed(browser, await signedInThrough(browser, authorization.href, this.#phone))
    this.code = returned(shown).get('code') ?? ''
  }
}

/** Connects over HTTP; the client of the SDK finds the authorization server by itself. */
async function connect(application: TestApplication, phone: string) {
  const access = new AgentAccess(application, phone)
  const endpoint = new URL('/mcp', url)
  const first = new StreamableHTTPClientTransport(endpoint, { authProvider: access })
  await rejects(new Client({ name: 'agent', version: '1' }).connect(first), /Unauthorized/)
  await first.finishAuth(access.code)
  const client = new Client({ name: 'agent', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(endpoint, { authProvider: access }))
  return { client, access }
}

// Untyped: tests read the fields they expect.
// oxlint-disable-next-line typescript/no-explicit-any
async function use(client: Client, name: string, input: object = {}): Promise<any> {
  const result = await client.callTool({ name, arguments: { ...input } })
  const { text } = result.content[0]!
  ok(!result.isError, text)
  deepEqual(JSON.parse(text), result.structuredContent)
  return result.structuredContent
}

// oxlint-disable-next-line typescript/no-explicit-any
async function refused(client: Client, name: string, input: object): Promise<any> {
  const result = await client.callTool({ name, arguments: { ...input } })
  equal(result.isError, true, JSON.stringify(result))
  const { error } = result.structuredContent as { error: Record<string, unknown> }
  for (const field of ['code', 'message', 'what_to_do']) ok(String(error[field]).length > 3, field)
  return error
}

const checkout = (total: number, more: object = {}) => ({
  payment_method_id: cash,
  expected_total: total,
  delivery_address: address,
  ...more,
})

const web = await newApplication(platform, { type: 'web', scopes })

test('an agent finds the authorization server, lists the tools with their limits, fills a cart and orders', async () => {
  const buyer = await signUp()
  const mandate_id = await grant(buyer, web)
  const { client, access } = await connect(web, buyer.phone)
  equal(access.authorizationUrl!.pathname, '/oauth/authorize')
  const { tools } = await client.listTools()
  deepEqual(tools.map((it) => it.name).toSorted(), [
    'add_to_cart',
    'get_order_status',
    'get_product',
    'get_recommendations',
    'list_delivery_methods',
    'list_mandates',
    'list_orders',
    'order',
    'remove_from_cart',
    'search_products',
    'view_cart',
  ])
  match(tools.find((it) => it.name === 'order')!.description!, /mandate/)
  equal(tools.find((it) => it.name === 'view_cart')!.annotations!.readOnlyHint, true)
  const unknown = await refused(client, 'buy', {})
  match(unknown.what_to_do, /^Call one of these tools: search_products, /)
  match((await refused(client, 'order', {})).message, /: payment_method_id is required/)

  const { products } = await use(client, 'search_products', { query: 'Product', count: 5 })
  const found = products.find((it: { best_offer_id: number }) => it.best_offer_id === offer)
  equal(found.price, 300)
  const product = await use(client, 'get_product', { product_id: found.product_id })
  equal(product.offers[0].offer_id, offer)
  ok(Array.isArray((await use(client, 'get_recommendations', { count: 3 })).offers))

  await use(client, 'add_to_cart', { offer_id: offer, quantity: 3 })
  const lowered = await use(client, 'remove_from_cart', { offer_id: offer, keep: 2 })
  deepEqual([lowered.total, lowered.can_order], [600, true])
  const { mandates } = await use(client, 'list_mandates')
  deepEqual([mandates.length, mandates[0].mandate_id, mandates[0].left], [1, mandate_id, 1_000])
  const placed = await use(client, 'order', checkout(600))
  equal(placed.mandate_id, mandate_id)
  const status = await use(client, 'get_order_status', { order_id: placed.order_ids[0] })
  deepEqual([status.status, status.total, status.mandate_id], ['confirmed', 600, mandate_id])
  equal((await use(client, 'list_orders')).orders[0].order_id, placed.order_ids[0])
  await client.close()
})

test('an agent is stopped by its mandate: none, foreign, over budget, wrong category, unconfirmed, expired; nothing changes', async () => {
  const [buyer, otherBuyer] = [await signUp(), await signUp()]
  const { client } = await connect(web, buyer.phone)
  await use(client, 'add_to_cart', { offer_id: offer, quantity: 2 })
  const state = async () => ({
    cart: await use(client, 'view_cart'),
    orders: (await use(client, 'list_orders')).orders.length,
    mandates: await use(client, 'list_mandates'),
  })
  const stopped = async (code: string, input: object) => {
    const before = await state()
    const error = await refused(client, 'order', input)
    equal(error.code, code, JSON.stringify(error))
    deepEqual(await state(), before)
    return error
  }
  await stopped('mandate_required', checkout(600))
  const foreign = await grant(otherBuyer, web)
  await stopped('mandate_invalid', checkout(600, { mandate_id: foreign }))
  const small = await grant(buyer, web, { budget: sums(599) })
  const over = await stopped('mandate_budget_exceeded', checkout(600, { mandate_id: small }))
  deepEqual([over.details.violations[0].available, over.details.violations[0].requested], [599, 600])
  await stopped('price_changed', checkout(500, { mandate_id: small }))
  const category = (await shop.post('/v1/catalog/categories', { slug: 'books', name: { en: 'Books' } })).body
    .data.category.id
  const books = await grant(buyer, web, { category_ids: [category] })
  await stopped('mandate_category_not_allowed', checkout(600, { mandate_id: books }))
  const careful = await grant(buyer, web, { needs_confirmation: true })
  const { details, what_to_do } = await stopped(
    'confirmation_required',
    checkout(600, { mandate_id: careful }),
  )
  match(what_to_do, /confirm/)
  const { cart_version } = details.violations[0].remedy
  const confirmed = await buyer.session.call('POST', `/v1/mandates/${careful}/confirmations`, {
    body: { cart_version, total: sums(600) },
  })
  equal(confirmed.status, 201, confirmed.text)
  equal((await use(client, 'order', checkout(600, { mandate_id: careful }))).status, 'confirmed')

  await use(client, 'add_to_cart', { offer_id: offer, quantity: 1 })
  const revoked = await grant(buyer, web)
  await buyer.session.call('POST', `/v1/mandates/${revoked}/revoke`)
  const error = await stopped('mandate_invalid', checkout(300, { mandate_id: revoked }))
  equal(error.details.violations[0].reason, 'revoked')
  equal((await refused(client, 'add_to_cart', { offer_id: 999_999 })).code, 'not_found')
  const tooMany = await refused(client, 'add_to_cart', { offer_id: offer, quantity: 5_000 })
  equal(tooMany.details.violations[0].code, 'stock_exceeded')
  await client.close()
})

/** An agent that starts `bozor mcp` with the key of a server application. */
async function connectByStdio({ apiKey }: TestApplication, args: string[] = []) {
  const client = new Client({ name: 'agent', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', 'src/main.ts', 'mcp', ...args],
    env: { BOZOR_KEY: apiKey, BOZOR_URL: url, PATH: process.env['PATH'] ?? '' },
    stderr: 'inherit',
  })
  await client.connect(transport)
  return client
}

test('an agent for one client of a server application sees neither mandates nor orders of others', async () => {
  const [buyer, other] = [await signUp(), await signUp()]
  const server = await newApplication(platform, { type: 'server', scopes })
  const own = await grant(buyer, server)
  // More mandates of another client than a page of the list has.
  const rows = Array.from({ length: 3 }, () => grant(other, server))
  const [foreign] = await Promise.all(rows)
  await platform.app.shops.test.db.transaction((tx) =>
    tx.all(
      `insert into orders_mandates (id, client_id, application_id, budget_tiyin, category_ids, needs_confirmation,
         created_at, expires_at)
       select gen_random_uuid(), client_id, application_id, budget_tiyin, category_ids, needs_confirmation, created_at,
         expires_at
       from orders_mandates, generate_series(1, 120) where id = $1`,
      [foreign],
    ),
  )
  const seller = await connectByStdio(server, ['--client', String(other.id)])
  const client = await connectByStdio(server, ['--client', String(buyer.id)])
  const keyOnly = await connectByStdio(server)
  try {
    const { mandates } = await use(client, 'list_mandates')
    deepEqual(
      mandates.map((it: { mandate_id: string }) => it.mandate_id),
      [own],
    )
    await use(seller, 'add_to_cart', { offer_id: offer })
    const placed = await use(seller, 'order', checkout(300, { mandate_id: foreign }))
    const [order_id] = placed.order_ids
    equal((await use(seller, 'get_order_status', { order_id })).order_id, order_id)
    const hidden = await refused(client, 'get_order_status', { order_id })
    deepEqual([hidden.code, hidden.message], ['not_found', `There is no order ${order_id}.`])
    deepEqual((await use(client, 'list_orders')).orders, [])
    // Without a buyer the key would show those of all.
    for (const [name, input] of [
      ['list_orders', {}],
      ['list_mandates', {}],
      ['get_order_status', { order_id }],
      ['order', checkout(300)],
    ] as const)
      equal((await refused(keyOnly, name, input)).code, 'buyer_required', name)
  } finally {
    await Promise.all([seller.close(), client.close(), keyOnly.close()])
  }
})

test('of several active mandates the agent names one, and the refusal lists them', async () => {
  const buyer = await signUp()
  const { client } = await connect(web, buyer.phone)
  await use(client, 'add_to_cart', { offer_id: offer })
  const none = await refused(client, 'order', checkout(300))
  equal(none.message, 'The client has granted no active mandate to this application.')
  match(none.what_to_do, /^Ask the buyer to grant a mandate/)
  const [small, large] = [await grant(buyer, web, { budget: sums(299) }), await grant(buyer, web)]
  const several = await refused(client, 'order', checkout(300))
  equal(several.message, 'The client has granted 2 active mandates to this application. Name one of them.')
  match(several.what_to_do, /^Choose the one of `mandates` whose `left`/)
  deepEqual(
    several.details.mandates.map((it: { mandate_id: string; left: number }) => [it.mandate_id, it.left]),
    [
      [large, 1_000],
      [small, 299],
    ],
  )
  equal((await use(client, 'order', checkout(300, { mandate_id: large }))).mandate_id, large)
  await client.close()
})

test('an agent gets English unless it asks for another language', async () => {
  const { phone } = await signUp()
  const { access } = await connect(web, phone)
  const tokens = access.tokens() as { access_token: string }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'buy', arguments: {} } }
  const ask = async (headers: Record<string, string>) => {
    const accept = 'application/json, text/event-stream'
    const reply = await call('POST', '/mcp', {
      key: tokens.access_token,
      body,
      headers: { accept, ...headers },
    })
    return [
      reply.headers.get('content-language'),
      reply.body.result.structuredContent.error.message as string,
    ]
  }
  deepEqual(await ask({ 'accept-language': '*' }), ['en', 'There is no tool buy.'])
  deepEqual((await ask({ 'accept-language': 'uz' }))[0], 'uz')
  deepEqual((await ask({ 'accept-language': 'ru-RU' }))[0], 'ru')
  match((await call('GET', '/mcp')).text, /This path does not accept the method/)
})

test('an expired mandate stops an agent that works by stdio for a client of a server application', async () => {
  const buyer = await signUp()
  const server = await newApplication(platform, { type: 'server', scopes })
  const client = await connectByStdio(server, ['--client', String(buyer.id)])
  try {
    equal((await client.listTools()).tools.length, 11)
    equal((await use(client, 'add_to_cart', { offer_id: offer })).total, 300)
    const mandate_id = await grant(buyer, server)
    equal((await use(client, 'order', checkout(300))).mandate_id, mandate_id)
    await use(client, 'add_to_cart', { offer_id: offer })
    await shop.advance('PT2H')
    const error = await refused(client, 'order', checkout(300, { mandate_id }))
    deepEqual([error.code, error.details.violations[0].reason], ['mandate_invalid', 'expired'])
    equal((await refused(client, 'order', checkout(300))).code, 'mandate_required')
    equal((await use(client, 'view_cart')).total, 300)
  } finally {
    await client.close()
  }
})

test('without a valid token the reply is 401 and says where to get one; cookies are not accepted', async () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const headers = { accept: 'application/json, text/event-stream' }
  const post = (key: string | null, more: Record<string, string> = {}) =>
    call('POST', '/mcp', { key, body, headers: { ...headers, ...more } })
  const metadata = `${url}/.well-known/oauth-protected-resource/mcp`
  const missing = await post(null)
  equal(missing.status, 401)
  match(missing.headers.get('www-authenticate')!, new RegExp(`resource_metadata="${metadata}"`))
  match((await post('at_test_wrong')).headers.get('www-authenticate')!, /error="invalid_token"/)
  const { session } = await signUp()
  equal((await post(null, { cookie: session.cookie, origin: url })).status, 401)
  const described = (await callAt(metadata, 'GET', '', {})).body
  deepEqual([described.resource, described.authorization_servers], [`${url}/mcp`, [url]])
  equal((await call('GET', '/mcp')).status, 405)
  equal((await call('POST', '/mcp', { raw: '{', headers })).status, 400)
})
