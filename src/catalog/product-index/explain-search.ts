// Why the products of a search rank where they do: what each has for the words, what the shop knows of it, and what was
// learned. It repeats the search without boosts and without the learned ranker, and puts the parts side by side.

import { explainRow, type Matches, readPrice, type RowExplanation } from '../../search/index.ts'
import type { Texts, UnitRole } from '../../search/index.ts'
import { type Availability, availabilityOf } from './boost.ts'
import type { Columns } from './columns.ts'
import { predictedFavour } from './favouring.ts'
import type { ProductQuery, ProductQueryResult } from './query.ts'
import { maxCandidates } from './reranking.ts'

/** One thing that the query asks for. */
export interface ExplainedUnit {
  typed: string
  searched: string
  role: UnitRole
  isRequired: boolean
  isLeftOut: boolean
}

export interface ExplainedProduct extends RowExplanation {
  id: number
  availability: Availability
  popularity: number
  /** Of availability, popularity, the length of the name and the price together. */
  boostFactor: number
  /** Above 1 for the category that buyers chose after this query. */
  predictedFactor: number
  /** The text score with both factors. The learned ranker orders those that are nearly alike. */
  score: number
  /** The place without the learned ranker; null when it is not among the first. */
  placeBefore: number | null
}

export interface SearchExplanation {
  found: ProductQueryResult
  units: ExplainedUnit[]
  products: ExplainedProduct[]
}

interface ExplainedIndex {
  columns: Columns
  texts: Texts
  find(query: ProductQuery): ProductQueryResult
  /** The rows that match, without boosts. */
  matches(text: string): Matches
  /** The category that buyers mean by a query. */
  predicted(text: string): number | undefined
}

export function explainSearch(
  { columns, texts, find, matches, predicted }: ExplainedIndex,
  query: ProductQuery & { text: string },
): SearchExplanation {
  const found = find(query)
  const before = find({ ...query, withoutRanker: true, limit: maxCandidates, wantsFacets: false }).ids
  const text = (query.isVerbatim ? undefined : readPrice(query.text))?.text ?? query.text
  const { units, leftOut } = matches(text)
  const category = columns.categoryIds.find(predicted(text) ?? Number.NaN)
  const explained = (id: number): ExplainedProduct => {
    const slot = columns.slotOf(id)!
    const row = explainRow(texts, units, slot)
    const here = columns.in[query.region]
    const boostFactor = here.boost[slot]!
    const isPredicted = columns.paths.at(columns.path[slot]!).includes(category)
    const predictedFactor = isPredicted ? predictedFavour : 1
    const place = before.indexOf(id)
    return {
      ...row,
      id,
      availability: availabilityOf(here, slot),
      popularity: columns.popularity[slot]!,
      boostFactor,
      predictedFactor,
      score: row.textScore * boostFactor * predictedFactor,
      placeBefore: place < 0 ? null : place + 1,
    }
  }
  return {
    found,
    units: units
      .filter(({ unit }) => !unit.isExtra)
      .map(({ unit }) => ({
        typed: unit.typed,
        searched: unit.words.map((it) => it.word).join(' '),
        role: unit.role,
        isRequired: unit.isRequired,
        isLeftOut: leftOut.includes(unit.typed),
      })),
    products: found.ids.map(explained),
  }
}
