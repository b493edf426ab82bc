// Who a buyer is, and what he did lately, as far as this process has heard.

import type { Reader } from '../../base/db.ts'
import type { MemoryKind } from '../../base/memory.ts'
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
  const known = await read.recall(historyMemory, names, (missing) => store.loadHistories(read, missing))
  return names.map((it) => known.get(it)).find((it) => it !== undefined && it.deeds.length > 0)
}
