// Tasks of one server process take turns, so that at most one of them competes with serving for processors, caches and the
// database. `app.ts` creates one queue for both environments.

import { setTimeout as sleep } from 'node:timers/promises'

interface QueueOptions {
  /** Between the end of one task and the start of the next. */
  pauseMs?: number
  /** After this wait a task starts beside those before it, so that one that hangs does not hold up the others. */
  longestWaitMs?: number
}

const defaultPauseMs = 2_000
/** With the time of a training, less than the time after which a training is considered dead. */
const defaultLongestWaitMs = 240_000

export class TaskQueue {
  readonly #pauseMs: number
  readonly #longestWaitMs: number
  /** Resolves when every task so far has ended. */
  #ended: Promise<unknown> | undefined

  constructor({ pauseMs = defaultPauseMs, longestWaitMs = defaultLongestWaitMs }: QueueOptions = {}) {
    this.#pauseMs = pauseMs
    this.#longestWaitMs = longestWaitMs
  }

  /** Starts the work when its turn comes; rejects without starting it when the signal is aborted before. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#ended
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const all = Promise.all([before, ended])
    this.#ended = all
    try {
      if (before) await this.#turn(before, signal)
      signal?.throwIfAborted()
      return await work()
    } finally {
      end()
      void all.then(() => {
        if (this.#ended === all) this.#ended = undefined
      })
    }
  }

  async #turn(before: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
    const waiting = new AbortController()
    const limits = AbortSignal.any([waiting.signal, ...(signal ? [signal] : [])])
    const sleepFor = (ms: number) => sleep(ms, undefined, { signal: limits })
    try {
      await Promise.race([before.then(() => sleepFor(this.#pauseMs)), sleepFor(this.#longestWaitMs)])
    } finally {
      waiting.abort()
    }
  }
}
