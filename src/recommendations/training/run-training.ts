// Orders a training in a process of its own and waits for its end.

import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type pg from 'pg'
import type { Environment } from '../../base/db.ts'
import type { Job } from '../../base/jobs.ts'
import * as store from '../store/models.ts'
import type { Outcome } from './train-model.ts'

export interface TrainingOrder {
  connection: pg.PoolConfig
  environment: Environment
  seed: number
  threads: number
}

export type TrainingWord = { progress: string } | { outcome: Outcome } | { failure: string }

export const usualSeed = 1
const mostThreads = 4
const newDeedsWorthIt = 500

export function runTraining(where: Pick<TrainingOrder, 'connection' | 'environment'>): Promise<Outcome> {
  const order: TrainingOrder = { ...where, seed: usualSeed, threads: usualThreads() }
  const child = fork(new URL('./training-process.ts', import.meta.url), { serialization: 'advanced' })
  return new Promise((done, fail) => {
    child.on('message', (word: TrainingWord) => {
      if ('outcome' in word) done(word.outcome)
      else if ('failure' in word) fail(new Error(word.failure))
    })
    child.once('error', fail)
    child.once('exit', (code) => fail(new Error(`the training ended with ${code}`)))
    child.send(order)
  })
}

export const usualThreads = (): number => Math.min(mostThreads, availableParallelism())

/** Learns every night from what buyers did, when they did enough to learn from. */
export const trainNightly = (connection: pg.PoolConfig): Job => ({
  name: 'train-recommendations',
  cron: '0 30 2 * * ?',
  meaning: 'Learns anew from what buyers did, and lets the new model serve unless it is worse.',
  run: async (work) => {
    const { environment, news } = await work.transaction(async (tx) => ({
      environment: tx.environment,
      news: await store.deedsSinceModel(tx, newDeedsWorthIt),
    }))
    if (news < newDeedsWorthIt) return `too little is new: ${news} deeds`
    const { outcome, note } = await runTraining({ connection, environment })
    return `${outcome}: ${note}`
  },
})
