import { hourMs } from '../../base/clock.ts'
import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { secretText, secretUuid, sha256 } from '../../base/random.ts'
import { readOffers, priceLines } from '../carts/load-cart.ts'
import { keyOf, type Line, type LineKey, type AddItem, addUnits } from '../carts/cart.ts'
import { offerNotFound, refuseIf } from '../carts/rules.ts'
import type { CartSettings, Shopper } from '../carts/shopper.ts'
import { findCart } from '../carts/store.ts'
import { insertSharedCart } from './store.ts'
import { sharedCartCreated } from './events.ts'
import { brokenWhenShared, type Member, type SharedCart } from './shared-cart.ts'

interface SharedCartInput {
  /** Initial items; a copy of the buyer's own cart when omitted. */
  items: readonly AddItem[] | undefined
  /** Clients who may join without the token. */
  participantIds: readonly number[]
  hours: number
  title: string | null
}

export const creatorPlace = 0
const tokenLength = 32

/** A join token with its hash, which joining compares, and encrypted for the creator. */
export function newToken(
  { vault }: CartSettings,
  id: string,
): { token: string; tokenHash: Buffer; sealedToken: Buffer } {
  const token = secretText(tokenLength)
  return { token, tokenHash: sha256(token), sealedToken: vault.seal(token, tokenOwner(id)) }
}

/** The join token of an open shared cart; undefined when it cannot be decrypted any more. */
export function readToken({ vault }: CartSettings, cart: SharedCart): string | undefined {
  if (cart.sealedToken === null || cart.closedAt !== null) return undefined
  try {
    return vault.open(cart.sealedToken, tokenOwner(cart.id))
  } catch {
    return undefined
  }
}

const tokenOwner = (id: string): string => `shared-cart/${id}`

/** Creates a shared cart. */
export async function createSharedCart(
  tx: Tx,
  shopper: Shopper,
  { items, participantIds, hours, title }: SharedCartInput,
): Promise<{ cart: SharedCart; token: string }> {
  const id = secretUuid()
  const { token, tokenHash, sealedToken } = newToken(shopper.settings, id)
  const lines = items ? await linesFrom(tx, shopper, items) : await copyCartLines(tx, shopper)
  const cart: SharedCart = {
    id,
    title,
    tokenHash,
    sealedToken,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
    expiresAt: new Date(tx.now.getTime() + hours * hourMs),
    closedAt: null,
    takenBy: null,
    members: membersOf(shopper, participantIds, tx.now),
    lines: lines.map((it) => ({ ...it, place: creatorPlace })),
  }
  insertSharedCart(tx, cart)
  publish(tx, sharedCartCreated(cart, shopper.buyer, tx.now))
  return { cart, token }
}

function membersOf({ buyer }: Shopper, participantIds: readonly number[], now: Date): Member[] {
  const others = [...new Set(participantIds)].filter((it) => buyer.kind === 'guest' || it !== buyer.clientId)
  return [
    { place: creatorPlace, buyer, joinedAt: now },
    ...others.map((clientId, at): Member => ({
      place: at + 1,
      buyer: { kind: 'client', clientId },
      joinedAt: null,
    })),
  ]
}

async function linesFrom(tx: Tx, shopper: Shopper, items: readonly AddItem[]): Promise<Line[]> {
  const keys: LineKey[] = [...new Map(items.map((it) => [keyOf(it), it])).values()]
  const fresh = await readOffers(tx, keys)
  const position = items.findIndex((it) => !fresh.has(keyOf(it)))
  if (position >= 0) throw offerNotFound(items[position]!, { position })
  const lines = items
    .reduce<Line[]>((so, item) => {
      const { priceTiyin } = fresh.get(keyOf(item))!
      return addUnits(so, item, { priceTiyin, now: tx.now })
    }, [])
    .map((it) => ({ ...it, place: creatorPlace }))
  refuseIf(brokenWhenShared(await priceLines(tx, shopper, { lines, fresh }), lines))
  return lines
}

/** Loan conditions are not copied: the member who takes the cart chooses them. */
async function copyCartLines(tx: Tx, { buyer, settings }: Shopper): Promise<Line[]> {
  const found = await findCart(tx, buyer, settings.dayOf(tx.now))
  return (found?.cart.lines ?? []).map((it) => ({
    ...it,
    loanConditionId: null,
    reservedUntil: null,
    addedAt: tx.now,
    updatedAt: tx.now,
  }))
}
