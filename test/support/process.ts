// The platform as an operator runs it: a separate process with signals, kills and a data directory.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { type CallOptions, callAt, type Reply } from './shop.ts'
import { waitUntil, withDeadline } from './wait-until.ts'

const ownMain = new URL('../../src/main.ts', import.meta.url).pathname

/** `main` is the file of another version of the platform. */
interface VersionOptions {
  main?: string
}

export interface RunningServer {
  child: ChildProcess
  url: string
  keys: { live: string; test: string }
  /** All output so far, stdout and stderr. */
  output(): string
  call(method: string, path: string, options?: CallOptions): Promise<Reply>
  /** Sends a signal and waits for the exit; returns the exit code, or null if the signal killed the process. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Removed when the test file ends, after processes that still run in it are stopped. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bozor-process-'))
  // The account that runs PostgreSQL must be able to enter it; otherwise the cluster is created elsewhere.
  chmodSync(folder, 0o755)
  after(async () => {
    await killServers(folder)
    await killDatabases(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  return folder
}

/** Running servers with their data directories. */
const servers = new Map<ChildProcess, string | undefined>()

/** Hooks run in the order of their creation, so the folder's hook ends its servers itself. */
async function killServers(folder: string): Promise<void> {
  for (const [child, dataDir] of servers) {
    if (dataDir !== folder) continue
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await withDeadline(exit, 'a killed server exits')
  }
}

/** Databases whose servers were killed. */
async function killDatabases(folder: string): Promise<void> {
  for (const file of globSync(join(folder, '**/postmaster.pid'))) {
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
    const isRunning = () => existsSync(`/proc/${pid}`)
    if (!isRunning()) continue
    process.kill(pid, 'SIGQUIT')
    await waitUntil(() => !isRunning(), { what: `the database ${pid} exits` })
  }
}

/**
 * A temporary folder with a created and migrated database. The first caller of a test run makes it and the others
 * copy it, which is much cheaper than a first start.
 */
export async function preparedFolder(): Promise<string> {
  const folder = temporaryFolder()
  const original = process.env['BOZOR_TEST_DATA_DIR']
  if (original === undefined) return folder
  const isMade = join(original, 'is-made')
  if (isFirst(join(original, 'is-first'))) {
    const { code, stderr } = await bozor(['migrate'], { DATA_DIR: join(original, 'data') })
    if (code !== 0) throw new Error(`bozor migrate failed: ${stderr}`)
    writeFileSync(isMade, '')
  } else await waitUntil(() => existsSync(isMade), { what: 'the data directory is made' })
  // fs.cp does not keep the owner, and PostgreSQL refuses files of another account.
  await promisify(execFile)('cp', ['-a', join(original, 'data', '.'), folder])
  return folder
}

function isFirst(marker: string): boolean {
  try {
    mkdirSync(marker)
    return true
  } catch {
    return false
  }
}

const environment = (more: Record<string, string>) => {
  const {
    BOZOR_TEST_STORAGE: _storage,
    NODE_TEST_CONTEXT: _context,
    DATABASE_URL: _url,
    ...rest
  } = process.env
  // Most process tests need no catalog, and loading the demo takes seconds.
  return { ...rest, PORT: '0', RATE_LIMIT: 'none', DEMO: 'false', DRAIN_SECONDS: '0', ...more }
}

export async function startServer(
  env: Record<string, string>,
  { main = ownMain }: VersionOptions = {},
): Promise<RunningServer> {
  const child = spawn(process.execPath, [main, 'start'], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  servers.set(child, env['DATA_DIR'])
  child.once('exit', () => servers.delete(child))
  let output = ''
  const ended = once(child, 'exit')
  const ready = new Promise<void>((done) => {
    const collect = (chunk: Buffer) => {
      output += chunk.toString()
      if (/Ctrl-C stops it|Register an application/.test(output)) done()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
  })
  after(() => child.kill('SIGKILL'))
  const failed = ended.then(() => Promise.reject(new Error(`the server did not start:\n${output}`)))
  await withDeadline(Promise.race([ready, failed]), 'the server is ready')
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
      const [code] = (await withDeadline(ended, `the server exits after ${signal}`)) as [number | null]
      return code
    },
  }
}

/** Starts a command without waiting. */
export const bozorChild = (
  args: string[],
  env: Record<string, string>,
  input: 'ignore' | 'pipe' = 'ignore',
): ChildProcess =>
  spawn(process.execPath, [ownMain, ...args], { env: environment(env), stdio: [input, 'pipe', 'pipe'] })

/** Runs a command and waits for its exit. */
export async function bozor(
  args: string[],
  env: Record<string, string>,
  { main = ownMain }: VersionOptions = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return ending(
    spawn(process.execPath, [main, ...args], { env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] }),
  )
}

/** Runs a command in a pipe of the shell, as `bozor … | head`; the exit code is that of the command. */
export async function piped(
  args: string[],
  reader: string,
  env: Record<string, string>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const script = `set -o pipefail; "$@" | ${reader}`
  const command = ['-c', script, 'bash', process.execPath, '--disable-warning=ExperimentalWarning', ownMain]
  return ending(
    spawn('bash', [...command, ...args], { env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] }),
  )
}

/** Waits for the exit and returns the remaining output and the exit code. */
export async function ending(
  child: ChildProcess,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const said = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  child.stdout!.on('data', (chunk: Buffer) => said.stdout.push(chunk))
  child.stderr!.on('data', (chunk: Buffer) => said.stderr.push(chunk))
  const [code] = (await withDeadline(once(child, 'close'), 'the command exits')) as [number | null]
  const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString()
  return { code, stdout: text(said.stdout), stderr: text(said.stderr) }
}
