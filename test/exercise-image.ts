// Runs the instructions of deploy/Dockerfile without a container engine: the build stage in a copy of the repository, the
// files of the final stage in another folder, then the command until the health check succeeds, and SIGTERM.

import { execFileSync, execSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { waitUntil } from './support/wait-until.ts'

const root = new URL('..', import.meta.url).pathname
const port = process.env['PORT'] ?? '8130'
const folder = mkdtempSync(join(tmpdir(), 'bozor-image-'))
chmodSync(folder, 0o755)
const [build, final, data] = ['build', 'final', 'data'].map((it) => join(folder, it)) as [
  string,
  string,
  string,
]
for (const it of [build, final, data]) mkdirSync(it)

interface Instruction {
  name: string
  rest: string
}

const stages = instructionsOf(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'))

try {
  runBuildStage(stages[0]!)
  copyFinalStage(stages[1]!)
  await start(stages[1]!)
  process.stdout.write('Every step of deploy/Dockerfile works.\n')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function instructionsOf(text: string): Instruction[][] {
  const lines = text.split('\n').filter((it) => it.trim() !== '' && !it.startsWith('#'))
  const found: Instruction[][] = []
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (name === 'FROM') found.push([])
    else found.at(-1)!.push({ name, rest })
  }
  return found
}

function runBuildStage(stage: Instruction[]): void {
  // The committed files are what a clean checkout has as its build context.
  const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: root, maxBuffer: 1024 ** 3 })
  for (const { name, rest } of stage) {
    process.stdout.write(`${name} ${rest}\n`)
    if (name === 'COPY') execFileSync('tar', ['-x', ...copied(rest)], { cwd: build, input: archive })
    if (name === 'RUN') execSync(onThisNode(rest), { cwd: build, stdio: ['ignore', 'ignore', 'inherit'] })
  }
}

/** The sources of a COPY; all files for `.`. */
function copied(rest: string): string[] {
  return rest
    .split(' ')
    .slice(0, -1)
    .filter((it) => it !== '.')
}

/** The image has Node 24 as `node`. */
function onThisNode(command: string): string {
  return command.replace(/^node /, `${process.execPath} `)
}

function copyFinalStage(stage: Instruction[]): void {
  for (const { name, rest } of stage) {
    const [, from, to] = /^--from=build \/app\/(\S+) (\S+)$/.exec(rest) ?? []
    if (name !== 'COPY') continue
    process.stdout.write(`${name} ${rest}\n`)
    const target = to === './' ? join(final, from!) : join(final, to!)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(build, from!), target, { recursive: true, verbatimSymlinks: true })
  }
  // The root of the container is read-only. (For an administrator of this machine the mode has no effect.)
  execFileSync('chmod', ['-R', 'a-w', final])
}

async function start(stage: Instruction[]): Promise<void> {
  const list = (name: string) => JSON.parse(stage.find((it) => it.name === name)!.rest) as string[]
  const settings = stage
    .find((it) => it.name === 'ENV')!
    .rest.split(' ')
    .map((it) => it.split('=') as [string, string])
  const env = { ...process.env, ...Object.fromEntries(settings), PORT: port, DATA_DIR: data, DEMO: 'false' }
  const args = [...list('ENTRYPOINT').slice(1), ...list('CMD')]
  const server = spawn(process.execPath, args, { cwd: final, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(server, 'exit')
  const health = stage.find((it) => it.name === 'HEALTHCHECK')!.rest.replace(/^.* CMD /, '')
  const [, ...check] = JSON.parse(health) as string[]
  const isHealthy = () => {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`)
    try {
      execFileSync(process.execPath, check, { env, stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }
  await waitUntil(isHealthy, { what: 'the health check succeeds', timeoutMs: 180_000, pollMs: 500 })
  process.stdout.write('HEALTHCHECK succeeds\n')
  const page = await fetch(`http://127.0.0.1:${port}/dashboard`)
  if (page.status !== 200) throw new Error(`/dashboard of dist answers ${page.status}`)
  server.kill('SIGTERM')
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new Error(`SIGTERM ended the server with ${code}`)
}
