// Every operation's example in the reference is executed against a demo shop: at night in curl, TypeScript and Python, else
// in one of them, by turns.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, test } from 'node:test'
import { openApi, type RecordedCall } from '../../src/http/openapi.ts'
import { oauthOpenApi } from '../../src/identity/index.ts'
import { operationId } from '../../src/http/operation-id.ts'
import { operationsOf } from '../../src/reference/operation.ts'
import { referenceDocument } from '../../src/reference/pages.ts'
import { recordedExamples } from '../../src/reference/recorded-examples.ts'
import { type Call, isStream, snippetsOf } from '../../src/reference/snippets.ts'
import { about, tags } from '../../src/reference/tags.ts'
import { openDemoShop } from '../examples/demo-shop.ts'
import { masked } from '../examples/masks.ts'
import { openNormalProxy } from '../examples/normal-proxy.ts'
import { type Executed, Recorder } from '../examples/recorder.ts'
import { openSnippetRunner, type Reader } from '../examples/snippet-runner.ts'
import { recordAll } from '../examples/steps.ts'
import { isNightly } from '../support/nightly.ts'

const shop = await openDemoShop({ dataDir: process.env['BOZOR_TEST_DATA_DIR']!, historyParts: 1 })
const proxy = await openNormalProxy(shop.url)
const { url } = proxy
const runner = openSnippetRunner()
after(async () => {
  runner.close()
  proxy.close()
  await shop.close()
})

const document = referenceDocument(shop.app.routes, { version: '1', origin: url })
const calls = document.tags.flatMap((it) => operationsOf(document, it.name))
const reader: Reader = {
  key: shop.apiKey,
  cookies: new Map(),
  signedIn: undefined,
  idempotencyKey: undefined,
}

let turn = 0

async function faultsOf(call: Call, by: Reader): Promise<string[]> {
  const faults: string[] = []
  const snippets = snippetsOf(call, url)
  for (const snippet of isNightly ? snippets : [snippets[turn++ % snippets.length]!]) {
    const fault = await runner.faultOf(snippet, by)
    const title = `${call.operation.operationId} in ${snippet.title}`
    if (fault !== undefined) faults.push(`${title}: ${fault}\n${snippet.code}`)
  }
  return faults
}

const executed = new Set<string>()

test('the examples of reads work in a fresh demo shop as they are printed', async () => {
  const reads = calls.filter((it) => it.method === 'GET' && !isStream(it) && !it.operation['x-example'])
  const faults: string[] = []
  for (const call of reads) {
    faults.push(...(await faultsOf(call, reader)))
    executed.add(call.operation.operationId)
  }
  equal(faults.join('\n'), '')
})

test('the example of the stream prints the first event', async () => {
  const stream = calls.find(isStream)!
  let renames = 0
  const publish = setInterval(
    () =>
      void fetch(`${url}/v1/catalog/brands/1`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${shop.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `Artel ${++renames}` }),
      }),
    100,
  )
  const faults = await faultsOf(stream, reader).finally(() => clearInterval(publish))
  executed.add(stream.operation.operationId)
  equal(faults.join('\n'), '')
})

/** The call with other values in its form and its query. */
const withValues = (call: Call, values: Record<string, string>): Call => ({
  ...call,
  parameters: call.parameters.map((it) => ({ ...it, ...(values[it.name] && { example: values[it.name] }) })),
  operation: {
    ...call.operation,
    ...(call.operation.requestBody && {
      requestBody: {
        ...call.operation.requestBody,
        content: Object.fromEntries(
          Object.entries(call.operation.requestBody.content).map(([type, it]) => [
            type,
            { ...it, example: { ...(it.example as object), ...values } },
          ]),
        ),
      },
    }),
  },
})

