import { deepEqual, equal, match, ok, rejects, throws } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import {
  BozorConnectionError,
  BozorError,
  clientCredentials,
  createBozor,
  exchangeCode,
  verifyWebhook,
  WebhookSignatureError,
} from './index.ts'

interface Received {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: unknown
  /** The connection is lost before the reply, or in the middle of its body. */
  destroy?: boolean | 'in the body'
  /** The body goes on: the connection stays open. */
  stays?: boolean
}

const received: Received[] = []
let replies: Reply[] = []

/** Answers with the prepared replies, one after the other. */
const server = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += String(part)
  received.push({ method: request.method!, url: request.url!, headers: request.headers, body })
  const reply = replies.shift() ?? { body: data({}) }
  if (reply.destroy === true) return request.socket.destroy()
  response.writeHead(reply.status ?? 200, { 'Content-Type': 'application/json', ...reply.headers })
  if (reply.destroy) return response.write('{"success":true,', () => request.socket.destroy())
  if (reply.stays) return response.write(String(reply.body))
  return response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? data({})))
})
const baseUrl = await listen(server)
beforeEach(() => {
  received.length = 0
  replies = []
})

/** The origin on which the server listens until the tests end. */
async function listen(it: Server): Promise<string> {
  await new Promise<void>((listening) => it.listen(0, '127.0.0.1', listening))
  after(() => {
    it.close()
    it.closeAllConnections()
  })
  return `http://127.0.0.1:${(it.address() as AddressInfo).port}`
}

const data = (value: unknown) => ({ success: true, data: value, meta: { request_id: 'r-1' } })
const failure = (code: string, details = {}) => ({
  error: { code, message: `message of ${code}`, type: 'x', details },
  meta: { request_id: 'r-9' },
})
const bozor = createBozor({ baseUrl, apiKey: 'ak_test_x', language: 'uz', maxRetries: 2 })

test('path, query and body come from one input', async () => {
  await bozor.brands.update({ brand_id: 'a/b', name: 'Artel' })
  await bozor.products.search({ q: 'чайник', per_page: 3 })
  const [write, read] = received
  equal(`${write!.method} ${write!.url}`, 'PATCH /v1/catalog/brands/a%2Fb')
  deepEqual(JSON.parse(write!.body), { name: 'Artel' })
  equal(read!.url, `/v1/catalog/products/search?per_page=3&q=${encodeURIComponent('чайник')}`)
  equal(read!.headers.authorization, 'Bearer ak_test_x')
  equal(read!.headers['accept-language'], 'uz')
  ok(write!.headers['idempotency-key'])
  equal(read!.headers['idempotency-key'], undefined)
})

test('a missing path parameter and an unknown field fail before anything is sent', () => {
  throws(() => bozor.brands.get({ brand_id: '' }), /brand_id is missing/)
  // @ts-expect-error the type refuses a field that the operation does not have
  throws(() => bozor.testClock.get({ nosuch: 1 }), /has no field nosuch/)
  equal(received.length, 0)
})

test('an error has code, details, violations and request id', async () => {
  replies = [
    {
      status: 422,
      body: failure('stock_exceeded', { violations: [{ code: 'stock_exceeded', available: 3 }] }),
    },
  ]
  const error = await bozor.cart.addItem({ OfferId: 1, Quantity: 5 }).then(
    () => undefined,
    (it: unknown) => it,
  )
  ok(error instanceof BozorError)
  equal(error.code, 'stock_exceeded')
  equal(error.status, 422)
  equal(error.violations.length, 1)
  equal(error.requestId, 'r-9')
  equal(received.length, 1)
})

test('a write is retried after a lost connection with the same Idempotency-Key', async () => {
  replies = [
    { destroy: true },
    { status: 503, body: failure('service_unavailable') },
    { body: data({ brand: { id: '1' } }) },
  ]
  const { brand } = await bozor.brands.create({ slug: 'artel', name: 'Artel' })
  equal(brand.id, '1')
  equal(new Set(received.map((it) => it.headers['idempotency-key'])).size, 1)
  equal(received.length, 3)
})

test('retries end after the limit, and a reply that no retry can change is not retried', async () => {
  replies = [{ destroy: true }, { destroy: true }, { destroy: true }, {}]
  await rejects(bozor.brands.get({ brand_id: 1 }), BozorConnectionError)
  equal(received.length, 3)
  replies = [{ status: 404, body: failure('not_found') }]
  await rejects(bozor.brands.get({ brand_id: 1 }), { code: 'not_found' })
  equal(received.length, 4)
})

test('a connection that is lost in the middle of a reply is one that failed, and is retried', async () => {
  replies = [{ destroy: 'in the body' }, { body: data({ brand: { id: '7' } }) }]
  equal((await bozor.brands.get({ brand_id: 7 })).brand.id, '7')
  replies = [{ destroy: 'in the body' }, { destroy: 'in the body' }, { destroy: 'in the body' }]
  await rejects(bozor.brands.get({ brand_id: 7 }), BozorConnectionError)
})

