// How far the past of a demo shop has come.

import type { Reader, Tx } from '../base/db.ts'

export interface LifeState {
  /** The instant up to which the buyers live. */
  endsAt: Date
  nextBuyer: number
}

/** Begins a life that ends now, unless there is one. */
export function insertLife(tx: Tx): void {
  tx.later(`insert into demo_lives (ends_at) values ($1) on conflict do nothing`, [tx.now])
}

/** A life that has not come to its end, held for this transaction. */
export const lockLife = (tx: Tx): Promise<LifeState | undefined> =>
  tx.maybe<LifeState>(
    `select ends_at as "endsAt", next_buyer as "nextBuyer" from demo_lives where finished_at is null for update`,
  )

export function saveLife(tx: Tx, nextBuyer: number): void {
  tx.later(`update demo_lives set next_buyer = $1`, [nextBuyer])
}

export function endLife(tx: Tx): void {
  tx.later(`update demo_lives set finished_at = $1 where finished_at is null`, [tx.now])
}

export const isLifeUnderWay = async (read: Reader): Promise<boolean> =>
  (await read.maybe(`select 1 from demo_lives where finished_at is null`)) !== undefined
