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
): AsyncGenerator<Buffer, void> {
  const bell = new Bell()
  let isSilent = false
  const silence = setInterval(() => {
    isSilent = true
    bell.ring()
  }, heartbeatMs)
  const leave = tail.watch(bell.ring)
  signal.addEventListener('abort', bell.ring)
  try {
    let position = await startOf(tail, read, wish.lastEventId)
    yield Buffer.from(`retry: ${reconnectMs}\n\n`)
    while (!signal.aborted) {
      const batch = await tail.after(position)
      const wanted = batch.filter((it) => isWanted(it, wish))
      if (wanted.length > 0 || isSilent) {
        // A comment keeps the line open through proxies, and shows us when nobody is there any more.
        yield wanted.length > 0 ? bytesOf(wanted) : comment
        isSilent = false
        silence.refresh()
      }
      position = batch.at(-1)?.position ?? position
      if (batch.length === 0) await bell.rung()
    }
  } finally {
    leave()
    clearInterval(silence)
  }
}

/** Most of the time it is one, whose bytes all followers share. */
const bytesOf = (wanted: readonly StreamedEvent[]): Buffer =>
  wanted.length === 1 ? wanted[0]!.bytes : Buffer.concat(wanted.map((it) => it.bytes))

const comment = Buffer.from(':\n\n')

/** Wakes one who waits. What rang while nobody waited is not forgotten. */
class Bell {
  #isRung = false
  #wake: (() => void) | undefined

  readonly ring = (): void => {
    this.#isRung = true
    this.#wake?.()
  }

  async rung(): Promise<void> {
    if (!this.#isRung) await new Promise<void>((wake) => (this.#wake = wake))
    this.#isRung = false
    this.#wake = undefined
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
