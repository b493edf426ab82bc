import type { Reader } from './transaction.ts'
import { refuse } from './refusal.ts'

/** A reader of the cache alone: everything that would query the database is refused. For replies that cannot wait. */
export const cacheOnly = (read: Reader): Reader => {
  const unavailable = () => Promise.reject(refuse('storage_unavailable', { retry_after: 2 }))
  return {
    environment: read.environment,
    now: read.now,
    all: unavailable,
    one: unavailable,
    maybe: unavailable,
    together: unavailable,
    cached: (kind, keys) => read.cached(kind, keys, async () => new Map()),
  }
}
