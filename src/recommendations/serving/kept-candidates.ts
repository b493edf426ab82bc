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
}

/** Of all buyers together: 25 MB. */
const maxKept = 2_500

/** With more items that are not for sale, by the length of a list, it costs too much to keep and to check them. */
const mostRejected = 2

const repeatColumn = sourceNames.indexOf('repeat')

/** Proposes the same candidates as `propose`. */
export function keepingProposer(model: Model, propose: Proposer, most = maxKept): Proposer {
  const byHistory = new Map<readonly number[], Kept>()
  return (query, wanted) => {
    const { history, purchases } = query.profile
    const isMainPage = query.context.length === 0 && !query.isOneCategory
    if (!isMainPage || wanted.isLasting === false) return propose(query, wanted)
    if (history.length === 0 || model.repeats === 'excluded') return propose(query, wanted)
    const due = dueItems(model.rhythm, purchases, query.day)
    if (due.size > 0 && model.weights[query.layer][repeatColumn]! > 0) return propose(query, wanted)
    const out = [...wanted.out]
    const given = givenWith(model, query, wanted)
    const known = byHistory.get(history)
    byHistory.delete(history)
    if (known && known.given === given && isValid(known, out, wanted)) {
      byHistory.set(history, known)
      return withDue(known.candidates, due, out)
    }
    const kept = proposed(propose, query, { ...wanted, out })
    if (kept.rejected.length > mostRejected * wanted.limit) return kept.candidates
    byHistory.set(history, { ...kept, given, out, candidates: withoutZeros(kept.candidates) })
    if (byHistory.size > most) byHistory.delete(byHistory.keys().next().value!)
    return kept.candidates
  }
}

function dueItems(rhythm: Rhythm, purchases: readonly Purchase[], day: number): Map<number, number> {
  const due = new Map<number, number>()
  addDue(rhythm, purchases, day, (item, amount) => due.set(item, amount))
  return due
}

const givenWith = (
  { external }: Model,
  { layer, place, platform = [], day }: ModelQuery,
  { limit }: Wanted,
) => [layer, limit, external !== undefined && isUsableOn(external, day), place, ...platform].join('\n')

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

/** Sources that score none of the items share one array: many models lack several sources. */
function withoutZeros(candidates: Candidates): Candidates {
  const none = new Float32Array(candidates.items.length)
  return {
    ...candidates,
    scores: candidates.scores.map((it) => (it.some((score) => score !== 0) ? it : none)),
  }
}

function withDue(
  candidates: Candidates,
  due: ReadonlyMap<number, number>,
  out: readonly number[],
): Candidates {
  let top = 0
  for (const [item, amount] of due) if (amount > top && !out.includes(item)) top = amount
  const { items } = candidates
  const shares = new Float32Array(items.length)
  if (top > 0) for (let at = 0; at < items.length; at++) shares[at] = (due.get(items[at]!) ?? 0) / top
  return { ...candidates, scores: candidates.scores.with(repeatColumn, shares) }
}
