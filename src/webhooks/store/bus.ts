// How far the message bus has been told.

import type { Reader, Tx } from '../../base/db.ts'

export const busPosition = async (read: Reader): Promise<number | undefined> =>
  (await read.maybe<{ position: number }>(`select position from webhooks_bus`))?.position

/** A shop that gets a bus tells it what happens from then on. */
export const beginBus = async (tx: Tx, position: number): Promise<void> => {
  tx.later(`insert into webhooks_bus (position) values ($1) on conflict do nothing`, [position])
}

/** The position, if it is this process's turn to tell. */
export const takeTurn = async (
  tx: Tx,
  { lease, leaseSeconds }: { lease: string; leaseSeconds: number },
): Promise<number | undefined> =>
  (
    await tx.maybe<{ position: number }>(
      `update webhooks_bus set lease = $1, leased_until = clock_timestamp() + make_interval(secs => $2)
       where leased_until is null or leased_until < clock_timestamp() or lease = $1 returning position`,
      [lease, leaseSeconds],
    )
  )?.position

/** Notes that everything up to a position has arrived; one whose turn was taken over notes nothing. */
export const noteArrived = async (tx: Tx, lease: string, position: number): Promise<void> => {
  tx.later(`update webhooks_bus set position = greatest(position, $2) where lease = $1`, [lease, position])
}

export const endTurn = async (tx: Tx, lease: string): Promise<void> => {
  tx.later(`update webhooks_bus set lease = null, leased_until = null where lease = $1`, [lease])
}
