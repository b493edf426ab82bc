// `bozor evaluate`: how well the engine does on any file of the known formats.

import { closeSync, openSync, writeSync } from 'node:fs'
import type { Chosen } from './choose.ts'
import { evaluateClassify } from './classify.ts'
import { loadTrial } from './load-trial.ts'
import { evaluateRank } from './rank.ts'
import { InputError } from './read-lines.ts'
import { runTrial } from './run-trial.ts'
import type { TreeTaskOptions, TreeTaskResult } from './tree-task.ts'

export const tasks = ['users', 'sequences', 'sessions', 'baskets', 'rank', 'classify'] as const
export type Task = (typeof tasks)[number]

export interface EvaluateOptions {
  task: Task
  train: string
  test?: string | undefined
  /** Where the predictions are written. */
  out?: string | undefined
  attributes?: string | undefined
  label?: string | undefined
  categorical?: string | undefined
  budgetSeconds: number
  folds: number
  seed: number
  threads: number
  /** Sessions: ask with the last item of each prefix alone, as an offer page does. */
  lastItemOnly: boolean
  onProgress?: (line: string) => void
}

export interface Evaluation {
  task: Task
  metrics: Record<string, number>
  /** Test cases asked, or rows scored. */
  cases: number
  /** Lists: what the candidates reached before the ranker, when one was used. */
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

/** Reads the files, chooses within the budget, fits, asks, and tells the figures. */
export async function evaluate(options: EvaluateOptions): Promise<Evaluation> {
  const began = performance.now()
  const elapsed = () => (performance.now() - began) / 1000
  const out = options.out === undefined ? undefined : openOut(options.out)
  try {
    const write = (line: string) => out?.write(line)
    const found = treeTasks[options.task]
      ? await evaluateRows(options, write)
      : await evaluateLists(options, elapsed, write)
    return { ...found, totalSeconds: elapsed(), peakMemoryMb: process.resourceUsage().maxRSS / 1024 }
  } finally {
    out?.close()
  }
}

const treeTasks: Partial<Record<Task, (options: TreeTaskOptions) => Promise<TreeTaskResult>>> = {
  rank: evaluateRank,
  classify: evaluateClassify,
}

type Found = Omit<Evaluation, 'totalSeconds' | 'peakMemoryMb'>

async function evaluateRows(options: EvaluateOptions, write: (line: string) => void): Promise<Found> {
  const { task, train, test, folds, budgetSeconds, seed, label, threads, onProgress } = options
  const categorical = options.categorical === 'all' ? ('all' as const) : options.categorical?.split(',')
  const asked = { train, test, folds, budgetSeconds, seed, label, categorical, threads, onProgress }
  const { predictions, ...found } = await treeTasks[task]!(asked)
  for (const prediction of predictions) write(String(prediction))
  return { task, cases: predictions.length, ...found }
}

async function evaluateLists(
  options: EvaluateOptions,
  elapsed: () => number,
  write: (line: string) => void,
): Promise<Found> {
  const { task, train, test, attributes, seed, lastItemOnly, budgetSeconds, threads } = options
  const load = loadTrial[task]
  if (!load) throw new InputError(`there is no task ${task}`)
  const trial = await load({ train, test, attributes, seed, lastItemOnly })
  const tell = (line: string) => options.onProgress?.(`${elapsed().toFixed(1).padStart(6)} s  ${line}`)
  tell(`${trial.items} items, ${trial.fit.length} rows, ${trial.slice.cases.length} cases to choose on`)
  const result = await runTrial(trial, {
    budgetSeconds,
    seed,
    threads,
    elapsed,
    tell,
    write: (label, items) => write(`${label}\t${items.join(' ')}`),
  })
  return { task, ...result }
}

const OUT_BUFFER_CHARS = 1 << 20

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
      if (held.length > OUT_BUFFER_CHARS) flush()
    },
    close() {
      flush()
      closeSync(handle)
    },
  }
}
