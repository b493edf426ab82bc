import type { Reader } from '../base/db.ts'
import { unchangedSince } from './store/clean-up.ts'

const dayMs = 86_400_000
const mostAtOnce = 1_000

export interface StaleCarts {
  clientIds: number[]
  sessionIds: string[]
  /** Where the next page goes on; undefined when this was the last one. */
  next: string | undefined
}

/** Whose carts have stayed unchanged for so many days (SPEC-2 6.3), a thousand at a time. */
export async function findStaleCarts(read: Reader, days: number, after?: string): Promise<StaleCarts> {
  const since = new Date(read.now.getTime() - days * dayMs)
  const rows = await unchangedSince(read, since, { after, limit: mostAtOnce })
  return {
    clientIds: rows.flatMap((it) => it.clientId ?? []),
    sessionIds: rows.flatMap((it) => it.sessionId ?? []),
    next: rows.length < mostAtOnce ? undefined : rows.at(-1)!.cartId,
  }
}
