import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { secretText, secretUuid, sha256 } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import { freshSheets } from '../basket.ts'
import { keyOf, type Line, type LineKey, type Wish, withUnits } from '../cart.ts'
import { judgedLines } from '../judge-lines.ts'
import { refuseIf } from '../rules.ts'
import type { Shopper } from '../shopper.ts'
import { findCart } from '../store/carts.ts'
import { insertSharedCart } from '../store/shared-carts.ts'
import { sharedCartCreated } from './facts.ts'
import { brokenWhenShared, type Member, type SharedCart } from './shared-cart.ts'

interface Plan {
  /** What it begins with; a copy of the buyer's own cart when left out. */
  wishes: readonly Wish[] | undefined
  /** Clients who may come in without the token. */
  participantIds: readonly number[]
  hours: number
  title: string | null
}

const hourMs = 3_600_000
const creatorsPlace = 0
const tokenLength = 32

/** A token that lets people join, and what is kept of it. */
export function newToken(): { token: string; tokenHash: Buffer } {
  const token = secretText(tokenLength)
  return { token, tokenHash: sha256(token) }
}

/** Opens a cart that several people fill. The token is told now and never again. */
export async function createSharedCart(
  tx: Tx,
  shopper: Shopper,
  { wishes, participantIds, hours, title }: Plan,
): Promise<{ cart: SharedCart; token: string }> {
  const { token, tokenHash } = newToken()
  const lines = wishes ? await wishedLines(tx, shopper, wishes) : await copiedLines(tx, shopper)
  const cart: SharedCart = {
    id: secretUuid(),
    title,
    tokenHash,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
    expiresAt: new Date(tx.now.getTime() + hours * hourMs),
    closedAt: null,
    takenBy: null,
    members: membersOf(shopper, participantIds, tx.now),
    lines: lines.map((it) => ({ ...it, place: creatorsPlace })),
  }
  insertSharedCart(tx, cart)
  await publish(tx, sharedCartCreated(cart, shopper.buyer, tx.now))
  return { cart, token }
}

function membersOf({ buyer }: Shopper, participantIds: readonly number[], now: Date): Member[] {
  const others = [...new Set(participantIds)].filter((it) => buyer.kind === 'guest' || it !== buyer.clientId)
  return [
    { place: creatorsPlace, buyer, joinedAt: now },
    ...others.map((clientId, at): Member => ({
      place: at + 1,
      buyer: { kind: 'client', clientId },
      joinedAt: null,
    })),
  ]
}

async function wishedLines(tx: Tx, shopper: Shopper, wishes: readonly Wish[]): Promise<Line[]> {
  const keys: LineKey[] = [...new Map(wishes.map((it) => [keyOf(it), it])).values()]
  const fresh = await freshSheets(tx, keys)
  if (keys.some((it) => !fresh.has(keyOf(it)))) throw refuse('not_found')
  const lines = wishes
    .reduce<Line[]>((so, wish) => {
      const { priceTiyin } = fresh.get(keyOf(wish))!
      return withUnits(so, wish, { priceTiyin, now: tx.now })
    }, [])
    .map((it) => ({ ...it, place: creatorsPlace }))
  refuseIf(brokenWhenShared(await judgedLines(tx, shopper, { lines, fresh }), lines))
  return lines
}

/** Loan conditions stay behind: whoever takes the cart chooses his own. */
async function copiedLines(tx: Tx, { buyer, terms }: Shopper): Promise<Line[]> {
  const found = await findCart(tx, buyer, terms.dayOf(tx.now))
  return (found?.cart.lines ?? []).map((it) => ({
    ...it,
    loanConditionId: null,
    reservedUntil: null,
    addedAt: tx.now,
    updatedAt: tx.now,
  }))
}
