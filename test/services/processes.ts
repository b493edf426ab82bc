// Programs of a test that run until it ends.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { freePort } from '../support/nats.ts'
import { waitUntil } from '../support/wait-until.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bozor-service-'))
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return folder
}

/** Starts a program that runs until the test file ends, and waits until its port accepts connections. */
export async function startProgram(
  program: string,
  args: string[],
  port: number,
  account?: { uid: number; gid: number },
): Promise<void> {
  const child = spawn(program, args, { ...account, stdio: 'ignore' })
  child.unref()
  after(() => child.kill('SIGKILL'))
  await waitUntil(() => accepts(port), { what: `${program} accepts connections`, timeoutMs: 60_000 })
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      done(true)
    })
    socket.on('error', () => done(false))
  })

/** The port of a Redis without persistence. */
export async function startRedis({ isClusterNode = false } = {}): Promise<number> {
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', temporaryFolder()]
  const busPort = await freePort()
  const cluster = ['--cluster-enabled', 'yes', '--cluster-port', String(busPort)]
  await startProgram('redis-server', isClusterNode ? [...args, ...cluster] : args, port)
  return port
}
