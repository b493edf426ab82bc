// A complete platform for a test: both environments, the server and API keys, on its own database.

import { after } from 'node:test'
import type pg from 'pg'
import { type App, openApp } from '../../src/app.ts'
import { elapsedMs } from '../../src/base/clock.ts'
import { readConfig } from '../../src/base/config.ts'
import type { Environment } from '../../src/base/database.ts'
import type { Job } from '../../src/base/jobs.ts'
import { type Log, silentLog } from '../../src/base/log.ts'
import type { Reaction } from '../../src/base/outbox.ts'
import type { RecordKind } from '../../src/base/records/record-kind.ts'
import { memoryCounter, type RateCounter } from '../../src/http/rate-limit.ts'
import type { Timeouts } from '../../src/http/server.ts'
import type { Route } from '../../src/http/route.ts'
import { type Scope, scopes as allScopes } from '../../src/http/scopes.ts'
import {
  type ApplicationType,
  type FindClientsWithData,
  registerApplication,
} from '../../src/identity/index.ts'
import { faultyEvents } from './checked-events.ts'
import { checkRepliesOf, openReplyCheck, type ReplyCheck } from './checked-replies.ts'
import { freshDatabase } from './database.ts'

export interface TestPlatform {
  app: App
  connection: pg.PoolConfig
  /** The address of the server. */
  url: string
  /** Keys with every scope. */
  keys: Record<Environment, string>
  call(method: string, path: string, options?: CallOptions): Promise<Reply>
  makeKey(options?: {
    environment?: Environment
    scopes?: readonly Scope[]
    rateLimit?: string
    type?: ApplicationType
  }): Promise<string>
}

export interface CallOptions {
  /** The API key; by default that of the test environment, null for none. */
  key?: string | null
  body?: unknown
  /** Sent unchanged instead of `body`. */
  raw?: string | Uint8Array
  headers?: Record<string, string>
}

export interface Reply {
  status: number
  headers: Headers
  /** The body as received. */
  text: string
  // Untyped: tests read the fields they expect, and a wrong name fails the test.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

/** Encrypts stored secrets in tests; not a real secret. */
export const testSecretKey = '0'.repeat(64)

/** None of a platform whose database the test has taken away. */
async function faultyEventsOf({ shops }: App): Promise<string[]> {
  const checks = Object.values(shops).map((it) => faultyEvents(it.db.read()).catch(() => []))
  return (await Promise.all(checks)).flat()
}

export async function openPlatform(
  options: {
    env?: Record<string, string>
    routes?: Route[]
    reactions?: Reaction[]
    clientsWithData?: FindClientsWithData
    jobs?: Job[]
    recordKinds?: RecordKind[]
    counter?: RateCounter
    timeouts?: Partial<Timeouts>
    /** Silent by default. */
    log?: Log
    /** The host to listen on; loopback by default. */
    host?: string
    /** An existing database, for a second server. */
    connection?: pg.PoolConfig
  } = {},
): Promise<TestPlatform> {
  const connection = options.connection ?? (await freshDatabase())
  const app = openApp({
    config: readConfig({ RATE_LIMIT: 'none', SECRET_KEY: testSecretKey, ...options.env }),
    connection,
    log: options.log ?? silentLog(),
    version: '0.0.0-test',
    counter: options.counter ?? memoryCounter(elapsedMs),
    checkReplies: true,
    ...(options.routes && { routes: options.routes }),
    ...(options.reactions && { reactions: options.reactions }),
    ...(options.clientsWithData && { clientsWithData: options.clientsWithData }),
    ...(options.jobs && { jobs: options.jobs }),
    ...(options.recordKinds && { recordKinds: options.recordKinds }),
    // Tests run in the same process, so event loop delays do not mean that the server is overloaded.
    timeouts: { loopDelays: 'tolerate', ...options.timeouts },
  })
  const checkReply = replyCheckOfFile()
  const faultyReplies = checkReply && checkRepliesOf(app.server.fastify.server, checkReply)
  await app.start()
  const url = await app.server.listen({ host: options.host ?? '127.0.0.1', port: 0 })
  after(async () => {
    const faulty = await faultyEventsOf(app)
    await app.close()
    const report = [
      ...(faultyReplies?.() ?? []).map((it) => `differs from docs/openapi.json: ${it}`),
      ...faulty.map((it) => `differs from src/events.ts: ${it}`),
    ]
    // Not thrown: that would skip the hooks which close browsers and servers.
    for (const line of report) console.error(line)
    if (report.length > 0) process.exitCode = 1
  })

  const makeKey: TestPlatform['makeKey'] = async ({
    environment = 'test',
    scopes = allScopes,
    rateLimit,
    type = 'server',
  } = {}) => {
    const record = { name: 'test', type, scopes: [...scopes], redirectUrls: [], rateLimit: rateLimit ?? null }
    return (await app.shops[environment].db.transaction((tx) => registerApplication(tx, record, null))).apiKey
  }
  const keys = { live: await makeKey({ environment: 'live' }), test: await makeKey() }
  const call: TestPlatform['call'] = (method, path, given = {}) =>
    callAt(url, method, path, { key: keys.test, ...given })
  return { app, connection, url, keys, call, makeKey }
}

/** Every reply of these tests is compared with the OpenAPI document. */
const checkedTests = /[\\/]test[\\/](faults|flows|web)[\\/]/
/** Compiled once for all files of a process. */
let replyCheck: ReplyCheck | undefined

function replyCheckOfFile(): ReplyCheck | undefined {
  return checkedTests.test(process.argv[1] ?? '') ? (replyCheck ??= openReplyCheck()) : undefined
}

export async function callAt(
  url: string,
  method: string,
  path: string,
  options: CallOptions,
): Promise<Reply> {
  const sent = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
  const reply = await fetch(url + path, {
    method,
    headers: {
      ...(options.key && { authorization: `Bearer ${options.key}` }),
      ...(sent !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(sent !== undefined && { body: sent as string }),
  })
  // A stream does not end; tests that read one open it themselves.
  const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream')
  if (isStream) await reply.body?.cancel()
  const text = isStream ? '' : await reply.text()
  const isJson = reply.headers.get('content-type')?.startsWith('application/json')
  const body = isJson && text ? JSON.parse(text) : undefined
  return { status: reply.status, headers: reply.headers, text, body }
}
