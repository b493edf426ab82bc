// Every example of every operation, in three languages, sends the request that was recorded.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { stripTypeScriptTypes } from 'node:module'
import { test } from 'node:test'
import { allRoutes } from '../../test/support/routes.ts'
import { type BozorOptions, createBozor } from '../sdk/index.ts'
import { operationsOf } from './operation.ts'
import { referenceDocument } from './pages.ts'
import { addressOf, type Call, isStream, signInOf, snippetsOf } from './snippets.ts'

const origin = 'https://shop.example'
const document = referenceDocument(await allRoutes(), { version: '1', origin })
/** Streams and files are left to test/flows/examples.test.ts, which runs every example against a server. */
const isPlain = (call: Call): boolean => !isStream(call) && !call.path.endsWith('/pictures')
const calls = document.tags.flatMap((it) => operationsOf(document, it.name)).filter(isPlain)

interface Sent {
  method: string
  address: string
  type: string | undefined
  body: unknown
}

/** What the example of the document is, whatever language it is written in. */
function expected(call: Call): Sent {
  const [type, content] = Object.entries(call.operation.requestBody?.content ?? {})[0] ?? []
  const url = new URL(origin + addressOf(call))
  url.searchParams.sort()
  return { method: call.method, address: url.href, type, body: bodyOf(type, content?.example) }
}

const sentAs = (
  method: string,
  address: string,
  type: string | undefined,
  text: string | undefined,
): Sent => {
  const url = new URL(address)
  url.searchParams.sort()
  return { method, address: url.href, type, body: bodyOf(type, text) }
}

/** JSON that is sent as text is compared as JSON. */
const bodyOf = (type: string | undefined, body: unknown): unknown =>
  type === 'application/json' && typeof body === 'string' ? (JSON.parse(body) as unknown) : body

const variables = { BOZOR_KEY: 'ak_test_x', BOZOR_LOGIN: 'a', BOZOR_EMAIL: 'a', BOZOR_PASSWORD: 'b' }

test('the TypeScript examples send the recorded requests', async () => {
  for (const call of calls) {
    const { code } = snippetsOf(call, origin)[1]!
    let sent: Sent | undefined
    let count = 0
    const recording: typeof fetch = (input, init = {}) => {
      const {
        method = 'GET',
        body,
        headers,
      } = init as { method?: string; body?: string; headers: Record<string, string> }
      count++
      sent = sentAs(method, input as string, headers['Content-Type'], body)
      return Promise.resolve(Response.json({ success: true, data: { pagination: {} } }))
    }
    const lines = stripTypeScriptTypes(code).replace(/^import .*\n/, '')
    // oxlint-disable-next-line typescript/no-implied-eval -- the example is code
    const run = new Function('createBozor', 'process', `return (async () => {${lines}; return reply})()`) as (
      ...given: unknown[]
    ) => Promise<unknown>
    const create = (options: BozorOptions) => createBozor({ ...options, fetch: recording })
    await run(create, { env: variables })
    equal(count, signInOf(call) ? 2 : 1, code)
    const wanted = expected(call)
    // A field that may also be sent in the body is sent in the query.
    if (call.method === 'DELETE' && wanted.body !== undefined) {
      equal(sent?.method, 'DELETE')
      continue
    }
    deepEqual({ ...sent, type: sent?.type && wanted.type }, wanted, code)
  }
})

test('the curl examples send the recorded requests', () => {
  for (const call of calls) {
    const parts = snippetsOf(call, origin)[0]!.code.split('\n\n')
    const code = parts.at(-1)!
    equal(parts.length, signInOf(call) ? 2 : 1, code)
    const words = shellWords(code.replace('$(openssl rand -hex 16)', 'key').replace('$BOZOR_KEY', 'key'))
    const valueOf = (flag: string) => words[words.indexOf(flag) + 1]
    const headers = words.flatMap((it, at) => (words[at - 1] === '-H' ? [it.split(': ')] : []))
    const type = headers.find(([name]) => name === 'Content-Type')?.[1]
    const data = ['-d', '--data-binary'].find((it) => words.includes(it))
    const method = words.includes('-X') ? valueOf('-X')! : data ? 'POST' : 'GET'
    const address = words.find((it) => it.startsWith(origin))!
    deepEqual(sentAs(method, address, type, data && valueOf(data)), expected(call), code)
    ok(call.operation.security.length === 0 || /Bearer|cookies/.test(code), code)
  }
})

/** Words of a command with single and double quotes and continued lines. */
const shellWords = (command: string): string[] =>
  [...command.replaceAll('\\\n', ' ').matchAll(/(?:'[^']*'|"[^"]*"|\\'|[^\s'"\\])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"|\\(')/g, (_, single, double, quote) =>
      String(single ?? double ?? quote),
    ),
  )

const hasPython = spawnSync('python3', ['--version']).status === 0

test('the Python examples send the recorded requests', { skip: !hasPython && 'no python3' }, () => {
  const program = `
import json, sys, types, os
for name in ["KEY", "LOGIN", "EMAIL", "PASSWORD"]: os.environ["BOZOR_" + name] = "x"
from urllib.parse import urlencode
sent = []
def take(method):
  def call(url, params=None, headers=None, json=None, data=None):
    sent.append({"method": method, "url": url, "params": {k: str(v) for k, v in (params or {}).items()}, "type": (headers or {}).get("Content-Type"), "json": json, "data": data.decode() if data else None})
  return call
module = types.ModuleType("requests")
class Session: pass
for name in ["get", "post", "put", "patch", "delete"]:
  setattr(module, name, take(name.upper()))
  setattr(Session, name, staticmethod(take(name.upper())))
module.Session = Session
sys.modules["requests"] = module
counts = []
for code in json.load(sys.stdin):
  before = len(sent)
  exec(code, {})
  counts.append(len(sent) - before)
  del sent[before:-1]
print(json.dumps({"sent": sent, "counts": counts}))
`
  const codes = calls.map((it) => snippetsOf(it, origin)[2]!.code)
  const done = spawnSync('python3', ['-c', program], { input: JSON.stringify(codes), encoding: 'utf8' })
  equal(done.status, 0, done.stderr)
  const { sent, counts } = JSON.parse(done.stdout) as {
    sent: {
      method: string
      url: string
      params: Record<string, string>
      type: string | null
      json: unknown
      data: string | null
    }[]
    counts: number[]
  }
  deepEqual(
    counts,
    calls.map((it) => (signInOf(it) ? 2 : 1)),
  )
  for (const [at, call] of calls.entries()) {
    const { method, url, params, json, data } = sent[at]!
    const wanted = expected(call)
    const query = new URLSearchParams(params).toString()
    const body = bodyOf(wanted.type, json ?? data ?? undefined)
    const { address } = sentAs(method, query ? `${url}?${query}` : url, undefined, undefined)
    deepEqual(
      { method, address, body },
      { method: wanted.method, address: wanted.address, body: wanted.body },
    )
  }
})
