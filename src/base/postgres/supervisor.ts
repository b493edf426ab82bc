// Keeps a postmaster running until it is stopped.

import { elapsedMs } from '../clock.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { type PostmasterOptions, type Postmaster, startPostmaster, stopPostmaster } from './postmaster.ts'

export class Supervisor {
  #options: PostmasterOptions
  #current: Postmaster | undefined
  #stopping = new AbortController()
  #watch: Promise<void>

  /** Starts or adopts the postmaster; resolves when it is ready. */
  static async start(options: PostmasterOptions): Promise<Supervisor> {
    return new Supervisor(options, await startPostmaster(options, new AbortController().signal))
  }

  private constructor(options: PostmasterOptions, first: Postmaster) {
    // Clients keep the address, so a successor must listen there too.
    this.#options = { ...options, socketDir: first.socketDir }
    this.#current = first
    this.#watch = this.#keepRunning()
  }

  get socketDir(): string {
    return this.#options.socketDir
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    // The supervision does not keep the process alive, so this timer does.
    const hold = setInterval(() => {}, 1000)
    try {
      if (this.#current) await stopPostmaster(this.#current.pid)
      await this.#watch
    } finally {
      clearInterval(hold)
    }
  }

  async #keepRunning(): Promise<void> {
    let failures = 0
    while (this.#current) {
      const { pid, ended } = this.#current
      const readyAt = elapsedMs()
      await ended
      this.#current = undefined
      if (this.#stopping.signal.aborted) return
      this.#options.log('PostgreSQL ended unexpectedly; restarting it', { pid })
      if (elapsedMs() - readyAt > steadyMs) failures = 0
      while (!(await this.#restart(failures))) failures++
      failures++
    }
  }

  /** True when a postmaster runs again, or when it was stopped. */
  async #restart(failures: number): Promise<boolean> {
    const { signal } = this.#stopping
    await sleep(pauseMs(failures), undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted) return true
    try {
      const successor = await startPostmaster(this.#options, signal)
      this.#current = successor
      this.#options.log('PostgreSQL restarted', { pid: successor.pid })
      if (signal.aborted) await stopPostmaster(successor.pid)
      return true
    } catch (error) {
      if (signal.aborted) return true
      this.#options.log('PostgreSQL restart failed; retrying', { error: String(error) })
      return false
    }
  }
}

/** After running this long, the next end counts as the first failure. */
const steadyMs = 30_000

/** Immediately after the first failure, then with growing pauses up to ten seconds. */
export const pauseMs = (failures: number) => (failures === 0 ? 0 : Math.min(100 * 2 ** failures, 10_000))
