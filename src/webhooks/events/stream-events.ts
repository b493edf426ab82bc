import type { Reader } from '../../base/database.ts'
import { eventsById } from '../../base/outbox.ts'
import type { EventType } from '../../events.ts'
import type { StreamedEvent, RecentEvents } from './recent-events.ts'

const heartbeatMs = 15_000
const reconnectMs = 1_000

export interface StreamFilter {
  types: ReadonlySet<EventType> | undefined
  subject: string | undefined
  /** The id of the last event that the client has received. */
  lastEventId: string | undefined
}

/**
 * A live stream of server-sent events. The only state per client is a position: a slow client is not read ahead for, and
 * continues from memory or from the event log when it reads again.
 */
export async function* streamEvents(
  recent: RecentEvents,
  { filter, read, signal }: { filter: StreamFilter; read: Reader; signal: AbortSignal },
): AsyncGenerator<Buffer, void> {
  const changed = new Signal()
  let isHeartbeatDue = false
  const heartbeat = setInterval(() => {
    isHeartbeatDue = true
    changed.set()
  }, heartbeatMs)
  const unsubscribe = recent.watch(changed.set)
  signal.addEventListener('abort', changed.set)
  try {
    let position = await startPosition(recent, read, filter.lastEventId)
    yield await opening(recent, position)
    while (!signal.aborted) {
      const batch = await recent.after(position)
      const matching = batch.filter((it) => matches(it, filter))
      if (matching.length > 0 || isHeartbeatDue) {
        // A comment keeps the connection open through proxies, and detects clients that are gone.
        yield matching.length > 0 ? bytesOf(matching) : comment
        isHeartbeatDue = false
        heartbeat.refresh()
      }
      position = batch.at(-1)?.position ?? position
      if (batch.length === 0) await changed.wait()
    }
  } finally {
    unsubscribe()
    clearInterval(heartbeat)
  }
}

/** The id says where the stream begins, so that a client which is cut off before its first event misses none. */
async function opening(recent: RecentEvents, position: number): Promise<Buffer> {
  const [last] = await recent.after(position - 1)
  return Buffer.from(`retry: ${reconnectMs}\n${last?.position === position ? `id: ${last.id}\n` : ''}\n`)
}

/** Usually it is one event, whose bytes all clients share. */
const bytesOf = (events: readonly StreamedEvent[]): Buffer =>
  events.length === 1 ? events[0]!.bytes : Buffer.concat(events.map((it) => it.bytes))

const comment = Buffer.from(':\n\n')

/** Wakes one waiter. A signal that is set before the wait ends the next wait at once. */
class Signal {
  #isSet = false
  #wake: (() => void) | undefined

  readonly set = (): void => {
    this.#isSet = true
    this.#wake?.()
  }

  async wait(): Promise<void> {
    if (!this.#isSet) await new Promise<void>((wake) => (this.#wake = wake))
    this.#isSet = false
    this.#wake = undefined
  }
}

/** A client whose last event has been purged continues with the oldest event of the log. */
async function startPosition(
  recent: RecentEvents,
  read: Reader,
  lastEventId: string | undefined,
): Promise<number> {
  if (lastEventId === undefined) return recent.newest()
  const [last] = await eventsById(read, [lastEventId])
  return last?.position ?? 0
}

const matches = ({ event, subject }: StreamedEvent, filter: StreamFilter): boolean =>
  (filter.types === undefined || filter.types.has(event.type)) &&
  (filter.subject === undefined || filter.subject === subject)