test('a reply that never ends is given up at the deadline', async () => {
  // A server of its own: a request that arrives after the deadline would take a reply of the next test.
  const endless = await listen(createServer((_, response) => response.write('{"success"')))
  const hurried = createBozor({ baseUrl: endless, maxRetries: 0, timeoutMs: 50 })
  await rejects(hurried.brands.get({ brand_id: 7 }), {
    name: 'BozorConnectionError',
    message: `GET ${endless}/v1/catalog/brands/7: the deadline passed`,
  })
})

test('a reply of another server is named as such, and so is an address that is none', async () => {
  replies = [{ headers: { 'Content-Type': 'text/html' }, body: '<title>Sign in to the network</title>' }]
  await rejects(bozor.brands.get({ brand_id: 7 }), /the reply is not one of this API; check baseUrl/)
  for (const wrong of ['localhost:8080', 'shop.example', ''])
    throws(() => createBozor({ baseUrl: wrong }), /baseUrl must be the origin of a server/)
})

test('a page over plain HTTP, which has no crypto.randomUUID, can write', async () => {
  const { randomUUID } = crypto
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true })
  try {
    await bozor.brands.create({ slug: 'artel', name: 'Artel' })
  } finally {
    Object.defineProperty(crypto, 'randomUUID', { value: randomUUID, configurable: true })
  }
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  match(String(received[0]!.headers['idempotency-key']), uuid)
})

test('a Retry-After is waited for, also when a proxy sends it as a date', async () => {
  const soon = new Date(Math.ceil(Date.now() / 1000) * 1000 + 1000)
  replies = [{ status: 503, headers: { 'Retry-After': soon.toUTCString() }, body: '<h1>restarting</h1>' }]
  await bozor.testClock.get()
  ok(Date.now() >= soon.getTime() - 5, 'retried too early')
  const late = new Date(Date.now() + 3600_000).toUTCString()
  replies = [{ status: 503, headers: { 'Retry-After': late }, body: failure('service_unavailable') }, {}]
  await rejects(bozor.testClock.get(), { code: 'service_unavailable' })
  equal(received.length, 3)
})

test('a Retry-After that is too long is not waited for', async () => {
  replies = [{ status: 429, headers: { 'Retry-After': '3600' }, body: failure('rate_limit_exceeded') }]
  await rejects(bozor.brands.get({ brand_id: 1 }), { code: 'rate_limit_exceeded', retryAfter: 3600 })
  equal(received.length, 1)
})

test('a list is a page when awaited and all items when iterated', async () => {
  const page = (ids: string[], cursor: string | null) => ({
    body: data({
      brands: ids.map((id) => ({ id })),
      pagination: { page: 1, per_page: 2, total: 3, pages: 2, next_cursor: cursor },
    }),
  })
  replies = [page(['1', '2'], 'c2'), page(['3'], null)]
  const ids = []
  for await (const brand of bozor.brands.list({ per_page: 2 })) ids.push(brand.id)
  deepEqual(ids, ['1', '2', '3'])
  equal(received[1]!.url, '/v1/catalog/brands?per_page=2&cursor=c2')
  replies = [page(['1', '2'], 'c2')]
  const first = await bozor.brands.list()
  equal(first.items.length, 2)
  equal(first.pagination.total, 3)
})

test('an aborted request throws the reason of the signal and is not retried', async () => {
  const signal = AbortSignal.abort(new Error('the page was left'))
  await rejects(async () => await bozor.brands.list({}, { signal }), /the page was left/)
  equal(received.length, 0)
})

test('a token is requested once, reused, and renewed after a 401', async () => {
  const token = (name: string) => ({ body: { access_token: name, expires_in: 3600, scope: 'catalog:read' } })
  const client = createBozor({
    baseUrl,
    token: clientCredentials({ baseUrl, clientId: 'app_1', clientSecret: 's' }),
  })
  replies = [token('at_1'), {}, {}, { status: 401, body: failure('unauthorized') }, token('at_2'), {}]
  await Promise.all([client.testClock.get(), client.testClock.get()])
  await client.testClock.get()
  deepEqual(
    received.map((it) => it.headers.authorization ?? it.url),
    ['/oauth/token', 'Bearer at_1', 'Bearer at_1', 'Bearer at_1', '/oauth/token', 'Bearer at_2'],
  )
})

test('a refused token is an error of its own, and is not retried', async () => {
  const client = createBozor({ baseUrl, token: clientCredentials({ baseUrl, clientId: 'app_1' }) })
  replies = [{ status: 401, body: { error: 'invalid_client', error_description: 'wrong secret' } }, {}]
  await rejects(client.brands.create({ slug: 'a', name: 'A' }), {
    name: 'BozorTokenError',
    code: 'invalid_client',
    message: 'invalid_client: wrong secret',
    status: 401,
  })
  equal(received.length, 1)
})

test('a token request that got no reply is repeated, also for a write without a key', async () => {
  const client = createBozor({ baseUrl, token: clientCredentials({ baseUrl, clientId: 'app_1' }) })
  replies = [
    { destroy: true },
    { status: 502, headers: { 'Content-Type': 'text/html' }, body: '<h1>Bad gateway</h1>' },
    { body: { access_token: 'at_1', expires_in: 3600 } },
  ]
  await client.auth.login({ login: 'aziza@mail.uz', password: 'four plums in a basket' })
  deepEqual(
    received.map((it) => it.url),
    ['/oauth/token', '/oauth/token', '/oauth/token', '/v1/auth/login'],
  )
})

