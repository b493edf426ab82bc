// Delay from a commit to its webhook, and cost of a delivery, beside a bare row and a bare POST.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { elapsedMs } from '../src/base/clock.ts'
import { cpuSeconds, family } from './cpu.ts'
import { load } from './load.ts'
import { databaseHost, databasePid, quiet, seconds } from './measure.ts'
import { type Ours, startOurs, stop } from './ours.ts'
import type { Row } from './row.ts'

const brands = 50
const pace = 100
const atOnce = 5_000

export async function bench(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  chmodSync(dataDir, 0o755)
  const ours = await startOurs(dataDir)
  const receiver = await openReceiver()
  try {
    await quiet(() => [ours.child.pid!])
    const floor = await bareCommitAndPost(dataDir, receiver.url)
    const body = { url: receiver.url, filters: ['Brand*'] }
    await send(ours, 'POST', '/v1/webhooks', body)
    return [
      await receipt(ours, receiver, floor),
      await cost(ours, receiver, () => [ours.child.pid!, ...family(databasePid(dataDir))]),
    ]
  } finally {
    receiver.close()
    await stop(ours.child)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

interface Receiver {
  url: string
  /** When each event happened and when it arrived, by the machine's clock. */
  got: { happenedMs: number; cameMs: number }[]
  close(): void
}

async function openReceiver(): Promise<Receiver> {
  const got: Receiver['got'] = []
  const server = createServer((call, reply) => {
    const cameMs = Date.now()
    let text = ''
    call.setEncoding('utf8')
    call.on('data', (piece: string) => (text += piece))
    call.on('end', () => {
      reply.writeHead(204).end()
      got.push({ happenedMs: Date.parse((JSON.parse(text) as { time: string }).time), cameMs })
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, got, close: () => server.closeAllConnections() }
}

async function send(ours: Ours, method: string, path: string, body: unknown): Promise<string> {
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
  const reply = await fetch(ours.url + path, {
    method,
    headers: { authorization: `Bearer ${ours.testKey}`, 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(text)
  return text
}

const part = (all: number[], at: number): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length * at)]!

/** At a steady pace, from the instant of the change, which lies before its commit, to the arrival of its event. */
async function receipt(ours: Ours, receiver: Receiver, floor: number): Promise<Row> {
  const firstId = 1_000_000
  await importBrands(ours, firstId, brands)
  await arrived(receiver, brands)
  receiver.got.length = 0
  const head = `Host: x\r\nAuthorization: Bearer ${ours.testKey}\r\nContent-Type: application/json\r\n`
  const { requests } = await load({
    url: ours.url,
    connections: 4,
    seconds: 2 * seconds,
    perSecond: pace,
    expect: 200,
    request: (number) => {
      const body = JSON.stringify({ name: `Name ${number}` })
      return `PATCH /v1/catalog/brands/${firstId + (number % brands)} HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`
    },
  })
  await arrived(receiver, requests)
  const waits = receiver.got.map((it) => it.cameMs - it.happenedMs)
  return {
    name: 'from a commit to its arrival at a webhook, p99',
    ours: part(waits, 0.99),
    unit: 'ms',
    floor,
    bar: '≤ 1000',
    note: `${pace} changes a second; half of them within ${part(waits, 0.5)} ms; floor: a bare row and a bare POST`,
  }
}

/** Many events at once to one webhook, each of a subject of its own. */
async function cost(ours: Ours, receiver: Receiver, watched: () => number[]): Promise<Row> {
  receiver.got.length = 0
  const [before, began] = [cpuSeconds(watched()), elapsedMs()]
  await importBrands(ours, 2_000_000, atOnce)
  await arrived(receiver, atOnce)
  const cpuMs = (1000 * (cpuSeconds(watched()) - before)) / atOnce
  return {
    name: 'a delivery with its log',
    ours: cpuMs,
    unit: 'ms of CPU',
    note: `server and database, including the import that causes it; ${Math.round((1000 * atOnce) / (elapsedMs() - began))} a second to one webhook`,
  }
}

async function importBrands(ours: Ours, firstId: number, count: number): Promise<void> {
  const line = (_: unknown, at: number) =>
    JSON.stringify({ record: 'brand', id: firstId + at, slug: `bench-${firstId + at}`, name: 'Bench' })
  await send(ours, 'POST', '/v1/catalog/import', Array.from({ length: count }, line).join('\n'))
}

async function arrived(receiver: Receiver, count: number): Promise<void> {
  while (receiver.got.length < count) await new Promise((done) => setTimeout(done, 20))
}

/** One after the other at the same pace: a row is committed, and then its text is posted. */
async function bareCommitAndPost(dataDir: string, url: string): Promise<number> {
  const client = new pg.Client({ host: databaseHost(dataDir), user: 'bozor', database: 'bozor' })
  await client.connect()
  await client.query('create table public.bare (id int8 generated always as identity, text text not null)')
  const agent = new Agent({ keepAlive: true })
  const body = JSON.stringify({ time: new Date(0).toISOString(), data: 'x'.repeat(250) })
  const post = () =>
    new Promise<void>((done, fail) => {
      const call = request(url, { method: 'POST', agent, headers: { 'content-length': body.length } })
      call.on('response', (reply) => reply.resume().on('end', done))
      call.on('error', fail).end(body)
    })
  const waits: number[] = []
  const began = elapsedMs()
  for (let number = 0; number < pace * seconds; number++) {
    const due = began + (number * 1000) / pace
    await new Promise((done) => setTimeout(done, Math.max(0, due - elapsedMs())))
    const at = elapsedMs()
    await client.query({ name: 'bare', text: 'insert into public.bare (text) values ($1)', values: [body] })
    await post()
    waits.push(elapsedMs() - at)
  }
  await client.query('drop table public.bare')
  await client.end()
  agent.destroy()
  return part(waits, 0.99)
}
