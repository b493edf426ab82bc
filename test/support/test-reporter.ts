// The reporter of a test host: reports to the runner how each file ended.

import { readFileSync } from 'node:fs'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

export interface FileReport {
  file: string
  isPassed: boolean
  tests: number
  passed: number
  skipped: number
  /** CPU time of this process and of the processes that it started; 0 where the system does not report it. */
  cpuSeconds: number
  failures: string[]
}

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let current = emptyReport()
  let cpuBefore = 0
  let uncaught: string[] = []
  for (const event of ['uncaughtExceptionMonitor', 'unhandledRejection'])
    process.on(event, (error) => uncaught.push(`✖ uncaught: ${inspect(error)}`))
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (type === 'test:fail') current.failures.push(...failureText(data))
    if (data.nesting > 0) {
      current.tests++
      if (data.skip !== undefined) current.skipped++
      else if (type === 'test:pass') current.passed++
      continue
    }
    const cpu = cpuSeconds()
    // An error that belongs to no running test sets nothing but the exit code.
    const hasStrayError = Boolean(process.exitCode)
    process.exitCode = 0
    const report: FileReport = {
      ...current,
      file: data.name,
      isPassed: type === 'test:pass' && !hasStrayError,
      cpuSeconds: cpu - cpuBefore,
      failures: [...current.failures, ...(hasStrayError ? uncaught : [])],
    }
    if (process.connected) process.send?.(report)
    uncaught = []
    cpuBefore = cpu
    current = emptyReport()
  }
  yield ''
}

const emptyReport = (): FileReport => ({
  file: '',
  isPassed: false,
  tests: 0,
  passed: 0,
  skipped: 0,
  cpuSeconds: 0,
  failures: [],
})

type FailedTest = Extract<TestEvent, { type: 'test:fail' }>['data']

/** Nothing for a test that failed only because one of its subtests did. */
function failureText({ name, file, line, details }: FailedTest): string[] {
  const error = details.error as Error & { failureType?: string }
  if (error.failureType === 'subtestsFailed') return []
  return [`✖ ${name} (${file}:${line})\n${inspect(error.cause ?? error)}`]
}

const ticksPerSecond = 100

/** User and system time of this process and of the ended processes that it waited for. */
function cpuSeconds(): number {
  if (process.platform !== 'linux') return 0
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
  return fields.slice(11, 15).reduce((sum, it) => sum + Number(it), 0) / ticksPerSecond
}
