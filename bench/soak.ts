// Whether memory grows under mixed load: reads, writes, retries and refusals. BENCH_SOAK_MINUTES sets how long.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { residentMegabytes } from './cpu.ts'
import { load } from './load.ts'
import { startOurs, stop } from './ours.ts'
import type { Row } from './row.ts'

const minutes = Number(process.env['BENCH_SOAK_MINUTES'] ?? 2)
const settleMinutes = Math.min(5, minutes / 3)

export async function bench(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bozor-soak-'))
  chmodSync(dataDir, 0o755)
  const ours = await startOurs(dataDir)
  const samples: [minute: number, megabytes: number][] = []
  const began = performance.now()
  const timer = setInterval(
    () => samples.push([(performance.now() - began) / 60_000, residentMegabytes(ours.child.pid!)]),
    1_000,
  )
  try {
    const head = `Host: x\r\nAuthorization: Bearer ${ours.key}\r\n`
    const read = () =>
      `GET /v1/catalog/categories?per_page=20&page=${1 + Math.floor(Math.random() * 4)} HTTP/1.1\r\n${head}\r\n`
    const write = (number: number) => {
      const body = `{"slug":"soak-${number}","name":"Soak"}`
      return `POST /v1/catalog/brands HTTP/1.1\r\n${head}Content-Type: application/json\r\nIdempotency-Key: soak-${number}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    }
    const wrong = () => `GET /v1/catalog/brands/0 HTTP/1.1\r\n${head}\r\n`
    const kinds = [
      { connections: 8, request: read, expect: 200 },
      { connections: 4, request: write, expect: 201 },
      { connections: 2, request: (number: number) => write(Math.floor(number / 50)), expect: 201 },
      { connections: 2, request: wrong, expect: 404 },
    ]
    const results = await Promise.all(
      kinds.map((it) => load({ url: ours.url, seconds: minutes * 60, ...it })),
    )
    const calls = results.reduce((sum, it) => sum + it.requests, 0)
    return [
      {
        name: `memory under mixed load, ${minutes} min`,
        ours: slope(samples.filter(([minute]) => minute > settleMinutes)),
        unit: 'MB/min',
        bar: '< 1',
        note: `after ${settleMinutes.toFixed(1)} min; ${calls} calls; ${Math.round(samples.at(-1)![1])} MB at the end`,
      },
    ]
  } finally {
    clearInterval(timer)
    await stop(ours.child)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The slope of the straight line that fits the points best. */
function slope(points: [number, number][]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, it) => sum + it[at], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const over = points.reduce((sum, it) => sum + (it[0] - x) * (it[1] - y), 0)
  return over / points.reduce((sum, it) => sum + (it[0] - x) ** 2, 0)
}
