// From products in an order to offers on a page, by the shop's rules and its live state: nothing that this buyer cannot
// buy, one offer of a product, not too much of one partner or category while there is anything else.

import type { Environment, Reader } from '../base/db.ts'
import {
  approvedOffersOf,
  bestOfferOf,
  type Catalog,
  findSheets,
  type OfferSheet,
  offersShown,
  worthiest,
} from '../catalog/index.ts'
import type { Ask } from './ask.ts'
import type { Trace } from './trace.ts'

export interface Filling {
  goods: Catalog
  environment: Environment
  /** Products that must not appear, whoever proposes them. */
  banned: ReadonlySet<number>
  /** The category that the page or the buyer is most about, to fill up from. */
  leaning: number | null
  trace: Trace | undefined
}

const mostOfPartner = 10
const mostOfCategory = 12
/** More than a list holds, because some will be sold out or too many of a kind. */
const firstLook = 48

export async function fillList(
  read: Reader,
  asked: Ask,
  ordered: readonly number[],
  filling: Filling,
): Promise<OfferSheet[]> {
  const list = new List(asked, filling.trace)
  for (let at = 0; at < ordered.length && !list.isFull; at += firstLook) {
    const products = ordered.slice(at, at + firstLook).filter((it) => !filling.banned.has(it))
    list.add(await offersOf(read, asked, products, filling.trace))
  }
  if (!list.isFull) await fillUp(read, asked, list, filling)
  return list.offers()
}

/** What is popular, near what the page is about first; then what was held back. */
async function fillUp(read: Reader, asked: Ask, list: List, filling: Filling): Promise<void> {
  const { goods, environment, banned, leaning } = filling
  const { region, categoryId } = asked
  const limit = asked.limit + banned.size + list.size
  const leanings = leaning === null || categoryId !== null ? [categoryId] : [leaning, null]
  for (const category of leanings) {
    if (list.isFull) return
    const popular = await goods.popularProducts(environment, { region, categoryId: category, limit })
    const products = popular.filter((it) => !banned.has(it) && !list.has(it))
    list.add(await offersOf(read, asked, products, filling.trace))
  }
}

/** The offer of each product that a buyer here would take, in the order of the products. */
async function offersOf(
  read: Reader,
  { region, group }: Ask,
  productIds: readonly number[],
  trace: Trace | undefined,
): Promise<OfferSheet[]> {
  const [sheets, moderated] = await Promise.all([
    findSheets(read, productIds),
    group === 'mod_offers' ? approvedOffersOf(read, productIds) : new Map<number, OfferSheet[]>(),
  ])
  const chosen = productIds.flatMap((id) => {
    const sheet = sheets.get(id)
    const ordinary = sheet && bestOfferOf(sheet, region)
    const sentIn = (moderated.get(id) ?? []).filter((it) => it.regions.includes(region))
    const best = sentIn.length > 0 ? worthiest([...sentIn, ...(ordinary ? [ordinary] : [])]) : ordinary
    if (best && best.quantity > 0) return [best]
    trace?.removed([id], () => 'sold_out')
    return []
  })
  const shown = await offersShown(
    read,
    chosen.filter((it) => !isModerated(it)).map((it) => it.id),
  )
  return chosen.flatMap((it) => (isModerated(it) ? [it] : (shown.get(it.id) ?? [])))
}

const isModerated = (it: object): it is OfferSheet => 'moderation' in it && it.moderation !== null

/** A list under way. What is too much of one partner or category waits: it is used when nothing else is left. */
class List {
  readonly #asked: Ask
  readonly #trace: Trace | undefined
  readonly #taken: OfferSheet[] = []
  readonly #waiting: OfferSheet[] = []
  readonly #products = new Set<number>()
  readonly #partners = new Map<number, number>()
  readonly #categories = new Map<number, number>()

  constructor(asked: Ask, trace: Trace | undefined) {
    this.#asked = asked
    this.#trace = trace
  }

  get isFull(): boolean {
    return this.#taken.length >= this.#asked.limit
  }

  get size(): number {
    return this.#products.size
  }

  has(productId: number): boolean {
    return this.#products.has(productId)
  }

  add(offers: readonly OfferSheet[]): void {
    for (const offer of offers) {
      if (this.isFull) return
      if (this.#products.has(offer.productId)) continue
      this.#products.add(offer.productId)
      const partner = this.#partners.get(offer.partnerId) ?? 0
      const category = this.#categories.get(offer.categoryId) ?? 0
      const isOneCategory = this.#asked.categoryId !== null || this.#asked.layer !== 'main_page'
      if (partner >= mostOfPartner || (!isOneCategory && category >= mostOfCategory)) {
        this.#waiting.push(offer)
        this.#trace?.removed([offer.productId], () =>
          partner >= mostOfPartner ? 'partner_has_enough' : 'category_has_enough',
        )
        continue
      }
      this.#partners.set(offer.partnerId, partner + 1)
      this.#categories.set(offer.categoryId, category + 1)
      this.#taken.push(offer)
    }
  }

  offers(): OfferSheet[] {
    return [...this.#taken, ...this.#waiting].slice(0, this.#asked.limit)
  }
}
