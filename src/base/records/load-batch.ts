// Stores a batch of records of several kinds and finds those that cannot be stored.

import { isConstraintViolation, type Tx } from '../database.ts'
import { type ParsedRecord, refusalFaults, refusedEntry, type RefusedLine } from './parse-record.ts'
import type { RecordKind } from './record-kind.ts'
import { Refusal } from '../refusal.ts'
import type { FieldFault } from '../validation.ts'

/** Records in neither list were stored. */
export interface BatchOutcome {
  /** Records that were as given already. */
  unchanged: number
  refused: RefusedLine[]
  /** Records with a missing reference, and how they would be refused. */
  later: { entry: ParsedRecord; refusal: RefusedLine }[]
}

/** Stores records kind by kind, in the order of `kinds`. */
export async function loadBatch(
  tx: Tx,
  kinds: readonly RecordKind[],
  entries: readonly ParsedRecord[],
): Promise<BatchOutcome> {
  const outcome: BatchOutcome = { unchanged: 0, refused: [], later: [] }
  const byKind = Map.groupBy(entries, (it) => it.kind)
  for (const kind of kinds)
    for (const round of roundsOf(byKind.get(kind) ?? [])) {
      const unloaded = await kind.load(
        tx,
        round.map((it) => it.record),
        outcome,
      )
      for (const { at, faults, isMissingReference } of unloaded) {
        const entry = round[at]!
        const refusal = refusedEntry(entry, faults)
        if (isMissingReference) outcome.later.push({ entry, refusal })
        else outcome.refused.push(refusal)
      }
    }
  return outcome
}

/** Splits entries so that no round has a key twice: the later of two lines with one key wins. */
function roundsOf(entries: readonly ParsedRecord[]): ParsedRecord[][] {
  const rounds: ParsedRecord[][] = []
  const timesSeen = new Map<string | number, number>()
  for (const entry of entries) {
    const at = entry.id === null ? 0 : (timesSeen.get(entry.id) ?? 0)
    if (entry.id !== null) timesSeen.set(entry.id, at + 1)
    ;(rounds[at] ??= []).push(entry)
  }
  return rounds
}

/**
 * Stores a batch whole; when the database rejects it, half by half, so that only the wrong records are left out. Kinds
 * find most faults themselves; this handles the rest, such as a slug that was taken a moment ago.
 */
export async function loadInParts(
  entries: readonly ParsedRecord[],
  load: (part: readonly ParsedRecord[]) => Promise<BatchOutcome>,
): Promise<BatchOutcome> {
  try {
    return await load(entries)
  } catch (error) {
    const faults = faultsOf(error)
    if (entries.length === 1) return { unchanged: 0, refused: [refusedEntry(entries[0]!, faults)], later: [] }
    const middle = Math.ceil(entries.length / 2)
    const first = await loadInParts(entries.slice(0, middle), load)
    const second = await loadInParts(entries.slice(middle), load)
    return {
      unchanged: first.unchanged + second.unchanged,
      refused: [...first.refused, ...second.refused],
      later: [...first.later, ...second.later],
    }
  }
}

const temporaryCodes = ['service_unavailable', 'storage_unavailable']

/** Why the records cannot be stored; rethrows errors that are not caused by the records. */
function faultsOf(error: unknown): FieldFault[] {
  if (isConstraintViolation(error)) return [{ path: '', rule: 'contradiction' }]
  if (error instanceof Refusal && temporaryCodes.includes(error.code)) throw error
  return refusalFaults(error)
}
