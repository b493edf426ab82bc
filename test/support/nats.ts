// A real NATS server with JetStream on its own port and folder. Requires nats-server on the PATH.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from './wait-until.ts'

export interface NatsServer {
  url: string
  stop(): Promise<void>
  start(): Promise<void>
}

/** Data survives a stop and start. */
export async function openNats(options: string[] = []): Promise<NatsServer> {
  if (spawnSync('nats-server', ['--version']).status !== 0)
    throw new Error('nats-server not found: install it and add it to the PATH')
  const folder = mkdtempSync(join(tmpdir(), 'bozor-nats-'))
  const port = await freePort()
  let child: ChildProcess | undefined
  const stop = async () => {
    const ending = child && new Promise((done) => child!.once('exit', done))
    child?.kill('SIGKILL')
    await ending
    child = undefined
  }
  const start = async () => {
    const args = ['-js', '-a', '127.0.0.1', '-p', String(port), '-sd', folder, ...options]
    child = spawn('nats-server', args, { stdio: 'ignore' })
    child.unref()
    await waitUntil(() => answers(port))
  }
  // At exit, after all connections are closed.
  process.once('exit', () => {
    child?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  await start()
  return { url: `nats://127.0.0.1:${port}`, stop, start }
}

export const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => done(port))
    })
  })

const answers = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      done(true)
    })
    socket.on('error', () => done(false))
  })
