// Buyer keys and aliases. A client's key is the client id. Any other identifier may be a session token that opens a cart,
// so it is neither stored nor published: its key is the hash that cart events use too. Clients collect aliases: the
// guest sessions they signed in from, and their external ids.

import { guestPublicId } from '../../base/buyer.ts'
import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { timedUuid } from '../../base/random.ts'
import { clientsClaiming, findClients } from '../../identity/index.ts'
import * as aliasStore from './alias-store.ts'

const clientKeyPattern = /^[1-9]\d{0,15}$/
const guestKeyPattern = /^guest-[0-9a-f]{32}$/
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const sessionPattern = /^gs_(live|test)_/

export const isClientKey = (key: string): boolean =>
  clientKeyPattern.test(key) && Number.isSafeInteger(Number(key))

/** The key of an identifier. Idempotent: a key is its own key. */
export const buyerKeyOf = (identifier: string): string =>
  isClientKey(identifier) || guestKeyPattern.test(identifier) ? identifier : guestPublicId(identifier)

/** The identifier to store beside the key; null where it equals the key or is a session token. */
export const originalIdentifier = (identifier: string): string | null =>
  isClientKey(identifier) || guestKeyPattern.test(identifier) || sessionPattern.test(identifier)
    ? null
    : identifier

/** The keys that an identifier may have, as it is sent first. UUIDs match in any case: Apple writes them in capitals. */
export function possibleKeys(identifier: string): string[] {
  if (!uuidPattern.test(identifier)) return [buyerKeyOf(identifier)]
  const variants = [identifier, identifier.toLowerCase(), identifier.toUpperCase()]
  return [...new Set(variants.map(buyerKeyOf))]
}

/** Keys of an external id. An id of digits alone has no key, because it would be another client's. */
export const externalIdKeys = (id: string): string[] => (isClientKey(id) ? [] : possibleKeys(id))

/** Sessions beyond this number per client are dropped, oldest first. */
export const maxSessions = 100

export interface IdentifiedGuest {
  identifier: string
  clientId: number
}

/** Interactions of these guests count for their clients from now on. The first link of an alias wins. */
export async function linkGuests(tx: Tx, guests: readonly IdentifiedGuest[]): Promise<void> {
  const links = guests
    .map(({ identifier, clientId }) => ({ alias: buyerKeyOf(identifier), buyer: String(clientId) }))
    .filter((it) => !isClientKey(it.alias))
    .map((it) => ({ ...it, kind: 'session' as const, original: null }))
  if (links.length === 0) return
  const added = await aliasStore.insertAliases(tx, links)
  if (added.length === 0) return
  const trimmed = await aliasStore.trimSessions(tx, [...new Set(added.map((it) => it.buyer))], maxSessions)
  publishLinked(tx, [...added, ...trimmed])
}

/**
 * Brings the aliases of clients in line with their external ids. An id that two clients claim belongs to the first until
 * that client gives it up; then the claiming client with the lowest id gets it.
 */
export async function linkExternalIds(tx: Tx, clientIds: readonly number[]): Promise<void> {
  const clients = await findClients(tx, clientIds)
  const wanted = clients.flatMap(linksOf)
  const removed = await aliasStore.deleteExternalAliases(
    tx,
    clientIds.map(String),
    wanted.map((it) => it.alias),
  )
  const links = [...wanted, ...(await claimedLinks(tx, removed))]
  const added = links.length > 0 ? await aliasStore.insertAliases(tx, links) : []
  publishLinked(tx, [...removed, ...added])
}

/** Deletes the behaviour of erased clients: interactions, logged lists and aliases. */
export async function eraseBuyers(tx: Tx, clientIds: readonly number[]): Promise<void> {
  const buyers = clientIds.map(String)
  const removed = await aliasStore.deleteAliases(tx, buyers)
  const own = buyers.map((it) => ({ alias: it, buyer: it }))
  aliasStore.deleteBehaviour(
    tx,
    [...own, ...removed].map((it) => it.alias),
  )
  const links = await claimedLinks(tx, removed)
  const added = links.length > 0 ? await aliasStore.insertAliases(tx, links) : []
  publishLinked(tx, [...own, ...removed, ...added])
}

/** The behaviour of a duplicate counts for the remaining client. */
export async function mergeBuyers(tx: Tx, { from, into }: { from: number; into: number }): Promise<void> {
  const move = { from: String(from), into: String(into) }
  const moved = await aliasStore.moveAliases(tx, move)
  aliasStore.moveBehaviour(tx, move)
  publishLinked(tx, [{ alias: move.from, buyer: move.into }, ...moved])
}

/** The links of other clients that claim the external ids of removed aliases. */
async function claimedLinks(
  tx: Tx,
  removed: readonly { original: string | null }[],
): Promise<aliasStore.AliasLink[]> {
  const originals = removed.flatMap((it) => it.original ?? [])
  return originals.length > 0 ? (await clientsClaiming(tx, originals)).flatMap(linksOf) : []
}

const linksOf = ({
  id,
  externalIds,
}: {
  id: number
  externalIds: readonly string[]
}): aliasStore.AliasLink[] =>
  externalIds.flatMap((original) =>
    externalIdKeys(original).map((alias) => ({ alias, buyer: String(id), kind: 'external', original })),
  )

function publishLinked(tx: Tx, links: readonly { alias: string; buyer: string }[]): void {
  if (links.length === 0) return
  publish(tx, {
    type: 'BuyersRecognised',
    batchId: timedUuid(tx.now),
    buyers: [...new Set(links.map((it) => it.buyer))],
    names: [...new Set(links.map((it) => it.alias))],
  })
}