test('a buyer who declined is reported with the code of the callback', async () => {
  const options = { baseUrl, clientId: 'app_1', redirectUri: 'app://back' }
  const callback = 'app://back?error=access_denied&error_description=declined&state=s'
  await rejects(exchangeCode(options, { callback, state: 's', verifier: 'v' }), {
    name: 'BozorTokenError',
    code: 'access_denied',
  })
})

test('the CSRF token of any call that opens a session is sent with later writes, and handed out to keep', async () => {
  const kept: string[] = []
  const page = createBozor({ baseUrl, csrfToken: 'of the last page', onCsrfToken: (it) => kept.push(it) })
  replies = [{}, { body: data({ csrf_token: 'new' }) }, { body: data({ csrf_token: null }) }, {}, {}]
  await page.members.updateMe({ name: 'Anna' })
  await page.memberSessions.create({ email: 'anna@shop.uz', password: 'x' })
  // A repeated reply hides the token.
  await page.auth.login({ login: 'aziza@mail.uz', password: 'x' })
  await page.members.updateMe({ name: 'Olga' })
  await page.members.getMe()
  deepEqual(
    received.map((it) => it.headers['x-csrf-token']),
    ['of the last page', 'of the last page', 'new', 'new', undefined],
  )
  deepEqual(kept, ['new'])
})

const streamed = (...ids: string[]) =>
  `retry: 1000\nid: start\n\n${ids.map((id) => `id: ${id}\ndata: {"id":"${id}","type":"BrandCreated"}\n\n`).join('')}`
const sse = { headers: { 'Content-Type': 'text/event-stream' } }

test('a stream continues behind its last event, however long the server is away', async () => {
  const away = Array.from({ length: 4 }, () => ({ destroy: true }))
  replies = [
    { ...sse, body: streamed() },
    { ...sse, body: streamed('e1') },
    ...away,
    { status: 503, body: failure('service_unavailable') },
    { ...sse, stays: true, body: streamed('e2') },
  ]
  const stop = new AbortController()
  const seen: string[] = []
  for await (const event of bozor.events.stream({ signal: stop.signal }))
    if (seen.push(event.id) === 2) stop.abort()
  deepEqual(seen, ['e1', 'e2'])
  deepEqual(
    received.map((it) => it.headers['last-event-id']),
    [undefined, 'start', 'e1', 'e1', 'e1', 'e1', 'e1', 'e1'],
  )
})

test('a stream that is silent is opened again', async () => {
  let opened = 0
  const silent = await listen(
    createServer(({ headers }, response) => {
      opened++
      response.writeHead(200, sse.headers)
      response.write(streamed(headers['last-event-id'] === 'e1' ? 'e2' : 'e1'))
    }),
  )
  const seen: string[] = []
  for await (const event of createBozor({ baseUrl: silent }).events.stream({ silenceMs: 50 }))
    if (seen.push(event.id) === 2) break
  deepEqual(seen, ['e1', 'e2'])
  ok(opened > 1)
})

test('a stream that cannot be opened or is refused throws, and an aborted one ends', async () => {
  const next = (stream: AsyncGenerator<unknown>) => stream.next()
  replies = [{ destroy: true }, { destroy: true }, { destroy: true }]
  await rejects(next(bozor.events.stream()), BozorConnectionError)
  replies = [
    { ...sse, body: streamed() },
    { status: 401, body: failure('unauthorized') },
  ]
  await rejects(next(bozor.events.stream()), { code: 'unauthorized' })
  equal((await bozor.events.stream({ signal: AbortSignal.abort() }).next()).done, true)
})

test('a webhook is verified by signature and time', async () => {
  const key = Buffer.from('0123456789abcdef0123456789abcdef')
  const secret = `whsec_${key.toString('base64')}`
  const body = JSON.stringify({ id: 'e1', type: 'BrandCreated' })
  const signed = (timestamp: number) => ({
    'webhook-id': 'e1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${createHmac('sha256', key).update(`e1.${timestamp}.${body}`).digest('base64')}`,
  })
  const now = Math.floor(Date.now() / 1000)
  equal((await verifyWebhook(body, signed(now), secret)).type, 'BrandCreated')
  equal((await verifyWebhook(body, new Headers(signed(now)), ['whsec_AAAA', secret])).id, 'e1')
  await rejects(verifyWebhook(`${body} `, signed(now), secret), WebhookSignatureError)
  await rejects(verifyWebhook(body, signed(now - 600), secret), WebhookSignatureError)
  const { 'webhook-id': id, ...others } = signed(now)
  equal((await verifyWebhook(body, { ...others, 'Webhook-Id': id }, secret)).id, 'e1')
  await rejects(verifyWebhook(body, { ...signed(now), 'webhook-timestamp': 'now' }, secret), /five minutes/)
  await rejects(verifyWebhook(body, {}, secret), /webhook-id is missing/)
})
