// Runs the tests with one PostgreSQL; every file that needs a database gets its own copy of a template.
// Arguments: parts of file paths, and --quick (rules and use cases only), --long (what --quick and no argument leave out),
// --nightly (everything, with the long forms) or --watch.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { builtFolder, webFolders } from '../src/web/build/folders.ts'
import { type FileResult, openTestHost, type TestHost } from './support/host-process.ts'
import { unseenEvents } from './support/checked-events.ts'
import { memoryFolder } from './support/memory-folder.ts'
import { openTestStorage } from './support/storage.ts'

/** Tests wait for timers and child processes much of the time: more workers than cores keep 2 cores busy. */
const workers = 4
/** Starting a process for every file would cost more than most files; a new one now and then bounds its memory. */
const filesPerHost = 25
/** More failed files than this are no matter of timing: they do not run again. */
const maxReruns = 5
const printedDurations = 30
const nodeArgs = ['--disable-warning=ExperimentalWarning']
const watchArgs = [...nodeArgs, '--test-reporter=spec']
/** The longest files start first, so that no long file runs alone at the end. */
const longFiles = [
  'test/simulation/',
  'demo-process',
  'test/flows/examples',
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
/**
 * Files of `npm run test:long`: they start servers and commands as processes, use a browser, run every example or load the
 * demo's history. One file of each kind stays in `npm test` (`keptFiles`).
 */
const longGroup = [
  'src/cli/command.',
  'src/cli/developer-commands.',
  'src/cli/member.',
  'src/cli/model.',
  'src/demo/interactions.',
  'src/recommendations/external/training-data.',
  'test/faults/backup.',
  'test/faults/process.',
  'test/flows/docs.',
  'test/flows/examples.',
  'test/flows/pages.',
  'test/web/',
  '-process.test.',
]
const keptFiles = ['test/faults/order-process.', 'test/web/dashboard-entrance.', 'test/web/shop-addresses.']
/** Files that measure their own process. */
const aloneFiles = [
  'src/http/overload.',
  'test/faults/unread-replies.',
  'test/faults/rate-limit.',
  '-process.test.',
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
const isLong = process.argv.includes('--long')
/** With the long forms of tests that take minutes. */
const isNightly = process.argv.includes('--nightly')
if (isNightly) process.env['BOZOR_TEST_NIGHTLY'] = 'true'
/** Every type of event is published by some file outside of the long group. */
const checksEvents = words.length === 0 && !isQuick && !isLong
const isWatching = process.argv.includes('--watch')
const isAmong = (file: string, parts: readonly string[]) => parts.some((it) => file.includes(it))

const chosen = globSync(
  isQuick ? ['src/**/*.test.ts'] : ['src/**/*.test.ts', 'test/**/*.test.ts', 'bin/**/*.test.ts'],
)
  .filter((file) => !isQuick || !isAmong(file, slowFiles))
  // They have a command of their own: npm run test:services.
  .filter((file) => !file.startsWith('test/services/'))
  .filter((file) => (words.length === 0 ? isInGroup(file) : isAmong(file, words)))
  .filter((file) => canRun(file))
  .toSorted((one, other) => startRank(one) - startRank(other) || statSync(other).size - statSync(one).size)
if (chosen.length === 0) {
  console.error(`no test file matches ${words.join(', ')}`)
  process.exit(1)
}

if (isWatching) await watch(chosen)
else await runAll(chosen)

async function runAll(files: readonly string[]): Promise<void> {
  const startedAt = Date.now()
  const { running, isStopped } = stopOnSignals()
  await buildWebPages(files)
  const folder = memoryFolder()
  if (folder) process.env['TMPDIR'] = folder
  const storage = await openTestStorage()
  process.env['BOZOR_TEST_STORAGE'] = storage.connectionJson
  process.env['BOZOR_TEST_DATA_DIR'] = storage.preparedDir
  process.env['BOZOR_TEST_EVENTS'] ??= join(storage.preparedDir, 'published-events')
  try {
    const results = await runFiles(files, { workers, running, isStopped })
    const failed = results.filter((it) => !it.isPassed).map((it) => it.file)
    // On a busy CI machine a file may fail by its timing: it runs once more, alone. Both runs are printed.
    const reruns = process.env['CI'] !== undefined && failed.length <= maxReruns ? failed : []
    if (reruns.length > 0) console.log(`\nfailed, run once more alone:\n${reruns.join('\n')}\n`)
    const again = await runFiles(reruns, { workers: 1, running, isStopped })
    const unstable = again.filter((it) => it.isPassed).map((it) => it.file)
    const failedTwice = failed.filter((it) => !unstable.includes(it))
    printSummary(results, (Date.now() - startedAt) / 1000)
    if (unstable.length > 0) console.log(`\nunstable, passed in the second run:\n${unstable.join('\n')}`)
    if (failedTwice.length > 0) console.log(`\nfailed:\n${failedTwice.join('\n')}`)
    const unseen = checksEvents ? unseenEvents() : []
    if (unseen.length > 0) console.log(`\nevents that no test published:\n${unseen.join('\n')}`)
    if (failedTwice.length > 0 || unseen.length > 0 || isStopped()) process.exitCode = 1
  } finally {
    await storage.close()
    if (folder) rmSync(folder, { recursive: true, force: true })
  }
}

/** Once, before the tests: otherwise every server that a test starts would build them. */
async function buildWebPages(files: readonly string[]): Promise<void> {
  const needsPages = files.some((it) => it.startsWith('test/') || it.startsWith('src/cli/'))
  if (!needsPages || builtFolder(webFolders('.'))) return
  const child = spawn(process.execPath, [...nodeArgs, 'src/main.ts', 'build-web', '--cache'], {
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) console.error('the web pages could not be built before the tests')
}

/** A signal stops the test files; storage is removed after they end. */
function stopOnSignals(): { running: Set<TestHost>; isStopped: () => boolean } {
  const running = new Set<TestHost>()
  let isStopped = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      isStopped = true
      for (const host of running) host.kill()
    })
  return { running, isStopped: () => isStopped }
}

interface RunOptions {
  workers: number
  running: Set<TestHost>
  isStopped: () => boolean
}

async function runFiles(files: readonly string[], options: RunOptions): Promise<FileResult[]> {
  const waiting = [...files]
  const work = async () => {
    const results: FileResult[] = []
    while (waiting.length > 0 && !options.isStopped()) results.push(...(await runInHost(waiting, options)))
    return results
  }
  return (await Promise.all(Array.from({ length: options.workers }, work))).flat()
}

/**
 * Takes files until the process should be replaced: by one file that runs alone, or by several. When the process does
 * not end as it should, each of its files runs again in a process of its own, which shows the file that is at fault.
 */
async function runInHost(waiting: string[], options: RunOptions): Promise<FileResult[]> {
  const { results, problem } = await useHost(waiting, options)
  if (problem === undefined) return results
  const files = results.map((it) => it.file)
  console.log(`✖ the process that ran ${files.join(', ')} ${problem}`)
  if (files.length === 1) return results.map((it) => ({ ...it, isPassed: false }))
  return (await runEach(files, options)).flat()
}

async function runEach(files: readonly string[], options: RunOptions): Promise<FileResult[][]> {
  const results: FileResult[][] = []
  for (const file of files) if (!options.isStopped()) results.push(await runInHost([file], options))
  return results
}

async function useHost(
  waiting: string[],
  { running, isStopped }: RunOptions,
): Promise<{ results: FileResult[]; problem: string | undefined }> {
  const host = openTestHost()
  running.add(host)
  const results: FileResult[] = []
  while (waiting.length > 0 && host.isAlive() && !isStopped() && results.length < filesPerHost) {
    const isAlone = isAmong(waiting[0]!, aloneFiles)
    if (isAlone && results.length > 0) break
    const result = await host.run(waiting.shift()!)
    printResult(result)
    results.push(result)
    if (isAlone) break
  }
  const problem = await host.end()
  running.delete(host)
  return { results, problem }
}

function printResult({ file, isPassed, failures, tests, seconds, cpuSeconds }: FileResult): void {
  if (!isPassed) console.log(failures.join('\n'))
  const times = `${seconds.toFixed(1)} s, CPU ${cpuSeconds.toFixed(1)} s`
  console.log(`${isPassed ? '✔' : '✖'} ${file} (${tests} tests, ${times})`)
}

function printSummary(results: readonly FileResult[], seconds: number): void {
  const sum = (name: 'tests' | 'passed' | 'skipped' | 'cpuSeconds') =>
    results.reduce((total, it) => total + it[name], 0)
  if (results.length > printedDurations) {
    console.log('\nlongest files, in seconds (CPU seconds):')
    const longest = results.toSorted((one, other) => other.seconds - one.seconds).slice(0, printedDurations)
    for (const it of longest)
      console.log(
        `${it.seconds.toFixed(1).padStart(7)} (${it.cpuSeconds.toFixed(1).padStart(5)})  ${it.file}`,
      )
  }
  console.log(
    `\n${results.length} files, ${sum('tests')} tests: ${sum('passed')} passed, ${sum('skipped')} skipped; ` +
      `${seconds.toFixed(0)} s, CPU ${sum('cpuSeconds').toFixed(0)} s`,
  )
}

/** Runs the files again whenever they or what they import changes. */
async function watch(files: readonly string[]): Promise<void> {
  const storage = await openTestStorage()
  const env = {
    ...process.env,
    BOZOR_TEST_STORAGE: storage.connectionJson,
    BOZOR_TEST_DATA_DIR: storage.preparedDir,
  }
  // A signal ends the child, which shares our terminal; storage is removed after it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const child = spawn(process.execPath, ['--test', '--watch', ...watchArgs, ...files], {
    env,
    stdio: 'inherit',
  })
  await once(child, 'exit')
  await storage.close()
}

function isInGroup(file: string): boolean {
  if (isQuick || isNightly) return true
  return isLong === (isAmong(file, longGroup) && !isAmong(file, keptFiles))
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
