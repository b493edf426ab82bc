// The runner's side of a test host: a process that runs test files one after another.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { FileReport } from './test-reporter.ts'

/** A file that takes longer hangs: its processes are killed and it counts as failed. */
const fileTimeoutMs = 12 * 60_000
/** A host that does not exit after its last file: a file left something open. */
const exitTimeoutMs = 60_000
const nodeArgs = ['--disable-warning=ExperimentalWarning', `--test-reporter=${path('test-reporter.ts')}`]

export interface FileResult extends FileReport {
  seconds: number
}

export interface TestHost {
  run(file: string): Promise<FileResult>
  /** False after a crash or a kill. */
  isAlive(): boolean
  /** Ends the process. Returns what went wrong outside of the tests, if anything. */
  end(): Promise<string | undefined>
  kill(): void
}

/** One process group per host, so that a file that hangs ends with every process it started. */
export function openTestHost(): TestHost {
  const child = spawn(process.execPath, [...nodeArgs, path('test-host.ts')], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const exited = once(child, 'exit') as Promise<[number | null]>
  const output = collectOutput(child)
  let hasFailed = false
  const isAlive = () => child.exitCode === null && child.signalCode === null

  const run = async (file: string): Promise<FileResult> => {
    const startedAt = Date.now()
    const timeout = deadline(fileTimeoutMs)
    const reported = new Promise<FileReport>((done) => child.once('message', done))
    child.send(file)
    const ended = await Promise.race([reported, exited.then(() => 'exit' as const), timeout.passed])
    timeout.clear()
    if (ended === 'timeout') killGroup(child)
    if (ended === 'timeout' || ended === 'exit') await exited
    // What the file printed may arrive after its report.
    await new Promise((done) => setImmediate(done))
    const report = typeof ended === 'object' ? reportOf(ended, file) : failedReport(file, reasons[ended])
    const printed = output.take()
    if (!report.isPassed) {
      hasFailed = true
      report.failures.push(printed)
    }
    return { ...report, seconds: (Date.now() - startedAt) / 1000 }
  }

  const end = async (): Promise<string | undefined> => {
    if (child.connected) child.disconnect()
    const timeout = deadline(exitTimeoutMs)
    const ended = await Promise.race([exited.then(([code]) => code), timeout.passed])
    timeout.clear()
    // Also what the files left running.
    killGroup(child)
    if (ended === 'timeout') return 'did not exit after its last test: something is still open'
    return ended === 0 || hasFailed ? undefined : `exited with code ${ended}\n${output.take()}`
  }
  return { run, isAlive, end, kill: () => killGroup(child) }
}

const reasons = {
  exit: 'the process ended before the file did',
  timeout: `did not end within ${fileTimeoutMs / 60_000} minutes and was killed`,
}

/** Tests belong to the test of their file; one that does not would be counted for another file. */
const reportOf = (report: FileReport, file: string): FileReport =>
  report.file === file ? report : failedReport(file, `"${report.file}" does not belong to the file`)

const failedReport = (file: string, failure: string): FileReport => ({
  file,
  isPassed: false,
  tests: 0,
  passed: 0,
  skipped: 0,
  cpuSeconds: 0,
  failures: [failure],
})

function path(name: string): string {
  return new URL(name, import.meta.url).pathname
}

function collectOutput(child: ChildProcess): { take(): string } {
  let text = ''
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => (text += chunk))
  }
  return {
    take: () => {
      const taken = text
      text = ''
      return taken
    },
  }
}

function deadline(ms: number): { passed: Promise<'timeout'>; clear(): void } {
  const { promise, resolve } = Promise.withResolvers<'timeout'>()
  const timer = setTimeout(() => resolve('timeout'), ms)
  return { passed: promise, clear: () => clearTimeout(timer) }
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended.
  }
}
