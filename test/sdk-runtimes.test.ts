// The built SDK under Deno and Bun against a server: retries, errors, paging, tokens, the event stream and webhooks.
// A runtime that is not on the PATH is skipped; `npm install --prefix FOLDER deno bun` brings both, in
// FOLDER/node_modules/.bin.

import { deepEqual, equal } from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newSigningSecret, signatureHeaders } from '../src/base/signature.ts'
import { buildSdk } from './build-sdk.ts'
import { newApplication } from './support/oauth.ts'
import { ending } from './support/process.ts'
import { openPlatform } from './support/shop.ts'
import { openStock } from './support/stock.ts'

const program = `import { BozorError, clientCredentials, createBozor, verifyWebhook } from 'bozor/sdk'

const given = JSON.parse(globalThis.Deno ? Deno.env.get('GIVEN') : process.env.GIVEN)
const { baseUrl, apiKey, offer } = given
const bozor = createBozor({ baseUrl, apiKey, language: 'en' })
const result = {}

const slugs = ['one', 'two', 'three'].map((it) => given.runtime + '-' + it)
const stop = new AbortController()
const events = bozor.events.stream({ type: 'BrandCreated', signal: stop.signal })
const first = events.next()
const { items: [before] } = await bozor.events.list({ sort: '-position', per_page: 1 })
for (const slug of slugs) await bozor.brands.create({ slug, name: slug })
// The stream may have begun after the first brands.
const replay = bozor.events.stream({ type: 'BrandCreated', ...(before && { lastEventId: before.id }), signal: stop.signal })
result.streamed = (await replay.next()).value.type
stop.abort()
await first.catch(() => undefined)

result.listed = []
for await (const { slug } of bozor.brands.list({ per_page: 2 })) if (slugs.includes(slug)) result.listed.push(slug)

const { session_id: SessionId } = await bozor.auth.createGuestSession()
try {
  await bozor.cart.addItem({ SessionId, OfferId: offer, Quantity: 50 })
} catch (e) {
  if (e instanceof BozorError && e.code === 'stock_exceeded') result.available = e.details.available
}
const token = clientCredentials({ baseUrl, clientId: given.clientId, clientSecret: given.clientSecret })
result.brands = (await createBozor({ baseUrl, token }).brands.list()).items.length > 0
result.webhook = (await verifyWebhook(given.body, given.headers, given.secret)).type
result.forged = await verifyWebhook(given.body + ' ', given.headers, given.secret).catch((it) => it.name)
console.log(JSON.stringify(result))
`

const runtimes = [
  { name: 'node', args: ['main.js'] },
  { name: 'deno', args: ['run', '--allow-net', '--allow-env', '--allow-read', 'main.js'] },
  { name: 'bun', args: ['run', 'main.js'] },
]

const project = mkdtempSync(join(tmpdir(), 'bozor-runtimes-'))
after(() => rmSync(project, { recursive: true }))
mkdirSync(join(project, 'node_modules'))
buildSdk(join(project, 'built'))
cpSync(join(project, 'built'), join(project, 'node_modules/bozor'), { recursive: true })
writeFileSync(join(project, 'package.json'), '{"type":"module"}')
writeFileSync(join(project, 'main.js'), program)

const platform = await openPlatform()
const offer = await (await openStock(platform)).offer({ price: 1_000, quantity: 2 })
const application = await newApplication(platform, { type: 'server', scopes: ['catalog:read'] })
const secret = newSigningSecret()
const body = JSON.stringify({ id: 'e1', type: 'BrandCreated' })

for (const { name, args } of runtimes) {
  const isMissing = spawnSync(name, ['--version']).status !== 0
  test(`the SDK works under ${name}`, { skip: isMissing && `${name} is not on the PATH` }, async () => {
    const given = {
      runtime: name,
      baseUrl: platform.url,
      apiKey: platform.keys.test,
      offer,
      clientId: application.id,
      clientSecret: application.secret,
      secret,
      body,
      headers: signatureHeaders({ id: 'e1', body, at: new Date() }, [secret]),
    }
    const { code, stdout, stderr } = await ending(
      spawn(name, args, { cwd: project, env: { ...process.env, GIVEN: JSON.stringify(given) } }),
    )
    equal(code, 0, stderr)
    deepEqual(JSON.parse(stdout.trim().split('\n').at(-1)!), {
      streamed: 'BrandCreated',
      listed: ['one', 'three', 'two'].map((it) => `${name}-${it}`),
      available: 2,
      brands: true,
      webhook: 'BrandCreated',
      forged: 'WebhookSignatureError',
    })
  })
}
