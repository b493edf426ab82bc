// Who asks and what the page is about, as far as the shop knows it in time.

import type { Reader } from '../base/db.ts'
import { offersInCart, type ShownCart } from '../cart/index.ts'
import { moderatedOffersShown, offersShown } from '../catalog/index.ts'
import type { Ask } from './ask.ts'
import { type History, historyOf, productsOfOffers } from './behaviour/history.ts'
import type { Deed } from './behaviour/interaction.ts'

export interface About {
  /** Under which the buyer is known best; null for somebody unknown. */
  buyer: string | null
  /** The latest first. */
  deeds: readonly Deed[]
  /** The products that the page is about, in the order given. */
  context: number[]
  inCart: ReadonlySet<number>
}

/** A page waits so long for what is known of its buyer; after that it is answered without. */
const patienceMs = 200

export async function aboutOf(read: Reader, asked: Ask): Promise<About> {
  const nobody: { history: History | undefined; inCart: Set<number> } = {
    history: undefined,
    inCart: new Set(),
  }
  const [context, { history, inCart }] = await Promise.all([
    contextOf(read, asked),
    inTime(buyersSide(read, asked.buyers), nobody),
  ])
  return { buyer: history?.buyer ?? null, deeds: history?.deeds ?? [], context, inCart }
}

async function buyersSide(read: Reader, names: readonly string[]) {
  const history = await historyOf(read, names)
  const known = history && !names.includes(history.buyer) ? [...names, history.buyer] : names
  return { history, inCart: await productsInCarts(read, await offersInCart(read, known)) }
}

async function productsInCarts(read: Reader, carts: readonly ShownCart[]): Promise<Set<number>> {
  if (carts.length === 0) return new Set()
  const [ordinary, moderated] = await Promise.all([
    offersShown(
      read,
      carts.flatMap((it) => it.offerIds),
    ),
    moderatedOffersShown(
      read,
      carts.flatMap((it) => it.moderatedOfferIds),
    ),
  ])
  return new Set([...ordinary.values(), ...moderated.values()].map((it) => it.productId))
}

/** What names nothing is passed over. */
async function contextOf(read: Reader, { offers, products }: Ask): Promise<number[]> {
  if (offers.length === 0) return products
  const productOf = await productsOfOffers(read, offers)
  return [...new Set([...products, ...offers.flatMap((it) => productOf.get(it) ?? [])])]
}

/** What a promise gives in time, else what is given in its place. A failure counts as too late. */
async function inTime<T>(promise: Promise<T>, otherwise: T): Promise<T> {
  const { promise: late, resolve } = Promise.withResolvers<T>()
  const timer = setTimeout(() => resolve(otherwise), patienceMs)
  try {
    return await Promise.race([promise.catch(() => otherwise), late])
  } finally {
    clearTimeout(timer)
  }
}
