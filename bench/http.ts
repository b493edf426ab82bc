// What a request costs: a cached read and an idempotent write, beside the simplest servers and bare statements.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { bareServer } from './bare.ts'
import { cpuSeconds, family, residentMegabytes } from './cpu.ts'
import { databaseHost, databasePid, measure, quiet, seconds, warmUp } from './measure.ts'
import { type Ours, startOurs, stop } from './ours.ts'
import type { Row } from './row.ts'

/** As a person starts it first: the demo shop is loaded. */
const withDemo = { DEMO: 'true' }

export async function bench(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  chmodSync(dataDir, 0o755)
  const began = performance.now()
  const first = await startOurs(dataDir, withDemo)
  const firstStart = (performance.now() - began) / 1000
  await stop(first.child)
  const again = performance.now()
  const ours = await startOurs(dataDir, withDemo)
  const laterStart = (performance.now() - again) / 1000
  const processes = () => [...family(ours.child.pid!), ...family(databasePid(dataDir))]
  await quiet(processes)
  const memory = residentMegabytes(ours.child.pid!)
  try {
    return [
      { name: 'first start, empty directory', ours: firstStart, unit: 's', bar: '≤ 8' },
      { name: 'later start', ours: laterStart, unit: 's', bar: '≤ 3' },
      { name: 'server memory after start', ours: memory, unit: 'MB', bar: '≤ 150' },
      ...(await reads(ours)),
      ...(await writes(ours, dataDir)),
    ]
  } finally {
    await stop(ours.child)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function reads(ours: Ours): Promise<Row[]> {
  const path = '/v1/catalog/categories?per_page=20'
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ours.key}\r\n\r\n`
  const reply = await fetch(ours.url + path, { headers: { authorization: `Bearer ${ours.key}` } })
  const size = (await reply.text()).length
  const measured = await measure(ours.url, [ours.child.pid!], { request: () => request, expect: 200 })
  const bareRequest = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
  const fastify = await bareServer('fastify', size, { request: bareRequest })
  const node = await bareServer('node', size, { request: bareRequest })
  return [
    {
      name: 'read 20 categories',
      ours: measured.perSecond,
      unit: 'calls/s',
      floor: fastify.perSecond,
      bar: '≥ 30 % of bare Fastify',
      note: `${Math.round((100 * measured.perSecond) / fastify.perSecond)} %; bare node:http ${Math.round(node.perSecond)}; p99 ${measured.p99Ms.toFixed(1)} ms; ${size} bytes`,
    },
    {
      name: 'read 20 categories, CPU',
      ours: measured.cpuMs,
      unit: 'ms/call',
      floor: fastify.cpuMs,
      bar: '≤ 0.25',
    },
  ]
}

async function writes(ours: Ours, dataDir: string): Promise<Row[]> {
  const postmaster = databasePid(dataDir)
  let number = 0
  const request = () => {
    const body = `{"slug":"bench-${++number}","name":"Bench ${number}"}`
    return `POST /v1/catalog/brands HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ours.key}\r\nContent-Type: application/json\r\nIdempotency-Key: bench-${number}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
  const measured = await measure(ours.url, () => [ours.child.pid!, ...family(postmaster)], {
    request,
    expect: 201,
  })
  const floor = await bareStatements(dataDir, postmaster)
  return [
    {
      name: 'idempotent write of a brand',
      ours: measured.perSecond,
      unit: 'calls/s',
      floor: floor.perSecond,
      note: `floor: the same statements through the bare driver; p99 ${measured.p99Ms.toFixed(1)} ms`,
    },
    {
      name: 'idempotent write, CPU of server and database',
      ours: measured.cpuMs,
      unit: 'ms/call',
      floor: floor.cpuMs,
      bar: '≤ 0.9',
    },
  ]
}

/** The statements of one write, named and prepared, without a server. */
const statements: [string, (n: number) => unknown[]][] = [
  [
    `insert into live.idempotency_records (principal, key, fingerprint, created_at) values ('floor', $1, '\\x00', now()) on conflict do nothing returning 1`,
    (n) => [`floor-${n}`],
  ],
  [`select nextval('live.catalog_brands_id_seq') as id`, () => []],
  [
    `insert into live.catalog_brands (slug, name, created_at, updated_at) values ($1, $1, now(), now()) returning *`,
    (n) => [`floor-${n}`],
  ],
  [
    `insert into live.outbox_events (event_id, type, subject, fields, occurred_at) values (gen_random_uuid(), 'BrandCreated', $1, '{}', now())`,
    (n) => [`brand/${n}`],
  ],
  [
    `update live.idempotency_records set status = 201, headers = '{}', body = $2 where principal = 'floor' and key = $1`,
    (n) => [`floor-${n}`, 'x'.repeat(300)],
  ],
]

async function bareStatements(
  dataDir: string,
  postmaster: number,
): Promise<{ perSecond: number; cpuMs: number }> {
  const pool = new pg.Pool({ host: databaseHost(dataDir), user: 'bozor', database: 'bozor', max: 10 })
  let done = 0
  const writeFor = async (length: number) => {
    const until = performance.now() + length * 1000
    const loop = async () => {
      while (performance.now() < until) {
        const client = await pool.connect()
        const number = done++
        await client.query('begin')
        for (const [text, values] of statements)
          await client.query({ name: text.slice(0, 40), text, values: values(number) })
        await client.query('commit')
        client.release()
      }
    }
    await Promise.all(Array.from({ length: 10 }, loop))
  }
  // Connections are processes of the database: they must be there before they are watched.
  await writeFor(warmUp)
  const watched = [process.pid, ...family(postmaster)]
  const [before, began, first] = [cpuSeconds(watched), performance.now(), done]
  await writeFor(seconds)
  const calls = done - first
  const result = {
    perSecond: calls / ((performance.now() - began) / 1000),
    cpuMs: (1000 * (cpuSeconds(watched) - before)) / calls,
  }
  await pool.end()
  return result
}
