// Who asks and what the page is about, as far as the shop knows it in time.

import type { Reader } from '../base/db.ts'
import { inTime } from '../base/in-time.ts'
import { offersInCart, type ShownCart } from '../cart/index.ts'
import { moderatedOffersShown, type OfferSheet, productsOfOffers, type Shelves } from '../catalog/index.ts'
import type { Ask } from './ask.ts'
import { type History, historyOf } from './behaviour/history.ts'
import type { Deed } from './behaviour/interaction.ts'
import { isClientName } from './behaviour/names.ts'

export interface About {
  /** Our name for the buyer; null for somebody who gave none, or of whom nothing was heard in time. */
  buyer: string | null
  /** The name by which he draws his groups in experiments. */
  lot: string | null
  /** The latest first. */
  deeds: readonly Deed[]
  /** The products that the page is about, in the order given. */
  context: number[]
  inCart: ReadonlySet<number>
}

/** A page waits so long for what is known of its buyer and of the offers it names; after that it is answered without. */
const patienceMs = 200

export async function aboutOf(read: Reader, asked: Ask, goods: Shelves): Promise<About> {
  const nobody: { history: History | undefined; inCart: Set<number> } = {
    history: undefined,
    inCart: new Set(),
  }
  const [context, { history, inCart }] = await Promise.all([
    contextOf(read, asked, goods),
    inTime(buyersSide(read, asked.buyers, goods), patienceMs, () => nobody),
  ])
  return {
    buyer: history?.buyer ?? null,
    lot: history?.lot ?? null,
    deeds: history?.deeds ?? [],
    context,
    inCart,
  }
}

async function buyersSide(read: Reader, names: readonly string[], goods: Shelves) {
  const history = await historyOf(read, names)
  const known = history && isClientName(history.buyer) ? [...new Set([...names, history.buyer])] : names
  return { history, inCart: await productsInCarts(read, await offersInCart(read, known), goods) }
}

async function productsInCarts(
  read: Reader,
  carts: readonly ShownCart[],
  goods: Shelves,
): Promise<Set<number>> {
  if (carts.length === 0) return new Set()
  const moderatedIds = carts.flatMap((it) => it.moderatedOfferIds)
  const [ordinary, moderated] = await Promise.all([
    productsBehind(
      read,
      carts.flatMap((it) => it.offerIds.map(String)),
      goods,
    ),
    moderatedIds.length > 0 ? moderatedOffersShown(read, moderatedIds) : new Map<number, OfferSheet>(),
  ])
  return new Set([...ordinary.values(), ...[...moderated.values()].map((it) => it.productId)])
}

/** What names nothing is passed over. */
async function contextOf(read: Reader, { offers, products }: Ask, goods: Shelves): Promise<number[]> {
  if (offers.length === 0) return products
  const productOf = await productsBehind(read, offers, goods)
  return [...new Set([...products, ...offers.flatMap((it) => productOf.get(it) ?? [])])]
}

const numberForm = /^[1-9]\d{0,15}$/

/** Most are on the shelf; the rest is looked up, as far as it comes in time. */
async function productsBehind(
  read: Reader,
  offers: readonly string[],
  goods: Shelves,
): Promise<Map<string, number>> {
  const known = new Map<string, number>()
  for (const it of offers) {
    const productId = numberForm.test(it) ? goods.productOf(Number(it)) : undefined
    if (productId !== undefined) known.set(it, productId)
  }
  if (known.size === offers.length) return known
  const others = offers.filter((it) => !known.has(it))
  const nothing = new Map<string, number>()
  return new Map([...known, ...(await inTime(productsOfOffers(read, others), patienceMs, () => nothing))])
}
