// The candidates of a buyer's main page, kept until something that they depend on has changed: the history, whose array is
// replaced after every interaction, the exclusions, the place, or whether the items that were looked at are for sale. Time
// alone changes the scores of what is due: they are computed every time, and where they decide candidates nothing is kept.

import { addDue, type Purchase, type Rhythm } from '../../ml/retrieval/repeat.ts'
import { isUsableOn } from '../models/external-model.ts'
import type { Model } from '../models/model.ts'
import { type Candidates, type Proposer, sourceNames, type Wanted } from './candidates.ts'
import type { ModelQuery } from './model-query.ts'

interface Kept {
  /** What else was given, as a text. */
  given: string
  out: readonly number[]
  candidates: Candidates
  /** Better items that were not for sale. */
  rejected: readonly number[]
  bytes: number
}

/** Of all buyers together, for each loaded model: 16 MB, which is the candidates of 500 to 2 000 buyers. */
const maxBytes = 16_000_000
/** What an entry and an array take beside their numbers, as measured. */
const entryBytes = 1_000
const arrayBytes = 200
const viewBytes = 100

/** With more items that are not for sale, by the length of a list, it costs too much to keep and to check them. */
const mostRejected = 2

const repeatColumn = sourceNames.indexOf('repeat')

/** Proposes the same candidates as `propose`. */
export function keepingProposer(model: Model, propose: Proposer, mostBytes = maxBytes): Proposer {
  /** Ordered by last use. */
  const byHistory = new Map<readonly number[], Kept>()
  let bytes = 0
  const keep = (history: readonly number[], kept: Kept) => {
    byHistory.set(history, kept)
    bytes += kept.bytes
  }
  const drop = (history: readonly number[]): Kept | undefined => {
    const known = byHistory.get(history)
    byHistory.delete(history)
    bytes -= known?.bytes ?? 0
    return known
  }
  return (query, wanted) => {
    const { history, purchases } = query.profile
    const isMainPage = query.context.length === 0 && !query.isOneCategory
    if (!isMainPage || wanted.isLasting === false) return propose(query, wanted)
    if (history.length === 0 || model.repeats === 'excluded') return propose(query, wanted)
    const due = dueItems(model.rhythm, purchases, query.day)
    if (due.size > 0 && model.weights[query.layer][repeatColumn]! > 0) return propose(query, wanted)
    const out = [...wanted.out]
    const given = givenWith(model, query, wanted)
    const known = drop(history)
    if (known && known.given === given && isValid(known, out, wanted)) {
      keep(history, known)
      return withDue(known.candidates, due, out)
    }
    const { candidates, rejected } = proposed(propose, query, { ...wanted, out })
    if (rejected.length > mostRejected * wanted.limit) return candidates
    const kept = { given, out, rejected, candidates }
    keep(history, { ...kept, bytes: bytesOf(history, kept) })
    for (const oldest of byHistory.keys()) {
      if (bytes <= mostBytes) break
      drop(oldest)
    }
    return candidates
  }
}

function bytesOf(
  history: readonly number[],
  { out, rejected, candidates: { items, blend, scores, focus } }: Omit<Kept, 'bytes'>,
): number {
  let bytes = entryBytes
  for (const it of [history, out, rejected, focus]) bytes += it.length * Float64Array.BYTES_PER_ELEMENT
  for (const it of [items, blend, ...new Set(scores.map(({ buffer }) => buffer))])
    bytes += arrayBytes + it.byteLength
  bytes += new Set(scores).size * viewBytes
  return bytes
}

function dueItems(rhythm: Rhythm, purchases: readonly Purchase[], day: number): Map<number, number> {
  const due = new Map<number, number>()
  addDue(rhythm, purchases, day, (item, amount) => due.set(item, amount))
  return due
}

const givenWith = (
  { external }: Model,
  { layer, place, platform = [], day }: ModelQuery,
  { limit, scored }: Wanted,
) =>
  [layer, limit, scored, external !== undefined && isUsableOn(external, day), place, ...platform].join('\n')

function isValid(
  { candidates: { items }, rejected, out: outBefore }: Kept,
  out: readonly number[],
  { isForSale = () => true }: Wanted,
): boolean {
  if (out.length !== outBefore.length) return false
  for (let at = 0; at < out.length; at++) if (out[at] !== outBefore[at]) return false
  for (let at = 0; at < items.length; at++) if (!isForSale(items[at]!)) return false
  return !rejected.some(isForSale)
}

function proposed(
  propose: Proposer,
  query: ModelQuery,
  wanted: Wanted,
): Pick<Kept, 'candidates' | 'rejected'> {
  const { isForSale = () => true } = wanted
  const rejected: number[] = []
  const candidates = propose(query, {
    ...wanted,
    isForSale: (item) => {
      const isTaken = isForSale(item)
      if (!isTaken) rejected.push(item)
      return isTaken
    },
  })
  return { candidates, rejected }
}

function withDue(
  candidates: Candidates,
  due: ReadonlyMap<number, number>,
  out: readonly number[],
): Candidates {
  let top = 0
  for (const [item, amount] of due) if (amount > top && !out.includes(item)) top = amount
  const { items, scores } = candidates
  const shares = new Float32Array(scores[repeatColumn]!.length)
  if (top > 0) for (let at = 0; at < shares.length; at++) shares[at] = (due.get(items[at]!) ?? 0) / top
  return { ...candidates, scores: scores.with(repeatColumn, shares) }
}