test('the examples of OAuth work with the credentials of an application', async () => {
  const registered = async (body: object) => {
    const reply = await fetch(`${url}/v1/admin/applications`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    equal(reply.status, 201)
    const { application, client_secret } = ((await reply.json()) as { data: Record<string, unknown> }).data
    const { client_id } = application as { client_id: string }
    return { client_id, client_secret: client_secret as string }
  }
  const server = await registered({ name: 'Server', type: 'server', scopes: ['catalog:read'] })
  const redirect_urls = ['https://shop.example/callback']
  const web = await registered({
    name: 'Web',
    type: 'web',
    scopes: ['cart:read', 'orders:read'],
    redirect_urls,
  })
  const granted = await fetch(`${shop.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', ...server }),
  })
  const { access_token: token } = (await granted.json()) as { access_token: string }
  const values: Record<string, Record<string, string>> = {
    authorize: { client_id: web.client_id },
    token: server,
    introspect: { ...server, token },
    revoke: { ...server, token },
    serverMetadata: {},
  }
  const extraPaths = oauthOpenApi
  const oauth = operationsOf(referenceDocument([], { version: '1', origin: shop.url, extraPaths }), 'OAuth')
  deepEqual(oauth.map((it) => it.operation.operationId).toSorted(), Object.keys(values).toSorted())
  for (const call of oauth)
    for (const snippet of snippetsOf(withValues(call, values[call.operation.operationId]!), shop.url))
      equal(await runner.faultOf(snippet, reader), undefined, snippet.code)
})

/** Calls that use something up, such as a token or a session: a repetition is refused, and says so. */
const usedUp: Record<string, RegExp> = {
  'members.acceptInvitation': /not_found|Не найдено/,
  'memberSessions.completePasswordReset': /validation_failed|token/,
  'memberSessions.deleteCurrent': /unauthorized|token_revoked|revoked|отозван/,
  'auth.completePasswordReset': /validation_failed|token/,
  'auth.logout': /unauthorized|token_revoked|revoked|отозван/,
}

const recorder = new Recorder(url, runExamples)
const routes = new Map(shop.app.routes.map((it) => [operationId(it.method, it.path), it]))
const writeFaults: string[] = []

/** The examples of the operation with the ids of this shop, sent as the recorded call was. */
async function runExamples({ name, call, headers, cookies, signedIn }: Executed): Promise<void> {
  if (executed.has(name)) return
  executed.add(name)
  const options = { version: '1', origin: url, about, tags, examples: { [name]: call } }
  const single = openApi([routes.get(name)!], options)
  const [made] = single.tags.flatMap((it) => operationsOf(single, it.name))
  const faults = await faultsOf(made!, {
    key: headers['Authorization']?.slice('Bearer '.length) ?? shop.apiKey,
    cookies,
    signedIn,
    idempotencyKey: headers['Idempotency-Key'],
  })
  writeFaults.push(...faults.filter((it) => !usedUp[name]?.test(it)))
}

test('all other examples work when what they need has been done', async () => {
  await recordAll({ ...shop, url, bozor: recorder.client({ apiKey: shop.apiKey }), recorder })
  equal(writeFaults.join('\n'), '')
})

test('no operation is left out', () => {
  const names = calls.map((it) => it.operation.operationId)
  deepEqual(
    names.filter((it) => !executed.has(it)),
    [],
  )
  ok(names.length > 300)
})

test('the printed examples are those that the steps send', () => {
  // Ids and instants differ between shops, so values are compared by their types.
  const typesOf = (_: string, it: unknown) => (it === null || typeof it === 'object' ? it : typeof it)
  const requestOf = ({ params, query, body, credential, needs = [] }: RecordedCall) =>
    JSON.stringify({ params, query, body, credential }, typesOf) + JSON.stringify(needs)
  const printed = recordedExamples(url)
  const sent = masked(recorder.calls, { url, startMs: shop.startMs })
  const stale = Object.keys(sent).filter(
    (it) => !printed[it] || requestOf(sent[it]!) !== requestOf(printed[it]),
  )
  deepEqual(stale, [], 'npm run record:examples')
})
