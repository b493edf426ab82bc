// Who a buyer is, and what he did lately, as far as this process has heard.

import type { Reader } from '../../base/db.ts'
import type { MemoryKind } from '../../base/memory.ts'
import { productsOfOffers } from '../../catalog/index.ts'
import { clientsByPhone, phoneOf } from '../../identity/index.ts'
import * as store from '../store/histories.ts'
import type { Deed } from './interaction.ts'
import { toldName } from './names.ts'

/** The last deeds of a buyer, the latest first. */
export interface History {
  buyer: string
  /** All that he goes by, his own name among them. */
  names: string[]
  /** The name by which he draws his groups in experiments. */
  lot: string
  deeds: Deed[]
}

const historyMemory: MemoryKind<History> = {
  max: 20_000,
  subjects: (it) => it.names.map((name) => `buyer/${name}`),
  touches: (event) =>
    event.type === 'BehaviourReported'
      ? event.buyers.map((it) => `buyer/${it}`)
      : event.type === 'BuyersRecognised'
        ? [...event.buyers, ...event.names].map((it) => `buyer/${it}`)
        : [],
}

/**
 * Of several names, the history of the first under which anything was done, else of the first that is somebody's;
 * undefined when there are none.
 */
export async function historyOf(read: Reader, names: readonly string[]): Promise<History | undefined> {
  if (names.length === 0) return undefined
  const told = [...new Set(await toldNames(read, names))]
  const known = await read.recall(historyMemory, told, (missing) => loaded(read, missing))
  const histories = told.flatMap((it) => known.get(it) ?? [])
  return histories.find((it) => it.deeds.length > 0) ?? histories.find(isSomebody) ?? histories[0]
}

/** Brings histories into memory before anybody asks for them. */
export const warmHistories = async (read: Reader, names: readonly string[]): Promise<void> =>
  void (await read.recall(historyMemory, names, (missing) => loaded(read, missing)))

/** What was known of a buyer at an instant. */
export const historyUntil = async (read: Reader, buyer: string, until: Date): Promise<History> =>
  (await loaded(read, [buyer], until)).get(buyer)!

const isSomebody = ({ names }: History): boolean => names.length > 1

/** A telephone is the client's who has it. */
async function toldNames(read: Reader, names: readonly string[]): Promise<string[]> {
  const phones = names.map((it) => (it.startsWith('+') ? phoneOf(it) : undefined))
  const wanted = phones.filter((it) => it !== undefined)
  const owners = wanted.length > 0 ? await clientsByPhone(read, wanted) : new Map<string, number>()
  return names.map((name, at) => {
    const owner = owners.get(phones[at] ?? '')
    return owner === undefined ? toldName(name) : String(owner)
  })
}

/** Which product an offer sells never changes, so it is found out once. */
async function loaded(read: Reader, names: readonly string[], until?: Date): Promise<Map<string, History>> {
  const histories = await store.loadHistories(read, names, until)
  const productOf = await productsOfOffers(read, [
    ...new Set([...histories.values()].flatMap((it) => it.deeds.map((deed) => deed.offer))),
  ])
  for (const { deeds } of histories.values())
    for (const deed of deeds) deed.productId = productOf.get(deed.offer) ?? null
  return histories
}
