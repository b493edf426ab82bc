// All products of an environment in memory: columns for lists and facets, and a text index for searches. It does no I/O
// and has no clock; ProductIndexSync keeps it up to date.

import {
  type IndexedRows,
  Matcher,
  type Matches,
  type Position,
  type Ranking,
  readPrice,
  SortedOrder,
  Suggester,
  type Suggestion,
  Synonyms,
  TextIndex,
} from '../../search/index.ts'
import { alternativesTo } from './alternatives.ts'
import { BuyableOffers, type BuyableScope } from './buyable-offers.ts'
import { boostIn } from './boost.ts'
import { Columns } from './columns.ts'
import { explainSearch, type SearchExplanation } from './explain-search.ts'
import { favourCategory, favouring } from './favouring.ts'
import { countedIn, countedWithin, facetsOf } from './facets.ts'
import { firstFound, firstOf, isByRelevance, nameOf, searchOrder } from './first-rows.ts'
import type { IndexedProduct, OfferPricing, ProductScope } from './indexed-product.ts'
import { type NarrowestList, narrowestList } from './narrowest-list.ts'
import { RecentMatches } from './recent-matches.ts'
import { candidatesOf, nearlyBest, relevantOf, rerank } from './reranking.ts'
import type { SearchTrial } from '../search-learning/learn-parts.ts'
import type { Candidates } from '../search-learning/ranker.ts'
import { loggedQuery } from '../search-log/search-query.ts'
import type { Facets, ProductQuery, ProductQueryResult, SuggestQuery } from './query.ts'
import { beyond, dependsOnPrices, directed, isPopularity, type OrderName, rankingOf } from './rankings.ts'
import { RowFilter, withLimits } from './row-filter.ts'
import { Totals } from './totals.ts'

/** A step along an order costs as much as this many reads of a list, whose rows are adjacent in memory. */
const walkCost = 2
const maxCachedFacets = 64
/** New prices up to this many are moved in the orders one by one; for more, the orders are rebuilt on demand. */
const maxMovedOneByOne = 2_000
/** Rows that are repriced in one step. */
const repriceStep = 2_000

export class ProductIndex {
  readonly #columns = new Columns()
  readonly #texts: IndexedRows
  readonly #matcher: Matcher
  readonly #suggester: Suggester
  readonly #orders = new Map<OrderName, { order: SortedOrder; ranking: Ranking }>()
  readonly #totals = new Totals()
  /** Facets of lists that search for no text, by their filters; emptied by every change of a product. */
  readonly #facets = new Map<string, Facets>()
  readonly #recent = new RecentMatches()
  /** What searches use of what was learned; learned synonyms are part of `synonyms`. */
  learned: Pick<SearchTrial, 'categories' | 'ranker'> = { categories: new Map(), ranker: undefined }

  /** By default the text index is in memory. */
  constructor(
    synonyms: Synonyms = Synonyms.curated(),
    textsOf: (columns: Columns) => IndexedRows = (columns) => new TextIndex(columns),
  ) {
    this.#texts = textsOf(this.#columns)
    this.#matcher = new Matcher(this.#columns, this.#texts, synonyms)
    this.#suggester = new Suggester(this.#columns, this.#matcher, synonyms)
  }

  /** Replaces the synonyms; searches from now on use them. */
  set synonyms(synonyms: Synonyms) {
    this.#invalidateResults()
    this.#matcher.synonyms = synonyms
    this.#suggester.synonyms = synonyms
  }

  get size(): number {
    return this.#columns.size
  }

