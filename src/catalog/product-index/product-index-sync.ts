// Keeps the product index of one environment up to date: it is loaded from the database at start, then follows events,
// and its prices follow the promotion schedule. Callers get an index with all changes that this process knows of.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Log } from '../../base/log.ts'
import type { Shop } from '../../base/shop.ts'
import type { Event } from '../../events.ts'
import { changedBetween, pricingOf } from '../promotions/index-pricing.ts'
import { currentSchedule } from '../promotions/current-schedule.ts'
import { type ScheduledPromotion, PricingWindow } from '../promotions/schedule.ts'
import type { ProductDetails } from '../offers/offer-details.ts'
import {
  countOf,
  hasChanges,
  type IndexChanges,
  type IndexedOffers,
  mergeChanges,
  noChanges,
  noteEvent,
  noteRead,
} from './index-changes.ts'
import type { IndexedOffer, IndexedProduct, ProductScope } from './indexed-product.ts'
import { FetchedTexts, type Suggestion, type Synonyms, type TextStore } from '../../search/index.ts'
import { KnownOffers } from './known-offers.ts'
import { linesOf } from '../search-synonyms/search-synonyms.ts'
import { type LearnedSynonym, synonymLines } from '../search-learning/learn-synonyms.ts'
import { type Candidates, SearchRanker } from '../search-learning/ranker.ts'
import { activePart, loadLearning } from '../search-learning/store.ts'
import { loadSynonyms } from '../search-synonyms/store.ts'
import type { SearchExplanation } from './explain-search.ts'
import { ProductIndex } from './product-index.ts'
import type { ProductQuery, ProductQueryResult, SuggestQuery } from './query.ts'
import { loadPopularity } from '../products/store.ts'
import * as store from '../offers/store.ts'

const batchSize = 500
/** Callers wait for up to this many changes; during a large import they read a slightly older index. */
const maxAwaitedChanges = 2_000

/** What every search engine answers, with equal results. */
export interface ProductSearch {
  find(query: ProductQuery): Promise<ProductQueryResult>
  suggest(typed: string, query: SuggestQuery): Promise<Suggestion[]>
  /** Categories to offer when a search finds nothing. */
  alternativeCategories(text: string): Promise<number[]>
  /** Why the products of a search rank where they do. */
  explain(query: ProductQuery & { text: string }): Promise<SearchExplanation>
  /** What the learned ranker would order. */
  candidates(query: ProductQuery): Promise<Candidates>
  /** The dictionary of the shop with learned lines. */
  synonymsWith(): Promise<(learned: readonly LearnedSynonym[]) => Synonyms>
}

export class ProductIndexSync implements ProductSearch {
  readonly #shop: Shop
  readonly #log: Log
  readonly #curated: Synonyms
  readonly #index: ProductIndex
  /** Where the words are, when they are not in memory. */
  readonly #store: TextStore | undefined
  #fetched: FetchedTexts | undefined
  #synonymsRead: Promise<void> = Promise.resolve()
  /** Visible ordinary offers and approved moderated ones. */
  readonly #known: IndexedOffers = { ordinary: new KnownOffers(), moderated: new KnownOffers() }
  /** Changes that are not being read yet. */
  #changed = noChanges()
  /** The pricing window of the indexed prices, and the schedule version that it belongs to. */
  #window = new PricingWindow([], { fromMs: -Infinity, untilMs: Infinity })
  #version = 0
  #repricing: Promise<void> | undefined
  #loaded: Promise<void> | undefined
  #isLoaded = false
  #newestMs = -Infinity
  #reading: { count: number; done: Promise<void> } | undefined
  #next: Promise<void> | undefined

