// Loads a batch of records of several kinds, and finds those that cannot be stored.

import { isContradiction, type Tx } from './db.ts'
import { type Entry, refusalFaults, refusedEntry, type RefusedLine } from './read-record.ts'
import type { RecordKind } from './records.ts'
import { Refusal } from './refusal.ts'
import type { FieldFault } from './shape.ts'

/** What became of a batch; what stands in neither list is stored. */
export interface Outcome {
  refused: RefusedLine[]
  /** They name something that is not there, and would be refused so. */
  later: { entry: Entry; refusal: RefusedLine }[]
}

/** Loads records kind by kind, in the order in which the kinds are given. */
export async function loadBatch(
  tx: Tx,
  kinds: readonly RecordKind[],
  entries: readonly Entry[],
): Promise<Outcome> {
  const outcome: Outcome = { refused: [], later: [] }
  const byKind = Map.groupBy(entries, (it) => it.kind)
  for (const kind of kinds)
    for (const round of roundsOf(byKind.get(kind) ?? [])) {
      const unloaded = await kind.load(
        tx,
        round.map((it) => it.record),
      )
      for (const { at, faults, mayComeLater } of unloaded) {
        const entry = round[at]!
        const refusal = refusedEntry(entry, faults)
        if (mayComeLater) outcome.later.push({ entry, refusal })
        else outcome.refused.push(refusal)
      }
    }
  return outcome
}

/** Cut so that no round has a key twice: of two lines about one thing the later has the last word. */
function roundsOf(entries: readonly Entry[]): Entry[][] {
  const rounds: Entry[][] = []
  const timesSeen = new Map<string | number, number>()
  for (const entry of entries) {
    const at = entry.id === null ? 0 : (timesSeen.get(entry.id) ?? 0)
    if (entry.id !== null) timesSeen.set(entry.id, at + 1)
    ;(rounds[at] ??= []).push(entry)
  }
  return rounds
}

/**
 * Loads a batch whole; when the database refuses it, half by half, so that only the culprits are left out.
 * A kind tells most faults itself: this is for what it could not see, such as a name taken a moment ago.
 */
export async function loadInParts(
  entries: readonly Entry[],
  load: (part: readonly Entry[]) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await load(entries)
  } catch (error) {
    const faults = faultsOf(error)
    if (entries.length === 1) return { refused: [refusedEntry(entries[0]!, faults)], later: [] }
    const middle = Math.ceil(entries.length / 2)
    const first = await loadInParts(entries.slice(0, middle), load)
    const second = await loadInParts(entries.slice(middle), load)
    return {
      refused: [...first.refused, ...second.refused],
      later: [...first.later, ...second.later],
    }
  }
}

const passing = ['service_unavailable', 'storage_unavailable']

/** Why the records cannot be stored as they are; thrown on when it is not the records' fault. */
function faultsOf(error: unknown): FieldFault[] {
  if (isContradiction(error)) return [{ path: '', rule: 'contradiction' }]
  if (error instanceof Refusal && passing.includes(error.code)) throw error
  return refusalFaults(error)
}
