// The platform as an operator runs it: a process of its own, with signals, kills and a data directory.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type CallOptions, callAt, type Reply } from './shop.ts'

const main = new URL('../../src/main.ts', import.meta.url).pathname

export interface RunningServer {
  child: ChildProcess
  url: string
  keys: { live: string; test: string }
  /** All it has printed and logged. */
  output(): string
  call(method: string, path: string, options?: CallOptions): Promise<Reply>
  /** Sends a signal and waits for the end; returns the exit code, or null when the signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** A directory that is gone when the test file ends, with whatever still runs in it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bozor-process-'))
  // Open to the account under which PostgreSQL runs, else it would stand elsewhere.
  chmodSync(folder, 0o755)
  after(async () => {
    await bozor(['doctor'], { DATA_DIR: folder })
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

const environment = (more: Record<string, string>) => {
  const {
    BOZOR_TEST_STORAGE: _storage,
    NODE_TEST_CONTEXT: _context,
    DATABASE_URL: _url,
    ...rest
  } = process.env
  // Most of what is tested of a process needs no goods, and filling two shops takes seconds.
  return { ...rest, PORT: '0', RATE_LIMIT: 'none', DEMO: 'false', ...more }
}

export async function startServer(env: Record<string, string>): Promise<RunningServer> {
  const child = spawn(process.execPath, [main, 'start'], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = once(child, 'exit')
  const ready = new Promise<void>((done) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString()
      if (/Ctrl-C stops it|Register an application/.test(output)) done()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
  })
  after(() => child.kill('SIGKILL'))
  await Promise.race([ready, ended.then(() => Promise.reject(new Error(`it did not start:\n${output}`)))])
  const url = /API +(http\S+)\/v1/.exec(output)![1]!
  const keys = {
    test: /\bak_test_\w+/.exec(output)?.[0] ?? '',
    live: /\bak_live_\w+/.exec(output)?.[0] ?? '',
  }
  return {
    child,
    url,
    keys,
    output: () => output,
    call: (method, path, options = {}) => callAt(url, method, path, { key: keys.test, ...options }),
    end: async (signal) => {
      child.kill(signal)
      const [code] = (await ended) as [number | null]
      return code
    },
  }
}

/** A command under way. */
export const bozorChild = (
  args: string[],
  env: Record<string, string>,
  input: 'ignore' | 'pipe' = 'ignore',
): ChildProcess =>
  spawn(process.execPath, [main, ...args], { env: environment(env), stdio: [input, 'pipe', 'pipe'] })

/** Runs a command to its end. */
export async function bozor(
  args: string[],
  env: Record<string, string>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return ending(bozorChild(args, env))
}

/** All that a command still says, and how it ends. */
export async function ending(
  child: ChildProcess,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const said = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  child.stdout!.on('data', (chunk: Buffer) => said.stdout.push(chunk))
  child.stderr!.on('data', (chunk: Buffer) => said.stderr.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString()
  return { code, stdout: text(said.stdout), stderr: text(said.stderr) }
}
