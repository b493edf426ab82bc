// The end of a server under load. A call is lost in two ways: its connection waits unaccepted while the port closes, or
// the server closes an idle connection just as a request arrives on it. Draining avoids both.

import { Server as NetServer } from 'node:net'
import type { Server as HttpServer } from 'node:http'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { elapsedMs } from '../base/clock.ts'
import type { Connections } from './connections.ts'

export interface DrainPeriod {
  /** How long the port stays open. 0: it closes at once, with `close`. */
  forMs: number
  /**
   * Whether the period ends as soon as no connection is open. Behind a proxy, no open connection does not mean that no
   * request will come.
   */
  endsEarly: boolean
  /** With several workers on one port: resolves when all of them have reached this step. */
  together?: (step: DrainStep) => Promise<void>
}

export type DrainStep = 'quiet' | 'closed'

export interface Drain {
  /** Whether replies end their connections. */
  readonly isDraining: boolean
  /** Replies wait for this promise while the port closes. */
  readonly held: Promise<void> | undefined
  run(period: DrainPeriod): Promise<void>
}

/** Waiting is counted in checks, not in time: time also passes while neither the server nor its callers get a processor. */
const checkEveryMs = 20
/**
 * Before the port closes, replies are held until no connection was opened and no reply ended in this many checks in a
 * row. A caller that waits for its reply opens no connection, so none waits in the kernel when the port closes.
 */
const quietChecks = 12
const maxHoldChecks = 75
const maxHoldMs = 3_500
/** A connection without a request in this many checks is closed once the port is closed. */
const idleChecks = 10

export function openDrain(
  server: HttpServer,
  { connections, onPortClosed }: { connections: Connections; onPortClosed: () => void },
): Drain {
  let isDraining = false
  let held: Promise<void> | undefined
  const closePort = async (together: DrainPeriod['together']) => {
    const { promise, resolve: release } = Promise.withResolvers<void>()
    held = promise
    const until = elapsedMs() + maxHoldMs
    let [quiet, seen] = [0, connections.activity()]
    for (let check = 0; check < maxHoldChecks && quiet < quietChecks && elapsedMs() < until; check++) {
      await sleep(checkEveryMs)
      const now = connections.activity()
      quiet = now === seen ? quiet + 1 : 0
      seen = now
    }
    await together?.('quiet')
    // Right after the turn in which the event loop accepted all that waited.
    await nextTurn()
    // The method of http.Server also closes idle connections, on which a request may just arrive.
    NetServer.prototype.close.call(server)
    await together?.('closed')
    held = undefined
    release()
  }
  return {
    get isDraining() {
      return isDraining
    },
    get held() {
      return held
    },
    run: async ({ forMs, endsEarly, together }) => {
      isDraining = true
      if (forMs === 0) return
      const until = elapsedMs() + forMs
      while (elapsedMs() < until && !(endsEarly && connections.count() === 0)) await sleep(checkEveryMs)
      await closePort(together)
      onPortClosed()
      while (connections.count() > 0) {
        connections.closeIdle(idleChecks)
        await sleep(checkEveryMs)
      }
    },
  }
}