  constructor(
    shop: Shop,
    { log, curated, store: texts }: { log: Log; curated: Synonyms; store: TextStore | undefined },
  ) {
    this.#shop = shop
    this.#log = log
    this.#curated = curated
    this.#store = texts
    this.#index = texts
      ? new ProductIndex(curated, (columns) => (this.#fetched = new FetchedTexts(texts, columns)))
      : new ProductIndex(curated)
    shop.relay.subscribe((event) => this.#onEvent(event))
  }

  /** The index with all changes known until now; waits for changes that are being read, not for later ones. */
  async fresh(): Promise<ProductIndex> {
    await this.load()
    const caughtUp = hasChanges(this.#changed) ? this.#refresh() : this.#reading?.done
    const behind = countOf(this.#changed) + (this.#reading?.count ?? 0)
    if (behind <= maxAwaitedChanges) await caughtUp
    await this.#synonymsRead
    await this.#followSchedule()
    return this.#index
  }

  find(query: ProductQuery): Promise<ProductQueryResult> {
    return this.#ask((index) => index.find(query))
  }

  suggest(typed: string, query: SuggestQuery): Promise<Suggestion[]> {
    return this.#ask((index) => index.suggest(typed, query))
  }

  alternativeCategories(text: string): Promise<number[]> {
    return this.#ask((index) => index.alternativeCategories(text))
  }

  explain(query: ProductQuery & { text: string }): Promise<SearchExplanation> {
    return this.#ask((index) => index.explain(query))
  }

  candidates(query: ProductQuery): Promise<Candidates> {
    return this.#ask((index) => index.candidates(query))
  }

  async synonymsWith(): Promise<(learned: readonly LearnedSynonym[]) => Synonyms> {
    const stored = await loadSynonyms(this.#shop.db.read())
    const own = stored ? linesOf(stored.text) : []
    return (learned) => this.#curated.with(synonymLines(learned, own)).with(own)
  }

  async #ask<T>(run: (index: ProductIndex) => T): Promise<T> {
    const index = await this.fresh()
    return this.#fetched ? this.#fetched.ask(() => run(index)) : run(index)
  }

  /** Callers wait while prices are recomputed. */
  async #followSchedule(): Promise<void> {
    const schedule = await currentSchedule(this.#shop.db.read())
    while (this.#repricing) await this.#repricing
    // No await from here on: no caller can return to an older schedule version or window.
    if (schedule.version < this.#version) return
    this.#version = schedule.version
    const window = schedule.windowAt(this.#shop.clock.now())
    if (window === this.#window) return
    this.#repricing = this.#reprice(window).finally(() => (this.#repricing = undefined))
    await this.#repricing
  }

  async #reprice(window: PricingWindow): Promise<void> {
    const scope = this.#scopeOf(changedBetween(this.#window, window))
    this.#window = window
    for (const _step of this.#index.reprice(pricingOf(window), scope)) await nextTurn()
  }

  #scopeOf(promotions: readonly ScheduledPromotion[]): ProductScope {
    const { ordinary, moderated } = this.#known
    const members = promotions.map((it) => it.members)
    const productsOf = (ids: readonly number[], offers: KnownOffers) =>
      ids.flatMap((id) => offers.productOf(id) ?? [])
    return {
      productIds: members.flatMap((it) => [
        ...productsOf(it.offerIds, ordinary),
        ...productsOf(it.moderatedOfferIds, moderated),
        // The index does not list moderated offers by partner, so all of them are included.
        ...(it.partnerIds.length > 0 ? moderated.productIds() : []),
      ]),
      categoryIds: members.flatMap((it) => it.categoryIds),
      brandIds: members.flatMap((it) => it.brandIds),
      partnerIds: members.flatMap((it) => it.partnerIds),
    }
  }

  /** The index without waiting; undefined until it is loaded. */
  get current(): ProductIndex | undefined {
    return this.#isLoaded ? this.#index : undefined
  }

  /** When the newest product was created. */
  get newestMs(): number {
    return this.#newestMs
  }

  /** The product of a visible ordinary offer; undefined for any other. */
  productOf(offerId: number): number | undefined {
    return this.#known.ordinary.productOf(offerId)
  }

  /** Whether there are changes that the index does not have yet. */
  get isBehind(): boolean {
    return hasChanges(this.#changed) || this.#reading !== undefined
  }

  /** Loads all products once; later calls wait for the first. */
  load(): Promise<void> {
    this.#loaded ??= this.#loadAll().catch((error: unknown) => {
      this.#loaded = undefined
      throw error
    })
    return this.#loaded
  }

  async #loadAll(): Promise<void> {
    const read = this.#shop.db.read()
    await this.#applySynonyms()
    await this.#store?.beginLoad()
    for (let after = 0; ;) {
      const ids = await store.productIdsAfter(read, after, batchSize)
      if (ids.length === 0) break
      await this.#read(ids)
      after = ids.at(-1)!
    }
    await this.#store?.endLoad()
    this.#isLoaded = true
  }

  #onEvent(event: Event): void {
    if (!this.#loaded) return
    if (event.type === 'SearchSynonymsChanged' || event.type === 'SearchLearningChanged') this.#readSynonyms()
    noteEvent(this.#changed, event, this.#known)
    if (hasChanges(this.#changed)) void this.#refresh()
  }

  /** Callers of `fresh` wait for it. */
  #readSynonyms(): void {
    const read = this.#synonymsRead.then(() => this.#applySynonyms())
    this.#synonymsRead = read.catch((error: unknown) =>
      this.#log.warn('search synonyms could not be read; the old ones stay', { error }),
    )
  }

  async #applySynonyms(): Promise<void> {
    const { isEnabled, parts } = await loadLearning(this.#shop.db.read())
    const dictionary = await this.synonymsWith()
    this.#index.synonyms = dictionary(activePart(isEnabled, parts.synonyms) ?? [])
    const ranker = activePart(isEnabled, parts.ranker)
    this.#index.learned = {
      categories: new Map(
        activePart(isEnabled, parts.predictions)?.map((it) => [it.query, it.categoryId]) ?? [],
      ),
      ranker: ranker ? new SearchRanker(ranker.model, ranker.statistics) : undefined,
    }
  }

  /** Reads the changes known until now, after those that are being read. Later changes wait for the next call. */
  #refresh(): Promise<void> {
    this.#next ??= this.#readChanges()
    return this.#next
  }

  async #readChanges(): Promise<void> {
    try {
      await this.#reading?.done
      // What the first load has read may be older than the changes known until its end: `noteRead` needs them.
      await this.load()
    } catch (error) {
      // The next event or the next caller tries again.
      this.#log.warn('product index could not be loaded; it is retried', { error })
      return
    } finally {
      this.#next = undefined
    }
    const changed = this.#changed
    this.#changed = noChanges()
    const done = this.#catchUp(changed).finally(() => {
      this.#reading = undefined
    })
    this.#reading = { count: countOf(changed), done }
    await done
  }

  async #catchUp(changed: IndexChanges): Promise<void> {
    try {
      if (changed.popularity) this.#index.setPopularity(await loadPopularity(this.#shop.db.read()))
      const ids = await store.productsAffectedBy(this.#shop.db.read(), changed)
      for (let at = 0; at < ids.length; at += batchSize) await this.#read(ids.slice(at, at + batchSize))
    } catch (error) {
      // The next event or the next caller tries again.
      mergeChanges(this.#changed, changed)
      this.#log.warn('product index update failed; it is retried', { error })
    }
  }

  /** Reads products again; those that no longer exist are removed. */
  async #read(ids: readonly number[]): Promise<void> {
    const read = this.#shop.db.read()
    const [products, moderated] = await Promise.all([
      store.loadProductDetails(read, ids),
      store.loadApprovedOffers(read, ids),
    ])
    const gone = ids.filter((id) => !products.has(id))
    for (const id of gone) this.#index.remove(id)
    const found = [...products].map(([id, it]) => indexed(it, moderated.get(id) ?? []))
    await this.#store?.remove(gone)
    await this.#store?.write(found.map((it) => ({ id: it.id, texts: it })))
    for (const it of found) {
      const { id } = it
      const product = products.get(id)!
      for (const { id: offerId, quantity } of product.offers)
        noteRead(this.#changed.offers, this.#known.ordinary, { id: offerId, productId: id, quantity })
      for (const { id: offerId, quantity } of moderated.get(id) ?? [])
        noteRead(this.#changed.moderatedOffers, this.#known.moderated, {
          id: offerId,
          productId: id,
          quantity,
        })
      this.#newestMs = Math.max(this.#newestMs, product.createdAt.getTime())
      this.#index.put(it)
    }
  }
}

const indexed = (it: ProductDetails, approved: readonly IndexedOffer[]): IndexedProduct => ({
  id: it.id,
  categoryPath: it.categoryPath.map(({ id }) => id),
  brandId: it.brandId,
  createdAtMs: it.createdAt.getTime(),
  popularity: it.popularity,
  attributes: Object.fromEntries(
    it.attributeValues
      .filter(({ attribute }) => attribute.isFacet && attribute.kind !== 'text')
      .map(({ attribute, value }) => [attribute.code, value]),
  ),
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
