// Runs the tests with one PostgreSQL; every file that needs a database gets its own copy of a template.
// Arguments: parts of file paths, and --quick (rules and use cases only) or --watch.

import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { openTestStorage } from './support/storage.ts'

const fileTimeoutMs = 20 * 60_000
/** Tests wait for timers and child processes much of the time: more workers than cores keep 2 cores busy. */
const workers = 4
/** More failed files than this are no matter of timing: they do not run again. */
const maxReruns = 5
const printedDurations = 30
/** The longest files start first, so that no long file runs alone at the end. */
const longFiles = [
  'test/simulation/',
  'demo-process',
  'test/faults/process',
  'import-process',
  'recommendations/external/',
  'src/recommendations/models/',
  'src/cli/',
  'test/flows/pages',
  'webhooks-process',
  'notifications-process',
  'order-process',
  'oauth-process',
  'test/faults/notifications',
  'test/faults/campaigns',
]
/** Files under src/ that start processes, train models, load the demo shop or take long for other reasons. */
const slowFiles = [
  'src/base/database.',
  'src/base/postgres/embedded',
  'src/base/records/import-records.',
  'src/base/relay.',
  'src/catalog/pictures/',
  'src/catalog/product-index/product-index.',
  'src/cli/',
  'src/demo/',
  'src/http/openapi.',
  'src/http/overload.',
  'src/identity/applications/api-keys.',
  'src/identity/applications/usage.',
  'src/identity/members/members.',
  'src/marketing/campaigns/audience.',
  'src/marketing/campaigns/run.',
  'src/ml/kernels/build.',
  'src/ml/trees/train.',
  'src/recommendations/evaluate/',
  'src/recommendations/experiments/',
  'src/recommendations/explain/',
  'src/recommendations/external/',
  'src/recommendations/interactions/',
  'src/recommendations/models/',
  'src/recommendations/serving/',
  'src/reference/',
  'src/sdk/',
]

const words = process.argv.slice(2).filter((it) => !it.startsWith('--'))
const isQuick = process.argv.includes('--quick')
const isWatching = process.argv.includes('--watch')
const isAmong = (file: string, parts: readonly string[]) => parts.some((it) => file.includes(it))

const chosen = globSync(
  isQuick ? ['src/**/*.test.ts'] : ['src/**/*.test.ts', 'test/**/*.test.ts', 'bin/**/*.test.ts'],
)
  .filter((file) => !isQuick || !isAmong(file, slowFiles))
  .filter((file) => words.length === 0 || isAmong(file, words))
  .filter((file) => canRun(file))
  .toSorted((one, other) => startRank(one) - startRank(other) || statSync(other).size - statSync(one).size)
if (chosen.length === 0) {
  console.error(`no test file matches ${words.join(', ')}`)
  process.exit(1)
}

const durations = new Map<string, number>()
// A signal stops the test files; storage is removed after they end.
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
const storage = await openTestStorage()
process.env['BOZOR_TEST_STORAGE'] = storage.connectionJson
process.env['BOZOR_TEST_DATA_DIR'] = storage.preparedDir
try {
  const failed = await runFiles(chosen, workers)
  // On a busy CI machine a file may fail by its timing: it runs once more, alone. Both runs are printed.
  const reruns = process.env['CI'] !== undefined && failed.length <= maxReruns ? failed : []
  if (reruns.length > 0) console.log(`\nfailed, run once more alone:\n${reruns.join('\n')}\n`)
  const failedTwice = reruns.length > 0 ? await runFiles(reruns, 1) : failed
  const unstable = failed.filter((it) => !failedTwice.includes(it))
  if (unstable.length > 0) console.log(`\nunstable, passed in the second run:\n${unstable.join('\n')}\n`)
  if (failedTwice.length > 0) process.exitCode = 1
  printLongest()
} finally {
  await storage.close()
}

/** Runs test files and returns those that failed. Unlike `node --test`, which sorts its files, this keeps their order. */
async function runFiles(files: readonly string[], concurrency: number): Promise<string[]> {
  const failed = new Set<string>()
  const results = run({
    files: files.map((it) => resolve(it)),
    concurrency,
    timeout: fileTimeoutMs,
    watch: isWatching,
    signal: stopping.signal,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  results.on('test:fail', ({ file, name, todo }) => {
    if (todo === undefined || todo === false) failed.add(relative('.', file ?? name))
  })
  results.on('test:summary', ({ file, duration_ms: durationMs }) => {
    if (file) durations.set(relative('.', file), durationMs)
  })
  results.compose(new spec()).pipe(process.stdout, { end: false })
  await finished(results)
  return [...failed]
}

function printLongest(): void {
  const longest = [...durations].toSorted(([, one], [, other]) => other - one).slice(0, printedDurations)
  if (durations.size <= printedDurations) return
  console.log('\nlongest files, in seconds:')
  for (const [file, ms] of longest) console.log(`${(ms / 1000).toFixed(1).padStart(7)}  ${file}`)
}

function startRank(file: string): number {
  const rank = longFiles.findIndex((it) => file.includes(it))
  return rank < 0 ? longFiles.length : rank
}

/** Some files need a program that npm does not install; without it they are skipped with a message. */
function canRun(file: string): boolean {
  const program = file.startsWith('test/faults/bus') ? 'nats-server' : undefined
  if (!program || spawnSync(program, ['--version']).status === 0) return true
  console.error(`skipped: ${file} needs the program ${program}`)
  return false
}
