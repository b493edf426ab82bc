// Identifies a buyer and loads the latest interactions, cached until an event invalidates them.

import type { CacheKind } from '../../base/cache.ts'
import type { Reader } from '../../base/database.ts'
import { productsOfOffers } from '../../catalog/index.ts'
import { clientsByPhone, phoneOf } from '../../identity/index.ts'
import { possibleKeys } from './aliases.ts'
import type { BuyerHistory } from './interaction.ts'
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
): Promise<BuyerHistory | undefined> {
  if (identifiers.length === 0) return undefined
  const keys = [...new Set(await resolveBuyerKeys(read, identifiers))]
  const found = await read.cached(historyCache, keys, (missing) => queryHistories(read, missing))
  const histories = keys.flatMap((it) => found.get(it) ?? [])
  return histories.find((it) => it.interactions.length > 0) ?? histories.find(isKnown) ?? histories[0]
}

/** Fills the cache ahead of the first calls. */
export const preloadHistories = async (read: Reader, keys: readonly string[]): Promise<void> =>
  void (await read.cached(historyCache, keys, (missing) => queryHistories(read, missing)))

/** The history as it was at an instant. */
export const historyUntil = async (read: Reader, buyer: string, until: Date): Promise<BuyerHistory> =>
  (await queryHistories(read, [buyer], until)).get(buyer)!

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

/** The product of an offer never changes, so it is resolved once and cached with the history. */
async function queryHistories(
  read: Reader,
  keys: readonly string[],
  until?: Date,
): Promise<Map<string, BuyerHistory>> {
  const histories = await store.loadHistories(read, keys, until)
  const productOf = await productsOfOffers(read, [
    ...new Set([...histories.values()].flatMap((it) => it.interactions.map((one) => one.offer))),
  ])
  for (const { interactions } of histories.values())
    for (const it of interactions) it.productId = productOf.get(it.offer) ?? null
  return histories
}
