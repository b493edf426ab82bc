// Orders a training in a process of its own and waits for its end.

import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type pg from 'pg'
import type { Environment, Tx } from '../../base/db.ts'
import type { Job } from '../../base/jobs.ts'
import { yieldToOthers } from '../../base/yield-to-others.ts'
import * as store from '../store/models.ts'
import { beginTraining } from './begin-training.ts'
import type { Outcome } from './train-model.ts'

export interface TrainingOrder {
  connection: pg.PoolConfig
  environment: Environment
  seed: number
  threads: number
  /** Puts our own ranker in the place of one that somebody brought in. */
  replacesRanker: boolean
  /** Under which id it is kept already. */
  trainingId?: number
}

export type TrainingWord =
  | { trainingId: number }
  | { progress: string }
  | { outcome: Outcome }
  | { failure: string }

/** The process ended without a word: killed, or out of memory. Whoever gave the order writes it down. */
export class TrainingDied extends Error {
  readonly trainingId: number | undefined

  constructor(trainingId: number | undefined, how: number | string) {
    super(`the process that learnt ended by ${how}`)
    this.trainingId = trainingId
  }
}

export const usualSeed = 1
const mostThreads = 4
const newDeedsWorthIt = 500

export function runTraining(given: Omit<TrainingOrder, 'seed' | 'threads'>): Promise<Outcome> {
  const order: TrainingOrder = { ...given, seed: usualSeed, threads: usualThreads() }
  const child = fork(new URL('./training-process.ts', import.meta.url), { serialization: 'advanced' })
  // From its first step; what it makes meanwhile it lowers itself.
  if (child.pid !== undefined) yieldToOthers(child.pid)
  let { trainingId } = given
  return new Promise((done, fail) => {
    child.on('message', (word: TrainingWord) => {
      if ('trainingId' in word) trainingId = word.trainingId
      else if ('outcome' in word) done(word.outcome)
      else if ('failure' in word) fail(new Error(word.failure))
    })
    child.once('error', fail)
    child.once('exit', (code, signal) => fail(new TrainingDied(trainingId, signal ?? `code ${code}`)))
    child.send(order)
  })
}

/** Writes down that a training is over whose process can no longer say so. */
export async function noteDeath(tx: Tx, { trainingId, message }: TrainingDied): Promise<void> {
  if (trainingId !== undefined)
    await store.finishTraining(tx, trainingId, { outcome: 'failed', note: message, modelId: null })
}

/** One core is left to whoever answers calls meanwhile. */
export const usualThreads = (): number => Math.max(1, Math.min(mostThreads, availableParallelism() - 1))

/** Learns every night from what buyers did, when they did enough to learn from. */
export const trainNightly = (connection: pg.PoolConfig): Job => ({
  name: 'train-recommendations',
  cron: '0 30 2 * * ?',
  meaning: 'Learns anew from what buyers did, and lets the new model serve unless it is worse.',
  run: async (work) => {
    const { environment, begun } = await work.transaction(async (tx) => {
      const news = await store.deedsSinceModel(tx, newDeedsWorthIt)
      return {
        environment: tx.environment,
        begun: news < newDeedsWorthIt ? { news } : await beginTraining(tx),
      }
    })
    if ('news' in begun) return `too little is new: ${begun.news} deeds`
    if ('runningId' in begun) return `training ${begun.runningId} runs already`
    const order = { connection, environment, replacesRanker: false, trainingId: begun.id }
    try {
      const { outcome, note } = await runTraining(order)
      return `${outcome}: ${note}`
    } catch (error) {
      if (error instanceof TrainingDied) await work.transaction((tx) => noteDeath(tx, error))
      throw error
    }
  },
})
