// Whether a second node on the same database serves more: searches that only the API's process works for. Both nodes and
// the load share this machine's cores, so the factor is below that of two machines.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fill } from './catalog.ts'
import { cpuSeconds, family } from './cpu.ts'
import { load } from './load.ts'
import { databaseHost, databasePid, quiet, seconds, warmUp } from './measure.ts'
import { startOurs, stop } from './ours.ts'
import type { Row } from './row.ts'

const products = 10_000
const connections = 16
const secretKey = Buffer.alloc(32, 7).toString('base64')

export async function bench(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  chmodSync(dataDir, 0o755)
  const empty = await startOurs(dataDir, { SECRET_KEY: secretKey })
  await fill(dataDir, products)
  await stop(empty.child)
  const first = await startOurs(dataDir, { SECRET_KEY: secretKey })
  const second = await startSecond(dataDir)
  try {
    const database = databasePid(dataDir)
    await quiet(() => [first.child.pid!, second.child.pid!, ...family(database)])
    const search = (url: string, run: number) => ({
      url,
      connections,
      expect: 200,
      request: (number: number) =>
        `GET /v1/catalog/products/search?q=${queries[number % queries.length]}&price_min=${run * 1_000_000 + number} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${empty.key}\r\n\r\n`,
    })
    for (const [at, url] of [first.url, second.url].entries())
      await load({ ...search(url, at), seconds: warmUp })
    const one = await load({ ...search(first.url, 2), seconds })
    const before = cpuSeconds(family(database))
    const both = await Promise.all(
      [first.url, second.url].map((url, at) => load({ ...search(url, 3 + at), seconds })),
    )
    const databaseShare = (cpuSeconds(family(database)) - before) / seconds
    const perSecond = both.reduce((sum, it) => sum + it.perSecond, 0)
    return [
      {
        name: 'searches a second by two nodes, as a multiple of one',
        ours: perSecond / one.perSecond,
        unit: '×',
        bar: '≥ 1.6',
        note: `${Math.round(one.perSecond)}/s by one, ${Math.round(perSecond)}/s by two; PostgreSQL uses ${databaseShare.toFixed(2)} cores; p99 ${Math.max(...both.map((it) => it.p99Ms)).toFixed(0)} ms`,
      },
    ]
  } finally {
    await stop(second.child)
    await stop(first.child)
    for (const folder of [dataDir, second.folder]) rmSync(folder, { recursive: true, force: true })
  }
}

const queries = ['смартфон', 'холодилник', 'smartfon qora', 'washing machine', 'чайник белый'].map(
  encodeURIComponent,
)

/** A node with a folder of its own, on the database of the first. */
async function startSecond(dataDir: string) {
  const folder = mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  const child = spawn(process.execPath, ['src/main.ts', 'start'], {
    env: {
      ...process.env,
      DATA_DIR: folder,
      DATABASE_URL: `postgres://bozor@localhost/bozor?host=${encodeURIComponent(databaseHost(dataDir))}`,
      SECRET_KEY: secretKey,
      PORT: '0',
      RATE_LIMIT: 'none',
      DEMO: 'false',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  for await (const chunk of child.stdout!) {
    output += String(chunk)
    const [, url] = /(http:\/\/[\d.a-z]+:\d+)/.exec(output) ?? []
    if (url) return { child, url, folder }
  }
  await once(child, 'exit')
  throw new Error(`the second node did not start: ${output}`)
}
