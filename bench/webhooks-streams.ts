// What five hundred clients of the live stream cost, beside a bare server that sends the same to as many.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuSeconds, residentMegabytes } from './cpu.ts'
import { load } from './load.ts'
import { quiet, seconds } from './measure.ts'
import { startOurs, stop } from './ours.ts'
import type { Row } from './row.ts'

const followers = 500
const pace = 50
const bytesOfEvent = 400

export async function bench(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  chmodSync(dataDir, 0o755)
  const floor = await bareStreams()
  const ours = await startOurs(dataDir)
  const pid = ours.child.pid!
  const head = `Host: x\r\nAuthorization: Bearer ${ours.testKey}\r\n`
  const write = (number: number) => {
    const body = JSON.stringify({ slug: `b-${number}`, name: 'Bench' })
    return `POST /v1/catalog/brands HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
  let written = 0
  const publishFor = (forSeconds: number) =>
    load({
      url: ours.url,
      connections: 4,
      seconds: forSeconds,
      perSecond: pace,
      expect: 201,
      request: () => write(written++),
    })
  try {
    // Warmed up, so that the cost of writes is not counted as the cost of clients.
    await publishFor(2 * seconds)
    await quiet(() => [pid])
    const before = residentMegabytes(pid)
    const crowd = await open(ours.url, `GET /v1/events/stream?type=BrandCreated HTTP/1.1\r\n${head}\r\n`)
    const idle = residentMegabytes(pid) - before
    const cpu = cpuSeconds([pid])
    const { requests } = await publishFor(2 * seconds)
    while (crowd.fewest() < requests) await new Promise((done) => setTimeout(done, 50))
    const cpuUs = (1e6 * (cpuSeconds([pid]) - cpu)) / (requests * followers)
    const busy = residentMegabytes(pid) - before
    crowd.disconnect()
    return [
      {
        name: `${followers} live streams, memory of the server`,
        ours: busy,
        unit: 'MB',
        floor: floor.megabytes,
        bar: '≤ 100',
        note: `at ${pace} events a second; ${idle.toFixed(0)} MB as long as nothing happens; floor: bare node:http`,
      },
      {
        name: 'an event to one follower',
        ours: cpuUs,
        unit: 'µs of CPU',
        floor: floor.cpuUs,
        note: 'including the write that is published; floor: bare node:http without writes',
      },
    ]
  } finally {
    await stop(ours.child)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

interface Crowd {
  /** The smallest number of events that a connection has received. */
  fewest(): number
  disconnect(): void
}

async function open(url: string, request: string): Promise<Crowd> {
  const { hostname, port } = new URL(url)
  const lines: { socket: Socket; events: number }[] = []
  for (let at = 0; at < followers; at++) {
    const socket = connect(Number(port), hostname)
    const line = { socket, events: 0 }
    lines.push(line)
    socket.write(request)
    const opened = once(socket, 'data')
    socket.on('data', (bytes: Buffer) => (line.events += bytes.toString('latin1').split('data: ').length - 1))
    await opened
  }
  return {
    fewest: () => Math.min(...lines.map((it) => it.events)),
    disconnect: () => {
      for (const { socket } of lines) socket.destroy()
    },
  }
}

/** A server that does nothing but send one text to all, fifty times a second. */
async function bareStreams(): Promise<{ megabytes: number; cpuUs: number }> {
  const child = spawn(process.execPath, ['bench/bare-server.ts', 'stream', String(bytesOfEvent)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  await new Promise((done) => setTimeout(done, 2_000))
  const before = residentMegabytes(child.pid!)
  const crowd = await open(line.toString().trim(), 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [cpu, events] = [cpuSeconds([child.pid!]), crowd.fewest()]
  await new Promise((done) => setTimeout(done, seconds * 1000))
  const sent = (crowd.fewest() - events) * followers
  const result = {
    megabytes: residentMegabytes(child.pid!) - before,
    cpuUs: (1e6 * (cpuSeconds([child.pid!]) - cpu)) / sent,
  }
  crowd.disconnect()
  child.kill()
  return result
}
