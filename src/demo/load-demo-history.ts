// The demo history is loaded in batches of buyers and the progress is stored with each batch. An interrupted load
// continues from there and gives the same history.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader, Tx } from '../base/database.ts'
import { makeDue } from '../base/jobs.ts'
import {
  addSearches,
  addSearchInteractions,
  loggedQuery,
  searchIdOf,
  searchLearningJob,
} from '../catalog/index.ts'
import {
  countPopularity,
  hasInteractions,
  interactionRecords,
  createPartitions,
} from '../recommendations/index.ts'
import { demoInteractions, historyDays, type Market } from './interactions.ts'
import { SeededRandom } from './seeded-random.ts'
import { clientCount } from './clients.ts'
import { loanConditions } from './partners.ts'
import { demoProducts } from './product.ts'
import type { InteractionRecord } from './record.ts'
import { searchedStock, type SearchedInteraction, type SearchedProduct, searchesOf } from './searches.ts'
import * as store from './store.ts'
import type { HistoryState } from './store.ts'

const batchSize = 1_000
const buyersPerBatch = 100
const monthsBack = Math.ceil(historyDays / 28)

/** Schedules a history that ends now, unless the shop already has interactions. */
export async function startDemoHistory(tx: Tx): Promise<void> {
  if (!(await hasInteractions(tx))) store.insertHistory(tx)
}

export class DemoHistory {
  readonly #scene: Market
  /** By offer id. */
  readonly #productOf: ReadonlyMap<string, SearchedProduct>
  /** The next batch, generated while the database stores the current one. */
  #ahead: { life: HistoryState; interactions: InteractionRecord[] } | undefined
  /** By batch, the searches that this process has yet to load. */
  readonly #searched = new Map<string, SearchedInteraction[]>()

  constructor(seed: string) {
    const chance = new SeededRandom(seed)
    const stock = { chance, products: demoProducts(chance), loanConditions: loanConditions(chance) }
    const { market, productOf } = searchedStock(stock)
    this.#scene = market
    this.#productOf = productOf
  }

  /** Loads the next batch and returns its number of interactions, or undefined when all are loaded. */
  async loadNext(tx: Tx): Promise<number | undefined> {
    const life = await store.lockHistory(tx)
    if (!life || life.nextBuyer > clientCount) return undefined
    if (life.nextBuyer === 1) await createPartitions(tx, monthsBack)
    const interactions = await this.#interactionsFor(life)
    const nextBuyer = endOf(life)
    this.#searched.set(batchKey(life), this.#searchesIn(interactions))
    await Promise.all([
      saveInteractions(tx, interactions),
      nextBuyer <= clientCount ? this.#liveAhead({ ...life, nextBuyer }) : undefined,
    ])
    store.saveHistory(tx, nextBuyer)
    if (nextBuyer > clientCount) await countPopularity(tx)
    return interactions.length
  }

  /** Whether all interactions are loaded and a model is trained on them next: searches are loaded after that. */
  async isModelNext(read: Reader): Promise<boolean> {
    return (await store.findHistory(read))?.nextBuyer === clientCount + 1
  }

  /** Loads the searches of the next batch, after all interactions; false when all are loaded. No model learns from them. */
  async loadNextSearches(tx: Tx): Promise<boolean> {
    const life = await store.lockHistory(tx)
    const next = (life?.nextBuyer ?? 0) - clientCount
    if (!life || next < 1 || next > clientCount) return false
    const some = { ...life, nextBuyer: next }
    const known = this.#searched.get(batchKey(some))
    await saveSearches(tx, known ?? this.#searchesIn(await this.#interactionsFor(some)))
    store.saveHistory(tx, clientCount + endOf(some))
    return true
  }

  #searchesIn(interactions: readonly InteractionRecord[]): SearchedInteraction[] {
    return searchesOf(interactions, { chance: this.#scene.chance, productOf: this.#productOf })
  }

  async #interactionsFor(life: HistoryState): Promise<InteractionRecord[]> {
    if (!this.#ahead || !isSame(this.#ahead.life, life)) await this.#liveAhead(life)
    return this.#ahead!.interactions
  }

  async #liveAhead(life: HistoryState): Promise<void> {
    const interactions: InteractionRecord[] = []
    const some = { from: life.nextBuyer, to: endOf(life) - 1 }
    for (const lived of demoInteractions(this.#scene, life.endsAt, some)) {
      interactions.push(...lived)
      await nextTurn()
    }
    this.#ahead = { life, interactions }
  }
}

/** The first buyer after the batch. */
const endOf = ({ nextBuyer }: HistoryState): number => Math.min(clientCount + 1, nextBuyer + buyersPerBatch)

const batchKey = ({ endsAt, nextBuyer }: HistoryState): string => `${endsAt.getTime()} ${nextBuyer}`

const isSame = (a: HistoryState, b: HistoryState): boolean => batchKey(a) === batchKey(b)

async function saveInteractions(tx: Tx, interactions: readonly InteractionRecord[]): Promise<void> {
  for (let begin = 0; begin < interactions.length; begin += batchSize)
    await interactionRecords.load(tx, interactions.slice(begin, begin + batchSize))
}

/** Counts one search for each query, buyer and day. */
async function saveSearches(tx: Tx, searched: readonly SearchedInteraction[]): Promise<void> {
  const counted = searched.flatMap(({ text, interaction }) => {
    const query = loggedQuery(text)
    return query === undefined ? [] : [{ query, id: searchIdOf(query), interaction }]
  })
  const searches = [...Map.groupBy(counted, (it) => it.id)].map(([id, its]) => ({
    id,
    query: its[0]!.query,
    searches: new Set(its.map((it) => `${it.interaction.user_id} ${it.interaction.at.slice(0, 10)}`)).size,
    // The next search of a visitor counts all results; until then, what buyers chose.
    results: new Set(its.map((it) => it.interaction.offer_id)).size,
    lastAt: new Date(its.reduce((last, it) => (it.interaction.at > last ? it.interaction.at : last), '')),
  }))
  if (searches.length === 0) return
  await addSearches(tx, searches)
  await addSearchInteractions(
    tx,
    counted.map(({ id, interaction }) => ({
      searchId: id,
      offer: interaction.offer_id,
      kind: interaction.kind,
      at: new Date(interaction.at),
    })),
  )
}

/** Call after the history is loaded and a model is trained on it. The search then learns from it without waiting for the night. */
export async function finishDemoHistory(tx: Tx): Promise<void> {
  store.finishHistory(tx)
  makeDue(tx, searchLearningJob)
}
