// All products of an environment in memory, as columns and an index of words, so that lists, counts and searches
// touch only what they need. It does no I/O and knows no clock: whoever keeps it tells it what changed.

import { Columns } from './columns.ts'
import { facetsOf } from './facets.ts'
import type { Pricing, Scope, ShelfItem } from './item.ts'
import { Order, type Ranking } from './order.ts'
import { hangsOnOffers, type OrderName, orderName, rankingOf } from './rankings.ts'
import type { Asking, Facets, Found, Place, Question, Suggestion } from './question.ts'
import { Selection } from './selection.ts'
import { Sieve } from './sieve.ts'
import { type Buying, Stalls } from './stalls.ts'
import { Suggester } from './suggest.ts'
import { Matcher } from './matching.ts'
import { TextIndex } from './text-index.ts'
import { Totals } from './totals.ts'

/** A step along an order costs so many looks at the rows of a list, which lie side by side. */
const walkCost = 2
const mostFacetsKept = 64
/** So many new prices are put in order one by one; for more, the orders are made anew when somebody asks for them. */
const mostMovedAlone = 2_000
/** Of many, so many at a time. */
const repricedAtOnce = 2_000

export class Shelf {
  readonly #columns = new Columns()
  readonly #index = new TextIndex(this.#columns)
  readonly #matcher = new Matcher(this.#columns, this.#index)
  readonly #suggester = new Suggester(this.#columns, this.#matcher)
  readonly #orders = new Map<OrderName, { order: Order; ranking: Ranking }>()
  readonly #totals = new Totals()
  /** Facets of lists without a text, until the next change. */
  readonly #facets = new Map<string, Facets>()

  get size(): number {
    return this.#columns.size
  }

