// Tests of several server processes on real services: PostgreSQL with a replica, Redis. What could
// not run because a program is missing is listed at the end, and with --require it fails the run.
// --short is the form of CI: files with a line `// nightly` run only without it, or when they are named. Other arguments are
// parts of file names.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { memoryFolder } from '../support/memory-folder.ts'

const words = process.argv.slice(2).filter((it) => !it.startsWith('--'))
const isShort = process.argv.includes('--short')
const isRequired = process.argv.includes('--require')

const fileTimeoutMs = (isShort ? 5 : 60) * 60_000
const started = performance.now()
const isNightly = (file: string): boolean => /^\/\/ nightly$/m.test(readFileSync(file, 'utf8'))
const named = globSync('test/services/*.test.ts')
  .toSorted()
  .filter((file) => words.length === 0 || words.some((it) => file.includes(it)))
const files = named.filter((file) => !isShort || words.length > 0 || !isNightly(file))
if (files.length === 0) throw new Error(`no file of test/services matches ${words.join(', ')}`)

const folder = memoryFolder()
if (folder) process.env['TMPDIR'] = folder

const failed: string[] = []
const notRun: string[] = []
for (const file of files) {
  const missing = programsOf(file).filter((it) => !isInstalled(it))
  if (missing.length > 0) {
    notRun.push(`${file}: not installed: ${missing.join(', ')}`)
    continue
  }
  if (!(await passes(file)) && !(await passesAgain(file))) failed.push(file)
}

if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })

const seconds = ((performance.now() - started) / 1_000).toFixed(0)
console.log(`\ntest:services: ${files.length - notRun.length} of ${files.length} files ran in ${seconds} s`)
const nightly = named.filter((file) => !files.includes(file))
if (nightly.length > 0) console.log(`only in the full form: ${nightly.join(', ')}`)
if (notRun.length > 0) console.log(`\n!!! NOT RUN !!!\n${notRun.join('\n')}\n`)
if (failed.length > 0) console.log(`\nfailed:\n${failed.join('\n')}`)
process.exitCode = failed.length > 0 || (isRequired && notRun.length > 0) ? 1 : 0

/** On a busy CI machine a file may fail by its timing: it runs once more. Both runs are printed. */
async function passesAgain(file: string): Promise<boolean> {
  if (process.env['CI'] === undefined) return false
  console.log(`\n${file} failed and runs once more`)
  return passes(file)
}

/** A process group per file, so that everything it started ends with it. */
async function passes(file: string): Promise<boolean> {
  const args = ['--disable-warning=ExperimentalWarning', '--test-reporter=spec', file]
  const env = { ...process.env, SERVICES_FORM: isShort ? 'short' : 'full' }
  const child = spawn(process.execPath, args, { detached: true, stdio: 'inherit', env })
  const end = () => process.kill(-child.pid!, 'SIGTERM')
  const timer = setTimeout(() => {
    console.log(`${file} did not end within ${fileTimeoutMs / 60_000} minutes and was stopped`)
    end()
  }, fileTimeoutMs)
  process.once('SIGTERM', end).once('SIGINT', end)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearTimeout(timer)
  process.off('SIGTERM', end).off('SIGINT', end)
  return code === 0
}

/** A file that needs programs says so in a line `// needs: redis-server nats-server`. */
function programsOf(file: string): string[] {
  const [, list] = /^\/\/ needs: (.+)$/m.exec(readFileSync(file, 'utf8')) ?? []
  return list?.split(' ') ?? []
}

function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', 'command -v "$0"', program]).status === 0
}
