// Starts a training in a child process and waits for its end.

import { availableParallelism } from 'node:os'
import type pg from 'pg'
import type { Environment, Tx } from '../../base/database.ts'
import type { Job } from '../../base/jobs.ts'
import { runInProcess, TaskProcessDied } from '../../base/task-process.ts'
import type { TaskQueue } from '../../base/task-queue.ts'
import * as store from './store.ts'
import type { Outcome } from './train-model.ts'

export interface TrainingTask {
  connection: pg.PoolConfig
  environment: Environment
  seed: number
  threads: number
  /** Time to search for better families and parameters. */
  searchSeconds: number | 'by_size'
  /** Time for the whole training. */
  budgetSeconds: number
  /** Replaces an uploaded ranker with our own. */
  replacesRanker: boolean
  /** The id of its record, when it exists already. */
  trainingId?: number
}

/** The id of its record, as soon as it is known. */
export interface TrainingNote {
  trainingId: number
}

/** The process ended without a result: killed, or out of memory. The caller records the failure. */
export class TrainingProcessDied extends Error {
  readonly trainingId: number | undefined

  constructor(trainingId: number | undefined, message: string) {
    super(message)
    this.trainingId = trainingId
  }
}

export const defaultSeed = 1
/** Less than the time after which a training is considered dead. */
export const defaultBudgetSeconds = 3_000
const mostThreads = 4
const leastNewInteractions = 500

export async function runTraining(
  given: Omit<TrainingTask, 'seed' | 'threads' | 'searchSeconds' | 'budgetSeconds'> & {
    budgetSeconds?: number
  },
  { queue, signal }: { queue: TaskQueue; signal?: AbortSignal | undefined },
): Promise<Outcome> {
  const order: TrainingTask = {
    seed: defaultSeed,
    threads: defaultThreads(),
    searchSeconds: 'by_size',
    budgetSeconds: defaultBudgetSeconds,
    ...given,
  }
  let { trainingId } = given
  try {
    return await runInProcess<Outcome, TrainingNote>(
      new URL('./training-process.ts', import.meta.url),
      order,
      { name: 'the training', queue, signal, onNote: (note) => (trainingId = note.trainingId) },
    )
  } catch (error) {
    throw error instanceof TaskProcessDied ? new TrainingProcessDied(trainingId, error.message) : error
  }
}

/** Records the failure of a training whose process died. */
export async function recordDeath(tx: Tx, { trainingId, message }: TrainingProcessDied): Promise<void> {
  if (trainingId !== undefined)
    await store.finishTraining(tx, trainingId, { outcome: 'failed', note: message, modelId: null })
}

/** One core stays free for serving. */
export const defaultThreads = (): number => Math.max(1, Math.min(mostThreads, availableParallelism() - 1))

/** Trains every night when there are enough new interactions. */
export const trainingJob = ({ connection, queue }: { connection: pg.PoolConfig; queue: TaskQueue }): Job => ({
  name: 'train-recommendations',
  cron: '0 30 2 * * ?',
  isLong: true,
  description: 'Trains the recommendation model on recent interactions and activates it unless it is worse.',
  run: async (work) => {
    const { environment, begun } = await work.transaction(async (tx) => {
      const newInteractions = await store.interactionsSinceModel(tx, leastNewInteractions)
      return {
        environment: tx.environment,
        begun: newInteractions < leastNewInteractions ? { newInteractions } : await beginTraining(tx),
      }
    })
    if ('newInteractions' in begun) return `too few new interactions: ${begun.newInteractions}`
    if ('runningId' in begun) return `training ${begun.runningId} is already running`
    const order = { connection, environment, replacesRanker: false, trainingId: begun.id }
    try {
      const { outcome, note } = await runTraining(order, { queue, signal: work.signal })
      return `${outcome}: ${note}`
    } catch (error) {
      if (error instanceof TrainingProcessDied) await work.transaction((tx) => recordDeath(tx, error))
      throw error
    }
  },
})

/** A training that began longer ago is considered dead. */
const longestTrainingMs = 3_600_000

/** Records the start of a training and returns its id, or the id of the one that is running. */
export async function beginTraining(tx: Tx): Promise<{ id: number } | { runningId: number }> {
  await store.lockTrainings(tx)
  const running = (await store.listTrainings(tx)).find(
    (it) => it.outcome === 'running' && tx.now.getTime() - it.startedAt.getTime() < longestTrainingMs,
  )
  return running ? { runningId: running.id } : { id: await store.insertTraining(tx) }
}
