// A real NATS server with JetStream, on a port and in a folder of its own; the program nats-server must be there.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from './until.ts'

export interface NatsServer {
  url: string
  stop(): Promise<void>
  start(): Promise<void>
}

/** Starts a server on a port of its own; it keeps its data when it is stopped and started again. */
export async function openNats(options: string[] = []): Promise<NatsServer> {
  if (spawnSync('nats-server', ['--version']).status !== 0)
    throw new Error('these tests need the program nats-server')
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
    await until(() => answers(port))
  }
  // Last of all, when nobody is connected any more.
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
