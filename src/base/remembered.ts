import type { Reader } from './db.ts'
import { refuse } from './refusal.ts'

/** A reader that asks nobody: it knows what is remembered, and nothing else. For answers that cannot wait. */
export const remembered = (read: Reader): Reader => {
  const nobody = () => Promise.reject(refuse('storage_unavailable', { retry_after: 2 }))
  return {
    environment: read.environment,
    now: read.now,
    all: nobody,
    one: nobody,
    maybe: nobody,
    recall: (kind, keys) => read.recall(kind, keys, async () => new Map()),
  }
}