  /** Adds a product, or replaces the one with its id. */
  put(product: IndexedProduct): void {
    const columns = this.#columns
    this.#invalidateResults()
    this.#suggester.noteChange()
    let slot = columns.slotOf(product.id)
    let before: Map<OrderName, Position['value']> | undefined
    if (slot !== undefined) {
      this.#totals.beforeChange(slot)
      if (this.#texts.isSame(slot, product)) {
        before = new Map()
        for (const [name, { ranking }] of this.#orders) before.set(name, ranking.value(slot))
      } else {
        this.#removeSlot(slot)
        slot = undefined
      }
    }
    const place = slot ?? columns.allocate(product.id)
    if (slot === undefined) {
      columns.writeNames(place, product)
      this.#texts.add(place, product)
      this.#suggester.learn(product)
    }
    columns.write(place, product)
    this.#totals.afterChange(place)
    for (const [name, { order, ranking }] of this.#orders)
      if (before?.get(name) !== ranking.value(place)) order.place(place)
  }

  /**
   * Applies another pricing. Only products in the scope may have other prices than before. A large scope is repriced in
   * steps, between which the caller may yield; queries by price must wait for the last step.
   */
  *reprice(pricing: OfferPricing | undefined, scope: ProductScope): Generator<void, void> {
    const columns = this.#columns
    columns.pricing = pricing
    const slots = [...columns.slotsIn(scope)]
    this.#invalidateResults()
    if (slots.length <= maxMovedOneByOne) {
      for (const slot of slots) this.#repriceOne(slot)
      return
    }
    for (const [at, slot] of slots.entries()) {
      if (at > 0 && at % repriceStep === 0) {
        this.#invalidateResults()
        yield
      }
      columns.reprice(slot)
    }
    this.#invalidateResults()
    this.#totals.clear()
    for (const name of this.#orders.keys()) if (dependsOnPrices(name)) this.#orders.delete(name)
  }

  #invalidateResults(): void {
    this.#facets.clear()
    this.#recent.clear()
  }

  #repriceOne(slot: number): void {
    const affected = [...this.#orders].filter(([name]) => dependsOnPrices(name))
    const before = affected.map(([, { ranking }]) => ranking.value(slot))
    this.#totals.beforeChange(slot)
    this.#columns.reprice(slot)
    this.#totals.afterChange(slot)
    for (const [at, [, { order, ranking }]] of affected.entries())
      if (before[at] !== ranking.value(slot)) order.place(slot)
  }

  /** Replaces the popularity of all products; 0 for those that are not in the map. */
  setPopularity(popularityOf: ReadonlyMap<number, number>): void {
    const columns = this.#columns
    this.#invalidateResults()
    for (const slot of columns.aliveSlots())
      columns.writePopularity(slot, popularityOf.get(columns.id[slot]!) ?? 0)
    // Rebuilt on demand.
    for (const name of this.#orders.keys()) if (isPopularity(name)) this.#orders.delete(name)
  }

  remove(id: number): void {
    const slot = this.#columns.slotOf(id)
    if (slot === undefined) return
    this.#invalidateResults()
    this.#suggester.noteChange()
    this.#totals.beforeChange(slot)
    this.#removeSlot(slot)
  }

  find(query: ProductQuery): ProductQueryResult {
    const filter = new RowFilter(this.#columns, query.region, query.filters)
    if (query.text === undefined) return this.#list(query, filter)
    const price = query.isVerbatim || query.withoutSteps?.has('price') ? undefined : readPrice(query.text)
    if (!price) return this.#search(query, filter)
    const limited = this.#search(
      { ...query, text: price.text },
      new RowFilter(this.#columns, query.region, withLimits(query.filters, price.limits)),
    )
    const found = limited.total > 0 ? limited : this.#search({ ...query, text: price.text }, filter)
    const leftOut = limited.total > 0 || found.total === 0 ? found.leftOut : [...found.leftOut, price.words]
    const { min, max } = price.limits
    const step = { step: 'price' as const, from: price.words, to: `${min ?? ''}..${max ?? ''}` }
    return { ...found, leftOut, steps: [step, ...found.steps] }
  }

  /** Categories to offer when a search finds nothing. */
  alternativeCategories(text: string): number[] {
    const matches = (words: string) =>
      this.#matcher.search(words, { mode: 'submitted', boost: () => undefined })
    return alternativesTo(text, this.#columns, matches)
  }

  /** A live view: it reads the index when it is called, not when it is made. */
  buyableOffers(scope: BuyableScope): BuyableOffers {
    return new BuyableOffers(this.#columns, scope)
  }

  suggest(typed: string, { language, region, limit, withProducts, favoured }: SuggestQuery): Suggestion[] {
    const favour = favoured && favouring(this.#columns, favoured)
    return this.#suggester.suggest(typed, {
      language,
      limit,
      boost: boostIn(this.#columns, region),
      group: region,
      ...(withProducts && { withRows: true }),
      ...(favour && { favour }),
    })
  }

  #removeSlot(slot: number): void {
    for (const { order } of this.#orders.values()) order.remove(slot)
    this.#columns.drop(slot)
    this.#texts.remove(slot)
  }

  #orderOf(name: OrderName): { order: SortedOrder; ranking: Ranking } {
    const known = this.#orders.get(name)
    if (known) return known
    const ranking = rankingOf(this.#columns, name)
    const byId = rankingOf(this.#columns, 'id')
    const order = new SortedOrder(ranking, byId, this.#columns.aliveSlots())
    this.#orders.set(name, { order, ranking })
    return { order, ranking }
  }

  #list(query: ProductQuery, filter: RowFilter): ProductQueryResult {
    const key = `${query.region} ${JSON.stringify(query.filters)}`
    const narrowest = narrowestList(this.#columns, filter)
    const source = narrowest?.slots
    const total = this.#total(key, filter, source)
    const sort = query.sort === 'relevance' ? '-popularity' : query.sort
    const { order, ranking } = this.#orderOf(nameOf(sort, query))
    const direction = sort.startsWith('-') ? 'down' : 'up'
    const wanted = rowsFor(query)
    const steps = total === 0 ? 0 : (wanted * this.size) / total
    let slots: number[] = []
    if (source && source.length < steps * walkCost)
      slots = firstOf(
        filter.passing(source),
        { compare: directed(ranking, direction), isBeyond: beyond(ranking, direction, query.after) },
        wanted,
      )
    else if (total > 0)
      order.walk(direction, query.after, (slot) => {
        if (filter.passes(slot)) slots.push(slot)
        return slots.length < wanted ? 'continue' : 'stop'
      })
    return {
      ...this.#version(slots, query, (slot) => ranking.value(slot)),
      total,
      facets: query.wantsFacets ? this.#facetsOf(key, filter, narrowest) : null,
      corrected: null,
      leftOut: [],
      steps: [],
    }
  }

  #search(query: ProductQuery, filter: RowFilter): ProductQueryResult {
    const found = this.#match(query)
    const filtered = filter.apply(found.slots)
    const kept = isByRelevance(query.sort)
      ? filtered.passing
      : relevantOf({ ...found, slots: filtered.passing })
    const { ranker } = query.trial ?? this.learned
    if (ranker && !query.withoutRanker && query.sort === 'relevance') {
      const asked = { query: loggedQuery(query.text!) ?? '', region: query.region }
      rerank(this.#columns, { slots: kept, scores: found.scores }, { ...asked, ranker })
    }
    const order = searchOrder(this.#columns, query, found.scores)
    const first = firstFound({ slots: kept, scores: found.scores }, order, {
      wanted: rowsFor(query),
      sort: query.sort,
    })
    return {
      ...this.#version(first, query, order.value),
      total: kept.length,
      facets: query.wantsFacets ? facetsOf(this.#columns, filter, countedIn(filtered)) : null,
      corrected: found.corrected,
      leftOut: found.leftOut,
      steps: found.steps,
    }
  }

  /** The rows that match, with their scores before the learned ranker. */
  #match(query: ProductQuery): Matches {
    const { text, trial } = query
    const found = this.#matched(query)
    const predicted = (trial ?? this.learned).categories.get(loggedQuery(text!) ?? '')
    if (predicted !== undefined) favourCategory(this.#columns, found, predicted)
    return found
  }

  #matched({ text, region, isVerbatim, withoutSteps, trial }: ProductQuery): Matches {
    // Rows outside of this process may change without its knowledge.
    const isKept = this.#texts instanceof TextIndex && !withoutSteps && !trial
    const search = `${region} ${isVerbatim ?? false} ${text}`
    const known = isKept ? this.#recent.get(search, this.#columns.slots) : undefined
    if (known) return known
    const found = this.#matcher.search(text!, {
      mode: 'submitted',
      boost: boostIn(this.#columns, region),
      ...(isVerbatim && { isVerbatim: true }),
      ...(withoutSteps && { without: withoutSteps }),
      ...(trial && { synonyms: trial.synonyms }),
    })
    if (isKept) this.#recent.set(search, found)
    return found
  }

  /** Why the products of a search rank where they do. */
  explain(query: ProductQuery & { text: string }): SearchExplanation {
    const matches = (text: string) =>
      this.#matcher.search(text, {
        mode: 'submitted',
        boost: () => undefined,
        ...(query.isVerbatim && { isVerbatim: true }),
      })
    const predicted = (text: string) => this.learned.categories.get(loggedQuery(text) ?? '')
    const find = (it: ProductQuery) => this.find(it)
    return explainSearch({ columns: this.#columns, texts: this.#texts, find, matches, predicted }, query)
  }

  /** What the learned ranker would order for a query. */
  candidates(query: ProductQuery): Candidates {
    const nearlyAlike = nearlyBest(this.#match(query))
    return candidatesOf(this.#columns, query.region, nearlyAlike)
  }

  #version(slots: number[], query: ProductQuery, value: (slot: number) => Position['value']) {
    const from = query.offset ?? 0
    const shown = slots.slice(from, from + query.limit)
    const last = shown.at(-1)
    const hasMore = slots.length > from + query.limit && last !== undefined
    return {
      ids: shown.map((slot) => this.#columns.id[slot]!),
      next: hasMore ? { value: value(last), id: this.#columns.id[last]! } : null,
    }
  }

  #total(key: string, filter: RowFilter, source: Int32Array | undefined): number {
    if (filter.isEmpty) return this.size
    const cached = this.#totals.get(key)
    if (cached !== undefined) return cached
    const { priceRange } = filter
    // The prices are sorted: rows need not be read.
    const total = priceRange
      ? this.#columns.countPriced(filter.region, priceRange)
      : filter.count(source ?? this.#columns.aliveSlots())
    this.#totals.set(key, filter, total)
    return total
  }

  #facetsOf(key: string, filter: RowFilter, narrowest: NarrowestList | undefined): Facets {
    const cached = this.#facets.get(key)
    if (cached) return cached
    const all = this.#columns.aliveSlots()
    const counted = narrowest ? countedWithin(filter, narrowest, all) : countedIn(filter.apply(all))
    const facets = facetsOf(this.#columns, filter, counted)
    if (this.#facets.size >= maxCachedFacets) this.#facets.clear()
    this.#facets.set(key, facets)
    return facets
  }
}

/** One more than the page shows, to know whether there is a next page. */
const rowsFor = ({ offset, limit }: ProductQuery): number => (offset ?? 0) + limit + 1
