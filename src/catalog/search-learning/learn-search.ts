// The nightly job that learns from searches, and the switches for operators.

import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import type { SearchEngine } from '../../base/config.ts'
import type { Tx } from '../../base/database.ts'
import type { Job } from '../../base/jobs.ts'
import { runInProcess } from '../../base/task-process.ts'
import type { TaskQueue } from '../../base/task-queue.ts'
import { type IfMatch, requireVersion } from '../../http/version.ts'
import { learnedNote, lookBackFrom, saveChange, saveLearned } from './learn-and-save.ts'
import { nothingLearned, type PartName, partNames } from './learn-parts.ts'
import type { LearningTask } from './learning-process.ts'
import * as store from './store.ts'

export const searchLearningJob = 'learn-search'

interface LearningDeps {
  connection: pg.PoolConfig
  searchEngine: SearchEngine
  queue: TaskQueue
}

export const learnSearch = ({ connection, searchEngine, queue }: LearningDeps): Job => ({
  name: searchLearningJob,
  cron: '0 50 4 * * ?',
  isLong: true,
  description:
    'Learns from searches which category and which words buyers mean by a query, and how to rank its products; each is used only if it wins on the last days.',
  run: async (job) => {
    const { at, hasOutcomes } = await job.transaction(async (tx) => ({
      at: tx.now,
      hasOutcomes: await store.hasOutcomes(tx, lookBackFrom(tx.now)),
    }))
    if (!hasOutcomes) {
      const learned = nothingLearned()
      await job.transaction((tx) => saveLearned(tx, learned, at))
      return learnedNote(learned)
    }
    const task: LearningTask = { connection, environment: job.environment, searchEngine, at }
    // Thousands of searches, and statistics of several megabytes: in this process every request would wait for them.
    return runInProcess<string>(new URL('./learning-process.ts', import.meta.url), task, {
      name: 'the search learning',
      queue,
      signal: job.signal,
    })
  },
})

interface LearningSwitches {
  /** Everything. */
  isEnabled: boolean | undefined
  parts?: Partial<Record<PartName, boolean | undefined>>
  ifMatch: IfMatch | undefined
}

/** Operators switch everything or a part on and off; off, every search is as if it had not been learned. */
export async function switchLearning(
  tx: Tx,
  { isEnabled, parts = {}, ifMatch }: LearningSwitches,
): Promise<store.SearchLearning> {
  const before = await store.lockLearning(tx)
  requireVersion(before, ifMatch)
  const after = structuredClone(before)
  after.isEnabled = isEnabled ?? before.isEnabled
  for (const part of partNames) after.parts[part].isEnabled = parts[part] ?? before.parts[part].isEnabled
  return isDeepStrictEqual(before, after) ? before : saveChange(tx, after)
}
