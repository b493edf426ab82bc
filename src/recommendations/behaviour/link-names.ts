// Several names of one buyer, put together. Only clients gather names: they are who signs in.

import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { timedUuid } from '../../base/random.ts'
import { clientsClaiming, findClients } from '../../identity/index.ts'
import * as store from '../store/names.ts'
import { isClientName, outsideNames, toldName } from './names.ts'

/** More sessions than anybody signs in from; beyond them the oldest no longer count. */
export const mostSessions = 100

export interface Recognised {
  /** By which he was known until now. */
  name: string
  clientId: number
}

/** From now on, what guests did counts as done by the clients that they turned out to be. The first word stands. */
export async function recogniseGuests(tx: Tx, guests: readonly Recognised[]): Promise<void> {
  const links = guests
    .map(({ name, clientId }) => ({ name: toldName(name), buyer: String(clientId) }))
    .filter((it) => !isClientName(it.name))
    .map((it) => ({ ...it, kind: 'session' as const, spelled: null }))
  if (links.length === 0) return
  const fresh = await store.insertNames(tx, links)
  if (fresh.length === 0) return
  const forgotten = await store.trimSessions(tx, [...new Set(fresh.map((it) => it.buyer))], mostSessions)
  await tell(tx, [...fresh, ...forgotten])
}

/**
 * Brings the outside names of clients to what their records say. A name that two clients claim is the first's, as long as
 * he claims it; then it goes to the one with the lowest number.
 */
export async function linkOutsideNames(tx: Tx, clientIds: readonly number[]): Promise<void> {
  const clients = await findClients(tx, clientIds)
  const wanted = clients.flatMap(linksOf)
  const gone = await store.deleteOutsideNames(
    tx,
    clientIds.map(String),
    wanted.map((it) => it.name),
  )
  const heirs =
    gone.length > 0
      ? await clientsClaiming(
          tx,
          gone.map((it) => it.spelled),
        )
      : []
  const links = [...wanted, ...heirs.flatMap(linksOf)]
  const fresh = links.length > 0 ? await store.insertNames(tx, links) : []
  await tell(tx, [...gone, ...fresh])
}

const linksOf = ({ id, externalIds }: { id: number; externalIds: readonly string[] }): store.NameLink[] =>
  externalIds.flatMap((spelled) =>
    outsideNames(spelled).map((name) => ({ name, buyer: String(id), kind: 'outside', spelled })),
  )

async function tell(tx: Tx, links: readonly { name: string; buyer: string }[]): Promise<void> {
  if (links.length === 0) return
  await publish(tx, {
    type: 'BuyersRecognised',
    batchId: timedUuid(tx.now),
    buyers: [...new Set(links.map((it) => it.buyer))],
    names: [...new Set(links.map((it) => it.name))],
  })
}
