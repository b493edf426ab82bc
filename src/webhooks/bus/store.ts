// SQL of the message bus position: up to where events have been sent, and which process sends.

import type { Reader, Tx } from '../../base/database.ts'

export const busPosition = async (read: Reader): Promise<number | undefined> =>
  (await read.maybe<{ position: number }>(`select position from webhooks_bus`))?.position

/** With a new bus, publishing starts at the newest event. */
export const initBusPosition = (tx: Tx, position: number): void => {
  tx.later(`insert into webhooks_bus (position) values ($1) on conflict do nothing`, [position])
}

/** The position, if this process holds or gets the lease. A lease far in the future was taken while the clock was ahead. */
export const leaseBus = async (
  tx: Tx,
  { lease, leaseSeconds }: { lease: string; leaseSeconds: number },
): Promise<number | undefined> =>
  (
    await tx.maybe<{ position: number }>(
      `update webhooks_bus set lease = $1, leased_until = clock_timestamp() + make_interval(secs => $2::float8)
       where leased_until is null or lease = $1
         or leased_until not between clock_timestamp() and clock_timestamp() + make_interval(secs => 2 * $2::float8)
       returning position`,
      [lease, leaseSeconds],
    )
  )?.position

/** Saves the position up to which JetStream has stored events; without the lease nothing is saved. */
export const saveBusPosition = (tx: Tx, lease: string, position: number): void => {
  tx.later(`update webhooks_bus set position = greatest(position, $2) where lease = $1`, [lease, position])
}

export const releaseBus = (tx: Tx, lease: string): void => {
  tx.later(`update webhooks_bus set lease = null, leased_until = null where lease = $1`, [lease])
}
