// Keeps the shelf of one environment true: filled from the database when the shop opens, then brought up to date by
// facts, and its prices by the seasons. Whoever asks for it gets one that knows all that this process has heard.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Log } from '../base/log.ts'
import type { Shop } from '../base/shop.ts'
import type { Event, EventOf } from '../events.ts'
import { pricingOf, turnedBetween } from './promotions/repricing.ts'
import { calendarNow } from './promotions/season-now.ts'
import { type PlannedPromotion, Season } from './promotions/season.ts'
import type { ProductSheet } from './sheets.ts'
import type { Scope, ShelfItem, ShelfOffer } from './shelf/item.ts'
import { Shelf } from './shelf/shelf.ts'
import { loadPopularity } from './store/popularity.ts'
import * as store from './store/sheets.ts'

const batchSize = 500
/** A caller waits for so many changes; behind a large import he sees the shelf as it was a moment ago. */
const worthWaiting = 2_000

interface KnownOffer {
  productId: number
  inStock: boolean
}

export class ShelfKeeper {
  readonly #shop: Shop
  readonly #log: Log
  readonly #shelf = new Shelf()
  /** Of every offer that buyers see, its product and whether it is in stock. */
  readonly #offers = new Map<number, KnownOffer>()
  /** The same of those that sellers sent in and the shop approved. */
  readonly #sentIn = new Map<number, KnownOffer>()
  /** What was heard and is not being read yet. */
  #changed = noChanges()
  /** At whose prices everything stands, and the page of the book that it is of. */
  #season = new Season([], { fromMs: -Infinity, untilMs: Infinity })
  #page = 0
  #turning: Promise<void> | undefined
  #filled: Promise<void> | undefined
  #isFull = false
  #newestMs = -Infinity
  #reading: { count: number; done: Promise<void> } | undefined
  #next: Promise<void> | undefined

