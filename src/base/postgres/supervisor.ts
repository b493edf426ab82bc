// Keeps a postmaster running until told to stop.

import { elapsedMs } from '../clock.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Plan, type Postmaster, raisePostmaster, stopPostmaster } from './postmaster.ts'

export class Supervisor {
  #plan: Plan
  #current: Postmaster | undefined
  #stopping = new AbortController()
  #watch: Promise<void>

  /** Starts or adopts the postmaster, and answers once it is ready. */
  static async start(plan: Plan): Promise<Supervisor> {
    return new Supervisor(plan, await raisePostmaster(plan, new AbortController().signal))
  }

  private constructor(plan: Plan, first: Postmaster) {
    // Clients keep the address they were given, so a successor must listen there too.
    this.#plan = { ...plan, socketDir: first.socketDir }
    this.#current = first
    this.#watch = this.#keepRunning()
  }

  get socketDir(): string {
    return this.#plan.socketDir
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    // The watch keeps nothing alive, and here somebody waits for it.
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
      this.#plan.log('PostgreSQL ended by itself; starting it again', { pid })
      if (elapsedMs() - readyAt > steadyMs) failures = 0
      while (!(await this.#raiseAgain(failures))) failures++
      failures++
    }
  }

  /** True when a postmaster runs again, or none is wanted any more. */
  async #raiseAgain(failures: number): Promise<boolean> {
    const { signal } = this.#stopping
    await sleep(pauseMs(failures), undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted) return true
    try {
      const successor = await raisePostmaster(this.#plan, signal)
      this.#current = successor
      this.#plan.log('PostgreSQL runs again', { pid: successor.pid })
      if (signal.aborted) await stopPostmaster(successor.pid)
      return true
    } catch (error) {
      if (signal.aborted) return true
      this.#plan.log('PostgreSQL does not come back yet', { error: String(error) })
      return false
    }
  }
}

/** A database that ran this long counts as healthy, and its next end as a first one. */
const steadyMs = 30_000

/** At once after the first end, then ever more slowly up to ten seconds. */
export const pauseMs = (failures: number) => (failures === 0 ? 0 : Math.min(100 * 2 ** failures, 10_000))
