import type { Tx } from './database.ts'
import { refuse } from './refusal.ts'

interface Identified {
  id: string | number
}

interface LockedRead<T extends Identified> {
  /** Locks the row and returns its id; undefined when it locked none. */
  lock(): Promise<Identified | undefined>
  /** Reads the row with all that belongs to it. */
  read(): Promise<T | undefined>
}

/** Each repetition means that another transaction committed in between. */
const maxAttempts = 20

/**
 * Locks a row and reads it with a second statement, both in one packet. The lock statement sees only rows that were
 * committed when it began: a row that is committed, or deleted and created again, while it waits is not locked, but the
 * read finds it. The locked id is compared with the one that was read, and both statements are repeated until they agree.
 */
export async function readLocked<T extends Identified>(
  tx: Pick<Tx, 'pipeline'>,
  { lock, read }: LockedRead<T>,
): Promise<T | undefined> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const [locked, found] = await tx.pipeline(() => Promise.all([lock(), read()]))
    if (!found || found.id === locked?.id) return found
  }
  throw refuse('service_unavailable', { retry_after: 1 })
}
