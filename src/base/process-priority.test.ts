import { deepEqual } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { constants, getPriority } from 'node:os'
import { test } from 'node:test'

/** A program that lowers its priority, starts one more thread, and prints the priorities of all threads. */
const program = `
  import { readdirSync } from 'node:fs'
  import { getPriority } from 'node:os'
  import { Worker } from 'node:worker_threads'
  import { lowerProcessPriority } from ${JSON.stringify(new URL('./process-priority.ts', import.meta.url).href)}
  lowerProcessPriority()
  const worker = new Worker('setInterval(() => {}, 1000)', { eval: true })
  worker.once('online', () => {
    console.log(JSON.stringify(readdirSync('/proc/self/task').map((it) => getPriority(Number(it)))))
    process.exit()
  })`

test(
  'a process lowers the priority of all its threads, those of the engine and later ones included',
  { skip: process.platform !== 'linux' && 'only Linux keeps a priority for each thread' },
  () => {
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', program])
    const priorities = new Set(JSON.parse(said.toString()) as number[])
    deepEqual([...priorities], [constants.priority.PRIORITY_LOW])
  },
)

const threadProgram = `
  import { readdirSync } from 'node:fs'
  import { getPriority } from 'node:os'
  import { Worker } from 'node:worker_threads'
  const source = 'import(' + ${JSON.stringify(JSON.stringify(new URL('./process-priority.ts', import.meta.url).href))} + ')' +
    '.then((it) => { it.lowerThreadPriority(); process.getBuiltinModule("node:worker_threads").parentPort.postMessage("done"); setInterval(() => {}, 1000) })'
  const usual = getPriority()
  new Worker(source, { eval: true }).once('message', () => {
    const priorities = readdirSync('/proc/self/task').map((it) => getPriority(Number(it)))
    console.log(JSON.stringify([getPriority(process.pid), priorities.filter((it) => it > usual)]))
    process.exit()
  })`

test(
  'a thread that lowers its priority leaves the other threads as they were',
  { skip: process.platform !== 'linux' && 'only Linux keeps a priority for each thread' },
  () => {
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', threadProgram])
    deepEqual(JSON.parse(said.toString()), [getPriority(), [constants.priority.PRIORITY_LOW]])
  },
)
