// The candidates of a buyer's main page, kept until something that they depend on has changed: the history, whose array is
// replaced after every interaction, the exclusions, the place, the device and application, whether an external model may be
// used, whether the items that were looked at are for sale, and for buyers with purchases the hour, for which it is computed
// what is due.

import { isUsableOn } from '../models/external-model.ts'
import type { Model } from '../models/model.ts'
import { type Candidates, dueTime, type Proposer, type Wanted } from './candidates.ts'
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

/** Of all buyers together, for each loaded model: 16 MB, the candidates of about 2 000 buyers. Large shops have more buyers. */
const leastBytes = 16_000_000
const bytesOfProduct = 1_000
const mostBytesFor = ({ items }: Model): number => Math.max(leastBytes, items.count * bytesOfProduct)
/** What an entry and an array take beside their numbers, as measured. */
const entryBytes = 1_000
const arrayBytes = 200
const viewBytes = 100

/** With more items that are not for sale, by the length of a list, it costs too much to keep and to check them. */
const mostRejected = 2

/** Proposes the same candidates as `propose`. */
export function keepingProposer(model: Model, propose: Proposer, mostBytes = mostBytesFor(model)): Proposer {
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
    const { history } = query.profile
    const isMainPage = query.context.length === 0 && !query.isOneCategory
    if (!isMainPage || wanted.isLasting === false) return propose(query, wanted)
    if (history.length === 0 || model.repeats === 'excluded') return propose(query, wanted)
    const out = [...wanted.out]
    const given = givenWith(model, query, wanted)
    const known = drop(history)
    if (known && known.given === given && isValid(known, out, wanted)) {
      keep(history, known)
      return known.candidates
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

const givenWith = (
  { external }: Model,
  { layer, profile, place, platform = [], day }: ModelQuery,
  { limit, scored }: Wanted,
) => {
  const time = profile.purchases.length > 0 ? dueTime(day) : ''
  const isExternalUsed = external !== undefined && isUsableOn(external, day)
  return [layer, limit, scored, time, isExternalUsed, place, ...platform].join('\n')
}

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
