// Trainings that a request starts: they go on after the reply, and end with the server.

import type pg from 'pg'
import type { Database, Environment } from '../../base/database.ts'
import type { Log } from '../../base/log.ts'
import type { TaskQueue } from '../../base/task-queue.ts'
import { recordDeath, runTraining, TrainingProcessDied } from './run-training.ts'

export interface RequestedTraining {
  db: Database
  environment: Environment
  replacesRanker: boolean
  trainingId: number
}

export class RequestedTrainings {
  readonly #connection: pg.PoolConfig
  readonly #queue: TaskQueue
  readonly #log: Log
  readonly #stop = new AbortController()
  readonly #running = new Set<Promise<void>>()

  constructor(connection: pg.PoolConfig, queue: TaskQueue, log: Log) {
    this.#connection = connection
    this.#queue = queue
    this.#log = log
  }

  /** Returns at once; the record of the training shows how it ended. */
  start(training: RequestedTraining): void {
    const run = this.#run(training).catch((error: unknown) =>
      this.#log.error('the failure of a training could not be saved', { error }),
    )
    this.#running.add(run)
    void run.then(() => this.#running.delete(run))
  }

  async #run({ db, ...order }: RequestedTraining): Promise<void> {
    try {
      await runTraining(
        { ...order, connection: this.#connection },
        { queue: this.#queue, signal: this.#stop.signal },
      )
    } catch (error) {
      this.#log.error('training failed', { environment: order.environment, error })
      if (error instanceof TrainingProcessDied) await db.transaction((tx) => recordDeath(tx, error))
    }
  }

  /** Stops the running ones and records that. */
  async close(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#running)
  }
}
