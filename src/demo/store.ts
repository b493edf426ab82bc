// The loading progress of the demo history.

import type { Reader, Tx } from '../base/database.ts'

export interface HistoryState {
  /** The end of the simulated period. */
  endsAt: Date
  /** Whose interactions come next. After all buyers it counts on for their searches. */
  nextBuyer: number
}

/** Does nothing if a history exists. */
export function insertHistory(tx: Tx): void {
  tx.later(`insert into demo_histories (ends_at) values ($1) on conflict do nothing`, [tx.now])
}

/** Locks and returns the unfinished history. */
export const lockHistory = (tx: Tx): Promise<HistoryState | undefined> =>
  tx.maybe<HistoryState>(
    `select ends_at as "endsAt", next_buyer as "nextBuyer" from demo_histories where finished_at is null for update`,
  )

/** The unfinished history. */
export const findHistory = (read: Reader): Promise<HistoryState | undefined> =>
  read.maybe<HistoryState>(
    `select ends_at as "endsAt", next_buyer as "nextBuyer" from demo_histories where finished_at is null`,
  )

export function saveHistory(tx: Tx, nextBuyer: number): void {
  tx.later(`update demo_histories set next_buyer = $1`, [nextBuyer])
}

export function finishHistory(tx: Tx): void {
  tx.later(`update demo_histories set finished_at = $1 where finished_at is null`, [tx.now])
}

export const isHistoryLoading = async (read: Reader): Promise<boolean> =>
  (await read.maybe(`select 1 from demo_histories where finished_at is null`)) !== undefined
