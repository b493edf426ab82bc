import { elapsedMs } from '../base/clock.ts'
import type { Reader } from '../base/db.ts'
import { eventsById } from '../base/outbox.ts'
import type { EventType } from '../events.ts'
import type { StreamedEvent, Tail } from './tail.ts'

const heartbeatMs = 15_000
const reconnectMs = 1_000

export interface StreamWish {
  types: ReadonlySet<EventType> | undefined
  subject: string | undefined
  /** The id of the last event that the follower has seen. */
  lastEventId: string | undefined
}

/**
 * Events as they happen, as a browser's EventSource reads them. A follower keeps nothing but his position: when he
 * is slow, he is simply not asked for more, and reads on from memory or from the log when he can.
 */
export async function* streamEvents(
  tail: Tail,
  { wish, read, signal }: { wish: StreamWish; read: Reader; signal: AbortSignal },
): AsyncGenerator<string, void> {
  let position = await startOf(tail, read, wish.lastEventId)
  yield `retry: ${reconnectMs}\n\n`
  let spokeAtMs = elapsedMs()
  while (!signal.aborted) {
    const batch = await tail.after(position)
    position = batch.at(-1)?.position ?? position
    const wanted = batch.filter((it) => isWanted(it, wish))
    const isSilent = elapsedMs() - spokeAtMs >= heartbeatMs
    if (wanted.length > 0 || isSilent) {
      // A comment keeps the line open through proxies, and shows us when nobody is there any more.
      yield wanted.length > 0 ? wanted.map((it) => it.text).join('') : ':\n\n'
      spokeAtMs = elapsedMs()
    }
    if (batch.length === 0) await tail.news(position, { waitMs: heartbeatMs + 10, signal })
  }
}

/** One whose last event is forgotten by now goes on with the oldest that is kept. */
async function startOf(tail: Tail, read: Reader, lastEventId: string | undefined): Promise<number> {
  if (lastEventId === undefined) return tail.newest()
  const [last] = await eventsById(read, [lastEventId])
  return last?.position ?? 0
}

const isWanted = ({ event, subject }: StreamedEvent, wish: StreamWish): boolean =>
  (wish.types === undefined || wish.types.has(event.type)) &&
  (wish.subject === undefined || wish.subject === subject)
