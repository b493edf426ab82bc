// Who a buyer is, and what he did lately, as far as this process has heard.

import type { Reader } from '../../base/db.ts'
import type { MemoryKind } from '../../base/memory.ts'
import { moderatedOffersByUuid, type OfferSheet, offersShown } from '../../catalog/index.ts'
import * as store from '../store/behaviour.ts'
import type { Deed } from './interaction.ts'

/** The last deeds of a buyer, the latest first. */
export interface History {
  buyer: string
  deeds: Deed[]
}

const historyMemory: MemoryKind<History> = {
  max: 50_000,
  subjects: (it) => [`buyer/${it.buyer}`],
  touches: (event) =>
    event.type === 'BehaviourReported'
      ? event.buyers.map((it) => `buyer/${it}`)
      : event.type === 'BuyerRecognised'
        ? [`buyer/${event.name}`]
        : [],
}

/** Of several names, the history of the first under which anything is known; undefined when nothing is. */
export async function historyOf(read: Reader, names: readonly string[]): Promise<History | undefined> {
  if (names.length === 0) return undefined
  const known = await read.recall(historyMemory, names, (missing) => loaded(read, missing))
  return names.map((it) => known.get(it)).find((it) => it !== undefined && it.deeds.length > 0)
}

/** Which product an offer sells never changes, so it is found out once. */
async function loaded(read: Reader, names: readonly string[]): Promise<Map<string, History>> {
  const histories = await store.loadHistories(read, names)
  const productOf = await productsOfOffers(read, [
    ...new Set([...histories.values()].flatMap((it) => it.deeds.map((deed) => deed.offer))),
  ])
  for (const { deeds } of histories.values())
    for (const deed of deeds) deed.productId = productOf.get(deed.offer) ?? null
  return histories
}

const numberForm = /^[1-9]\d{0,15}$/
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The products behind offers of either kind; what names nothing is passed over. */
export async function productsOfOffers(read: Reader, names: readonly string[]): Promise<Map<string, number>> {
  const ordinary = names.filter((it) => numberForm.test(it) && Number.isSafeInteger(Number(it)))
  const moderated = names.filter((it) => uuidForm.test(it))
  const [known, others] = await Promise.all([
    offersShown(read, ordinary.map(Number)),
    moderated.length > 0 ? moderatedOffersByUuid(read, moderated) : new Map<number, OfferSheet>(),
  ])
  return new Map([
    ...[...known.values()].map((it): [string, number] => [String(it.id), it.productId]),
    ...[...others.values()].map((it): [string, number] => [it.moderation!.uuid, it.productId]),
  ])
}
