import type { Bozor, Event, StreamOptions } from '../sdk/index.ts'
import type { CommandContext } from './command.ts'
import { whenStopped } from './when-stopped.ts'

/** Passes on events until Ctrl-C, the end of the output or the limit. The SDK reconnects by itself. */
export async function followEvents(
  { context, bozor }: { context: CommandContext; bozor: Bozor },
  { limit, ...options }: StreamOptions & { limit: number },
  handle: (event: Event) => void | Promise<void>,
): Promise<void> {
  const stop = new AbortController()
  void whenStopped(context).then(() => stop.abort())
  let count = 0
  try {
    for await (const event of bozor.events.stream({ ...options, signal: stop.signal })) {
      await handle(event)
      if (++count >= limit) break
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    stop.abort()
  }
}