  /** Adds a product, or replaces the one with its id. */
  put(item: ShelfItem): void {
    const columns = this.#columns
    this.#facets.clear()
    let slot = columns.slotOf(item.id)
    const before = new Map<OrderName, Place['value']>()
    if (slot !== undefined) {
      this.#totals.leave(slot)
      if (this.#index.isSame(slot, item))
        for (const [name, { ranking }] of this.#orders) before.set(name, ranking.value(slot))
      else {
        this.#takeOff(slot)
        slot = undefined
      }
    }
    const place = slot ?? columns.take(item.id)
    if (slot === undefined) {
      columns.writeNames(place, item)
      this.#index.add(place, item)
      this.#suggester.learn(item)
    }
    columns.write(place, item)
    this.#totals.enter(place)
    for (const [name, { order, ranking }] of this.#orders)
      if (slot === undefined || before.get(name) !== ranking.value(place)) order.place(place)
  }

  /**
   * Makes prices like this from now on. Only what stands in the scope has other ones than before. Much is done in steps,
   * between which others may have their turn; who looks for something by its price waits for the last.
   */
  *reprice(pricing: Pricing | undefined, scope: Scope): Generator<void, void> {
    const columns = this.#columns
    columns.pricing = pricing
    const slots = [...columns.slotsIn(scope)]
    this.#facets.clear()
    if (slots.length <= mostMovedAlone) {
      for (const slot of slots) this.#repriceAlone(slot)
      return
    }
    for (const [at, slot] of slots.entries()) {
      if (at > 0 && at % repricedAtOnce === 0) yield
      columns.reprice(slot)
    }
    this.#facets.clear()
    this.#totals.clear()
    for (const name of this.#orders.keys()) if (hangsOnOffers(name)) this.#orders.delete(name)
  }

  #repriceAlone(slot: number): void {
    const hanging = [...this.#orders].filter(([name]) => hangsOnOffers(name))
    const before = hanging.map(([, { ranking }]) => ranking.value(slot))
    this.#totals.leave(slot)
    this.#columns.reprice(slot)
    this.#totals.enter(slot)
    for (const [at, [, { order, ranking }]] of hanging.entries())
      if (before[at] !== ranking.value(slot)) order.place(slot)
  }

  /** Notes how sought after every product is now; one that is not named is sought by nobody. */
  rate(popularityOf: ReadonlyMap<number, number>): void {
    const columns = this.#columns
    for (const slot of columns.aliveSlots())
      columns.writePopularity(slot, popularityOf.get(columns.id[slot]!) ?? 0)
    // It is made anew when somebody asks for it.
    this.#orders.delete('popularity')
  }

  remove(id: number): void {
    const slot = this.#columns.slotOf(id)
    if (slot === undefined) return
    this.#facets.clear()
    this.#totals.leave(slot)
    this.#takeOff(slot)
  }

  find(question: Question): Found {
    const sieve = new Sieve(this.#columns, question.region, question.filters)
    return question.text === undefined ? this.#listed(question, sieve) : this.#searched(question, sieve)
  }

  /** What can be bought, for those who choose among many products. It says what holds when it is asked. */
  stalls(buying: Buying): Stalls {
    return new Stalls(this.#columns, buying)
  }

  /** Completions of what is being typed: the best products' words, then categories and brands. */
  suggest(typed: string, asking: Asking): Suggestion[] {
    return this.#suggester.suggest(typed, asking)
  }

  #takeOff(slot: number): void {
    for (const { order } of this.#orders.values()) order.remove(slot)
    this.#columns.drop(slot)
    this.#index.bury(slot)
  }

  #orderOf(name: OrderName): { order: Order; ranking: Ranking } {
    const known = this.#orders.get(name)
    if (known) return known
    const ranking = rankingOf(this.#columns, name)
    const byId = rankingOf(this.#columns, 'id')
    const order = new Order(ranking, byId, this.#columns.aliveSlots())
    this.#orders.set(name, { order, ranking })
    return { order, ranking }
  }

  #listed(question: Question, sieve: Sieve): Found {
    const key = `${question.region} ${JSON.stringify(question.filters)}`
    const source = this.#narrowest(sieve)
    const total = this.#total(key, sieve, source)
    const sort = question.sort === 'relevance' ? '-popularity' : question.sort
    const { order, ranking } = this.#orderOf(nameOf(sort, question))
    const direction = sort.startsWith('-') ? 'down' : 'up'
    const wanted = wantedBy(question)
    const steps = total === 0 ? 0 : (wanted * this.size) / total
    let slots: number[] = []
    if (source && source.length < steps * walkCost)
      slots = this.#selected(source, sieve, {
        wanted,
        compare: directed(ranking, direction),
        isBeyond: beyond(ranking, direction, question.after),
      })
    else if (total > 0)
      order.walk(direction, question.after, (slot) => {
        if (sieve.passes(slot)) slots.push(slot)
        return slots.length < wanted ? 'on' : 'enough'
      })
    return {
      ...this.#page(slots, question, (slot) => ranking.value(slot)),
      total,
      facets: question.wantsFacets ? this.#facetsOf(key, sieve) : null,
      didYouMean: null,
    }
  }

  #searched(question: Question, sieve: Sieve): Found {
    const found = this.#matcher.search(question.text!, question.region)
    const fails = sieve.failsOf(found.slots)
    const kept = fails ? found.slots.filter((_, at) => fails[at] === 0) : found.slots
    const order = this.#searchOrder(question, found.scores)
    return {
      ...this.#page(
        this.#selected(kept, undefined, { ...order, wanted: wantedBy(question) }),
        question,
        order.value,
      ),
      total: kept.length,
      facets: question.wantsFacets ? facetsOf(this.#columns, question.region, found.slots, fails) : null,
      didYouMean: found.didYouMean,
    }
  }

  #searchOrder(question: Question, scores: Float64Array) {
    const { sort, after } = question
    const ids = this.#columns.id
    if (sort === 'relevance' || sort === '-relevance')
      return {
        value: (slot: number) => scores[slot]!,
        compare: (one: number, other: number) => scores[other]! - scores[one]! || ids[one]! - ids[other]!,
        isBeyond: (slot: number) =>
          !after || (Number(after.value) - scores[slot]! || ids[slot]! - after.id) > 0,
      }
    const ranking = rankingOf(this.#columns, nameOf(sort, question))
    const direction = sort.startsWith('-') ? ('down' as const) : ('up' as const)
    return {
      value: (slot: number) => ranking.value(slot),
      compare: directed(ranking, direction),
      isBeyond: beyond(ranking, direction, after),
    }
  }

  #selected(
    slots: Int32Array | Uint32Array,
    sieve: Sieve | undefined,
    how: {
      wanted: number
      compare: (one: number, other: number) => number
      isBeyond: (slot: number) => boolean
    },
  ): number[] {
    const selection = new Selection(how.wanted, how.compare)
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at]!
      if ((!sieve || sieve.passes(slot)) && how.isBeyond(slot)) selection.add(slot)
    }
    return selection.inOrder()
  }

  #page(slots: number[], question: Question, value: (slot: number) => Place['value']) {
    const from = question.offset ?? 0
    const shown = slots.slice(from, from + question.limit)
    const last = shown.at(-1)
    const hasMore = slots.length > from + question.limit && last !== undefined
    return {
      ids: shown.map((slot) => this.#columns.id[slot]!),
      next: hasMore ? { value: value(last), id: this.#columns.id[last]! } : null,
    }
  }

  /** The shortest list that holds every row that can pass; undefined stands for all rows. */
  #narrowest({ filters }: Sieve): Uint32Array | undefined {
    const columns = this.#columns
    const lists: Uint32Array[] = []
    if (filters.ids)
      lists.push(
        Uint32Array.from(
          [...new Set(filters.ids)].map((id) => columns.slotOf(id)).filter((it) => it !== undefined),
        ),
      )
    if (filters.categoryId !== undefined)
      lists.push(columns.inCategory.view(columns.categoryIds.find(filters.categoryId)))
    if (filters.brandIds?.length === 1)
      lists.push(columns.ofBrand.view(columns.brandIds.find(filters.brandIds[0]!)))
    if (filters.partnerIds?.length === 1)
      lists.push(columns.ofPartner.view(columns.partnerIds.find(filters.partnerIds[0]!)))
    return lists.toSorted((a, b) => a.length - b.length)[0]
  }

  #total(key: string, sieve: Sieve, source: Uint32Array | undefined): number {
    if (sieve.isOpen) return this.size
    const known = this.#totals.find(key)
    if (known !== undefined) return known
    let total = 0
    for (const slot of source ?? this.#columns.aliveSlots()) if (sieve.passes(slot)) total++
    this.#totals.remember(key, sieve, total)
    return total
  }

  #facetsOf(key: string, sieve: Sieve): Facets {
    const known = this.#facets.get(key)
    if (known) return known
    const slots = this.#columns.aliveSlots()
    const facets = facetsOf(this.#columns, sieve.region, slots, sieve.failsOf(slots))
    if (this.#facets.size >= mostFacetsKept) this.#facets.clear()
    this.#facets.set(key, facets)
    return facets
  }
}

/** One more than the page shows, to know whether there is a next one. */
const wantedBy = ({ offset, limit }: Question): number => (offset ?? 0) + limit + 1

const nameOf = (sort: Question['sort'], { region, language }: Question): OrderName =>
  orderName(sort.replace(/^-/, '') as Parameters<typeof orderName>[0], region, language)

/** Those without a value stand last in both directions. */
const directed =
  (ranking: Ranking, direction: 'up' | 'down') =>
  (one: number, other: number): number => {
    const hasOne = ranking.hasValue(one)
    if (hasOne !== ranking.hasValue(other)) return hasOne ? -1 : 1
    return direction === 'up' ? ranking.compare(one, other) : ranking.compare(other, one)
  }

function beyond(
  ranking: Ranking,
  direction: 'up' | 'down',
  after: Place | undefined,
): (slot: number) => boolean {
  if (!after) return () => true
  const sign = direction === 'up' ? 1 : -1
  return (slot) => {
    if (ranking.hasValue(slot) !== (after.value !== null)) return after.value !== null
    return ranking.compareTo(slot, after) * sign > 0
  }
}
