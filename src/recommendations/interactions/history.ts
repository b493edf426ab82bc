// Identifies a buyer and loads the latest interactions, cached until an event invalidates them.

import type { CacheKind } from '../../base/cache.ts'
import type { Reader } from '../../base/database.ts'
import { type ProductIndexReader, productsOfOffers } from '../../catalog/index.ts'
import { clientsByPhone, phoneOf } from '../../identity/index.ts'
import { possibleKeys } from './aliases.ts'
import { type BuyerHistory, isOrdinary } from './interaction.ts'
import * as store from './store.ts'

const historyCache: CacheKind<BuyerHistory> = {
  max: 20_000,
  subjects: (it) => it.aliases.map((alias) => `buyer/${alias}`),
  alsoAffects: (event) =>
    event.type === 'InteractionsReported'
      ? event.buyers.map((it) => `buyer/${it}`)
      : event.type === 'BuyersRecognised'
        ? [...event.buyers, ...event.names].map((it) => `buyer/${it}`)
        : [],
}

/**
 * The first of these identifiers with interactions, else the first that belongs to a known buyer; undefined without
 * identifiers.
 */
export async function loadHistory(
  read: Reader,
  identifiers: readonly string[],
  index?: KnownProducts,
): Promise<BuyerHistory | undefined> {
  if (identifiers.length === 0) return undefined
  const keys = [...new Set(await resolveBuyerKeys(read, identifiers))]
  const found = await read.cached(historyCache, keys, (missing) => queryHistories(read, missing, { index }))
  const histories = keys.flatMap((it) => found.get(it) ?? [])
  return histories.find((it) => it.interactions.length > 0) ?? histories.find(isKnown) ?? histories[0]
}

/** Fills the cache ahead of the first calls. */
export const preloadHistories = async (
  read: Reader,
  keys: readonly string[],
  index: KnownProducts | undefined,
): Promise<void> =>
  void (await read.cached(historyCache, keys, (missing) => queryHistories(read, missing, { index })))

/** The history as it was at an instant. */
export const historyUntil = async (read: Reader, buyer: string, until: Date): Promise<BuyerHistory> =>
  (await queryHistories(read, [buyer], { until })).get(buyer)!

const isKnown = ({ aliases }: BuyerHistory): boolean => aliases.length > 1

/** A phone number resolves to the client who has it. */
async function resolveBuyerKeys(read: Reader, identifiers: readonly string[]): Promise<string[]> {
  const phones = identifiers.map((it) => (it.startsWith('+') ? phoneOf(it) : undefined))
  const wanted = phones.filter((it) => it !== undefined)
  const owners = wanted.length > 0 ? await clientsByPhone(read, wanted) : new Map<string, number>()
  return identifiers.flatMap((identifier, at) => {
    const owner = owners.get(phones[at] ?? '')
    return owner === undefined ? possibleKeys(identifier) : String(owner)
  })
}

/** Most products are known without a statement. */
type KnownProducts = Pick<ProductIndexReader, 'productOf'>

/** The product of an offer never changes, so it is resolved once and cached with the history. */
async function queryHistories(
  read: Reader,
  keys: readonly string[],
  { index, until }: { index?: KnownProducts | undefined; until?: Date },
): Promise<Map<string, BuyerHistory>> {
  const histories = await store.loadHistories(read, keys, until)
  const missing = new Set<string>()
  for (const { interactions } of histories.values())
    for (const it of interactions) {
      it.productId = (isOrdinary(it.offer) ? index?.productOf(Number(it.offer)) : undefined) ?? null
      if (it.productId === null) missing.add(it.offer)
    }
  if (missing.size === 0) return histories
  const productOf = await productsOfOffers(read, [...missing])
  for (const { interactions } of histories.values())
    for (const it of interactions) it.productId ??= productOf.get(it.offer) ?? null
  return histories
}
