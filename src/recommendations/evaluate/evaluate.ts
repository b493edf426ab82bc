// `bozor evaluate`: how well the engine does on any file of the known formats.

import { closeSync, openSync, writeSync } from 'node:fs'
import type { Chosen } from '../../ml/selection/choose-blend.ts'
import { caseCount, type ListTask } from '../../ml/selection/list-task.ts'
import { evaluateClassify } from './classify.ts'
import { liveShapes, runLiveTask } from './live-engine.ts'
import { loadListTask } from './load-list-task.ts'
import { evaluateRank } from './rank.ts'
import { InputError } from './read-lines.ts'
import { runListTask } from './run-list-task.ts'
import type { TreeTaskOptions, TreeTaskResult } from './tree-task.ts'

export const tasks = ['users', 'sequences', 'sessions', 'baskets', 'rank', 'classify'] as const
export type Task = (typeof tasks)[number]

/** `selection` chooses models for the task; `live` trains and queries the engine that serves the shop. */
export const engines = ['selection', 'live'] as const
export type Engine = (typeof engines)[number]

export interface EvaluateOptions {
  task: Task
  engine?: Engine
  train: string
  test?: string | undefined
  /** Where the predictions are written. */
  out?: string | undefined
  attributes?: string | undefined
  label?: string | undefined
  categorical?: string | undefined
  budgetSeconds: number
  /** The clock of the budget: the wall by default; `cpu` counts the CPU seconds of all threads, for a busy machine. */
  budgetClock?: 'wall' | 'cpu'
  folds: number
  seed: number
  threads: number
  /** Sessions: use only the last item of each prefix, as an offer page does. */
  lastItemOnly: boolean
  /** Baskets: the lines of train stand in time order, so models may learn how old each is. */
  oldestFirst?: boolean
  /** Lists: at most this many test cases, evenly spread; all by default. */
  maxCases?: number | undefined
  onProgress?: (line: string) => void
}

export interface Evaluation {
  task: Task
  metrics: Record<string, number>
  /** Test cases of a list task, or rows that were scored. */
  cases: number
  /** Lists: the candidates' metrics before the ranker, when one was used. */
  candidates?: Record<string, number>
  ranker?: boolean
  fitSeconds: number
  chooseSeconds?: number
  listsPerSecond?: number
  /** Trees: rows scored in a second. */
  rowsPerSecond?: number
  totalSeconds: number
  peakMemoryMb: number
  chosen?: Chosen[]
}

/** Reads the files, chooses models within the budget, fits them, scores the test cases and returns the metrics. */
export async function evaluate(options: EvaluateOptions): Promise<Evaluation> {
  const began = performance.now()
  const elapsed = () => (performance.now() - began) / 1000
  const spent = options.budgetClock === 'cpu' ? cpuSeconds() : elapsed
  const out = options.out === undefined ? undefined : openOut(options.out)
  try {
    const write = (line: string) => out?.write(line)
    if (options.engine === 'live' && treeTasks[options.task])
      throw new InputError(`the live engine makes lists; it has no task ${options.task}`)
    const found = treeTasks[options.task]
      ? await evaluateRows(options, spent, write)
      : await evaluateLists(options, spent, write)
    return { ...found, totalSeconds: elapsed(), peakMemoryMb: process.resourceUsage().maxRSS / 1024 }
  } finally {
    out?.close()
  }
}

/** CPU seconds of all threads of this process from now on. */
function cpuSeconds(): () => number {
  const began = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1_000_000
  }
}

const treeTasks: Partial<Record<Task, (options: TreeTaskOptions) => Promise<TreeTaskResult>>> = {
  rank: evaluateRank,
  classify: evaluateClassify,
}

type TriedModel = Omit<Evaluation, 'totalSeconds' | 'peakMemoryMb'>

async function evaluateRows(
  options: EvaluateOptions,
  elapsed: () => number,
  write: (line: string) => void,
): Promise<TriedModel> {
  const { task, train, test, folds, budgetSeconds, seed, label, threads, onProgress } = options
  const categorical = options.categorical === 'all' ? ('all' as const) : options.categorical?.split(',')
  const given = { train, test, folds, budgetSeconds, seed, label, categorical, threads, elapsed, onProgress }
  const { predictions, ...found } = await treeTasks[task]!(given)
  for (const prediction of predictions) write(String(prediction))
  return { task, cases: predictions.length, ...found }
}

async function evaluateLists(
  options: EvaluateOptions,
  elapsed: () => number,
  write: (line: string) => void,
): Promise<TriedModel> {
  const { task, train, test, attributes, seed, lastItemOnly, budgetSeconds, threads } = options
  const load = loadListTask[task]
  if (!load) throw new InputError(`there is no task ${task}`)
  const { oldestFirst = false } = options
  if (oldestFirst && task !== 'baskets')
    throw new InputError(`the format of ${task} says its order; only baskets have the option oldest first`)
  const files = { train, test, attributes, seed, lastItemOnly, oldestFirst }
  const listTask = sampled(await load(files), options.maxCases)
  const report = (line: string) => options.onProgress?.(`${elapsed().toFixed(1).padStart(6)} s  ${line}`)
  report(
    `${listTask.items} items, ${listTask.fit.length} rows, ${listTask.slice.cases.length} cases to choose on`,
  )
  const run = {
    budgetSeconds,
    seed,
    threads,
    elapsed,
    report,
    write: (label: string, items: string[]) => write(`${label}\t${items.join(' ')}`),
  }
  const result =
    options.engine === 'live'
      ? await runLiveTask(listTask, liveShapes[task]!, run)
      : await runListTask(listTask, run)
  return { task, ...result }
}

/** The same cases for every engine. */
function sampled(listTask: ListTask, most: number | undefined): ListTask {
  const count = most === undefined ? 0 : caseCount(listTask)
  if (most === undefined || count <= most) return listTask
  return {
    ...listTask,
    *cases() {
      let at = 0
      let taken = 0
      for (const testCase of listTask.cases()) {
        if (at++ < Math.floor((taken * count) / most)) continue
        taken++
        yield testCase
      }
    },
  }
}

const outBufferChars = 1 << 20

function openOut(file: string): { write: (line: string) => void; close: () => void } {
  let handle: number
  try {
    handle = openSync(file, 'w')
  } catch (error) {
    throw new InputError(`${file}: the file cannot be written (${(error as Error).message})`)
  }
  let held = ''
  const flush = () => {
    writeSync(handle, held)
    held = ''
  }
  return {
    write(line) {
      held += `${line}\n`
      if (held.length > outBufferChars) flush()
    },
    close() {
      flush()
      closeSync(handle)
    },
  }
}
