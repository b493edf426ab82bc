import { type Reaction, reaction } from '../base/outbox.ts'
import { hastenAll } from './store/deliveries.ts'

/** What the deliveries do when others speak. */
export const reactions: Reaction[] = [
  // Set back to the real one: instants that lay near in the future of before would else lie far off.
  reaction('webhooks.try-now', 'TestClockMoved', async (tx, { event }) => {
    if (event.offsetSeconds === 0) await hastenAll(tx, new Date(event.movedAt))
  }),
]