  constructor(shop: Shop, log: Log) {
    this.#shop = shop
    this.#log = log
    shop.relay.listen((event) => this.#hear(event))
  }

  /** The shelf, with all that was heard of until now; waits for a change that is being read, and for no later one. */
  async fresh(): Promise<Shelf> {
    await this.fill()
    const caughtUp = isAny(this.#changed) ? this.#refresh() : this.#reading?.done
    const behind = countOf(this.#changed) + (this.#reading?.count ?? 0)
    if (behind <= worthWaiting) await caughtUp
    await this.#followSeason()
    return this.#shelf
  }

  /** Whoever comes while prices are being made waits for them. */
  async #followSeason(): Promise<void> {
    const calendar = await calendarNow(this.#shop.db.read())
    while (this.#turning) await this.#turning
    // From here on nobody comes between, so nobody goes back to a page that was turned or to a season that is over.
    if (calendar.page < this.#page) return
    this.#page = calendar.page
    const season = calendar.at(this.#shop.clock.now())
    if (season === this.#season) return
    this.#turning = this.#turnTo(season).finally(() => (this.#turning = undefined))
    await this.#turning
  }

  async #turnTo(season: Season): Promise<void> {
    const scope = this.#scopeOf(turnedBetween(this.#season, season))
    this.#season = season
    for (const _step of this.#shelf.reprice(pricingOf(season), scope)) await nextTurn()
  }

  #scopeOf(promotions: readonly PlannedPromotion[]): Scope {
    const members = promotions.map((it) => it.members)
    const productsOf = (ids: readonly number[], offers: ReadonlyMap<number, KnownOffer>) =>
      ids.flatMap((id) => offers.get(id)?.productId ?? [])
    return {
      productIds: members.flatMap((it) => [
        ...productsOf(it.offerIds, this.#offers),
        ...productsOf(it.moderatedOfferIds, this.#sentIn),
        // Of what sellers sent in, the shelf does not list who they are: all of it is looked at.
        ...(it.partnerIds.length > 0 ? productsOf([...this.#sentIn.keys()], this.#sentIn) : []),
      ]),
      categoryIds: members.flatMap((it) => it.categoryIds),
      brandIds: members.flatMap((it) => it.brandIds),
      partnerIds: members.flatMap((it) => it.partnerIds),
    }
  }

  /** The shelf as it stands, once it has been filled. */
  get standing(): Shelf | undefined {
    return this.#isFull ? this.#shelf : undefined
  }

  /** When the last product came. */
  get newestMs(): number {
    return this.#newestMs
  }

  /** The product behind an offer that buyers see; undefined for any other. */
  productOf(offerId: number): number | undefined {
    return this.#offers.get(offerId)?.productId
  }

  /** Whether something was heard that does not stand on the shelf yet. */
  get isBehind(): boolean {
    return isAny(this.#changed) || this.#reading !== undefined
  }

  /** Reads everything once; later calls wait for the first. */
  fill(): Promise<void> {
    this.#filled ??= this.#readAll().catch((error: unknown) => {
      this.#filled = undefined
      throw error
    })
    return this.#filled
  }

  async #readAll(): Promise<void> {
    const read = this.#shop.db.read()
    for (let after = 0; ;) {
      const ids = await store.productIdsAfter(read, after, batchSize)
      if (ids.length === 0) break
      await this.#take(ids)
      after = ids.at(-1)!
    }
    this.#isFull = true
  }

  #hear(event: Event): void {
    if (!this.#filled) return
    note(this.#changed, event, { offers: this.#offers, sentIn: this.#sentIn })
    if (isAny(this.#changed)) void this.#refresh()
  }

  /** Reads what was heard until now, after what is being read. What is heard meanwhile is the next one's. */
  #refresh(): Promise<void> {
    this.#next ??= (this.#reading?.done ?? Promise.resolve()).then(() => {
      this.#next = undefined
      const changed = this.#changed
      this.#changed = noChanges()
      const done = this.#catchUp(changed).finally(() => {
        this.#reading = undefined
      })
      this.#reading = { count: countOf(changed), done }
      return done
    })
    return this.#next
  }

  async #catchUp(changed: Changes): Promise<void> {
    try {
      // What is read now must not be overtaken by what the filling read before.
      await this.fill()
      if (changed.popularity) this.#shelf.rate(await loadPopularity(this.#shop.db.read()))
      const ids = await store.productsBehind(this.#shop.db.read(), changed)
      for (let at = 0; at < ids.length; at += batchSize) await this.#take(ids.slice(at, at + batchSize))
    } catch (error) {
      // The next fact or the next caller tries again.
      merge(this.#changed, changed)
      this.#log.warn('the shelf could not be brought up to date; trying again', { error })
    }
  }

  /** Puts products as they stand now, and takes off those that are gone. */
  async #take(ids: readonly number[]): Promise<void> {
    const read = this.#shop.db.read()
    const [sheets, sentIn] = await Promise.all([
      store.loadProductSheets(read, ids),
      store.loadApproved(read, ids),
    ])
    for (const id of ids) {
      const sheet = sheets.get(id)
      if (!sheet) {
        this.#shelf.remove(id)
        continue
      }
      for (const { id: offerId, quantity } of sheet.offers)
        this.#offers.set(offerId, { productId: id, inStock: quantity > 0 })
      const approved = sentIn.get(id) ?? []
      for (const { id: offerId, quantity } of approved)
        this.#sentIn.set(offerId, { productId: id, inStock: quantity > 0 })
      this.#newestMs = Math.max(this.#newestMs, sheet.createdAt.getTime())
      this.#shelf.put(itemOf(sheet, approved))
    }
  }
}

const itemOf = (it: ProductSheet, approved: readonly ShelfOffer[]): ShelfItem => ({
  id: it.id,
  categoryPath: it.categoryPath.map(({ id }) => id),
  brandId: it.brandId,
  createdAtMs: it.createdAt.getTime(),
  popularity: it.popularity,
  name: it.name,
  description: it.description,
  brand: it.brand?.name ?? '',
  categoryNames: it.categoryPath.map(({ name }) => name),
  variants: it.variants.map(({ name, attributes }) => ({ name, attributes })),
  offers: [
    ...it.offers.map((offer) => ({
      id: offer.id,
      partnerId: offer.partnerId,
      priceTiyin: offer.priceTiyin,
      oldPriceTiyin: offer.oldPriceTiyin,
      quantity: offer.quantity,
      rating: offer.rating,
      regions: offer.regions,
    })),
    ...approved,
  ],
})

export interface Changes {
  products: Set<number>
  offers: Set<number>
  moderatedOffers: Set<number>
  brands: Set<number>
  categories: Set<number>
  partners: Set<number>
  /** How sought after all of them are. */
  popularity: boolean
}

const noChanges = (): Changes => ({
  products: new Set(),
  offers: new Set(),
  moderatedOffers: new Set(),
  brands: new Set(),
  categories: new Set(),
  partners: new Set(),
  popularity: false,
})

const countOf = (it: Changes): number => it.products.size + it.offers.size + it.moderatedOffers.size

const isAny = (it: Changes): boolean =>
  it.popularity || countOf(it) + it.brands.size + it.categories.size + it.partners.size > 0

function merge(into: Changes, from: Changes): void {
  for (const name of ['products', 'offers', 'moderatedOffers', 'brands', 'categories', 'partners'] as const)
    for (const id of from[name]) into[name].add(id)
  into.popularity ||= from.popularity
}

/** What a fact says of the shelf. Units that come and go change nothing on it until the last is sold. */
function note(changed: Changes, event: Event, { offers, sentIn }: Known): void {
  if (event.type === 'PopularityCounted') changed.popularity = true
  else if (event.type === 'OfferQuantityChanged')
    noteQuantity(changed.offers, { id: event.offerId, inStock: event.newQuantity > 0 }, offers)
  else if (event.type === 'ModeratedOfferStockChanged')
    noteQuantity(
      changed.moderatedOffers,
      { id: event.moderatedOfferId, inStock: event.newQuantity > 0 },
      sentIn,
    )
  else if (/^(ModeratedOffer|ModerationDecided)/.test(event.type))
    noteModerated(changed, event as EventOf<'ModeratedOfferChanged' | 'ModerationDecided'>, sentIn)
  else if (event.type === 'BrandChanged') changed.brands.add(event.brandId)
  else if (event.type === 'CategoryChanged') changed.categories.add(event.categoryId)
  else if (event.type === 'PartnerChanged') changed.partners.add(event.partnerId)
  else if (/^(Product|Variant|OfferCreated|OfferChanged|OfferDeleted)/.test(event.type)) {
    const { productId, offerId = 0 } = event as { productId: number; offerId?: number }
    changed.products.add(productId)
    // It may have come from another product, which must let go of it.
    const known = offers.get(offerId)
    if (known) changed.products.add(known.productId)
    if (event.type === 'OfferDeleted') offers.delete(offerId)
  } else if (event.type.startsWith('Offer')) changed.offers.add((event as { offerId: number }).offerId)
}

/** Every offer that is known, by its id. */
interface Known {
  offers: Map<number, KnownOffer>
  sentIn: Map<number, KnownOffer>
}

function noteModerated(
  changed: Changes,
  event: EventOf<'ModeratedOfferChanged' | 'ModerationDecided'>,
  sentIn: Map<number, KnownOffer>,
): void {
  const { moderatedOfferId: id } = event
  // It may have come from another product, or be gone.
  const known = sentIn.get(id)
  if (known) changed.products.add(known.productId)
  if ('productId' in event) changed.products.add(event.productId)
  else changed.moderatedOffers.add(id)
}

function noteQuantity(
  changed: Set<number>,
  { id, inStock }: { id: number; inStock: boolean },
  offers: Map<number, KnownOffer>,
): void {
  const known = offers.get(id)
  if (known?.inStock === inStock) return
  changed.add(id)
  // The last word counts: the next change is judged by it, also while this one is still being read.
  if (known) offers.set(id, { ...known, inStock })
}
