// Learns synonyms: a query whose results lack what its buyers chose means another query that led to the same products and
// finds them. Pure except for the searches.

import type { SynonymLine } from '../../search/index.ts'
import { type Ranker, type SearchOutcome, sortedSums, weightOf } from './learn.ts'

/** Buyers who type `query` mean `meant`. */
export interface LearnedSynonym {
  query: string
  meant: string
  /** The cosine of what both led to; 1 for the same products in the same proportions. */
  similarity: number
  weight: number
}

const minWeight = 20
const minSimilarity = 0.3
/** The most frequent queries are compared with each other. */
const maxQueries = 2_000
/** The most similar queries are searched; the one that finds most of what was chosen is meant. */
const maxCandidates = 8
const maxSynonyms = 500
/** The other query must find at least this share of what was chosen, and this many times as much as the query itself. */
const minFound = 0.5
const minFoundGain = 1.5
/** Numbers, commas and the marks of the dictionary cannot be forms of it. */
const formPattern = /^\p{L}[\p{L}\s'‘’ʻ-]*$/u
const maxWords = 4

interface QueryChoices {
  query: string
  weight: number
  products: Map<number, number>
  norm: number
}

/** The synonyms, the most frequent query first. */
export async function learnSynonyms(
  outcomes: readonly SearchOutcome[],
  find: Ranker,
): Promise<LearnedSynonym[]> {
  const queries = choicesByQuery(outcomes)
  const byProduct = new Map<number, QueryChoices[]>()
  for (const it of queries)
    for (const id of it.products.keys()) byProduct.set(id, [...(byProduct.get(id) ?? []), it])
  const learned: LearnedSynonym[] = []
  for (const asked of queries) {
    if (learned.length === maxSynonyms) break
    const own = await foundShare(asked, asked.query, find)
    if (own > minFound / minFoundGain) continue
    const meant = await bestOther(asked, { own, similar: mostSimilar(asked, byProduct), find })
    if (meant) learned.push({ query: asked.query, ...meant, weight: asked.weight })
  }
  return withoutChains(learned)
}

function choicesByQuery(outcomes: readonly SearchOutcome[]): QueryChoices[] {
  return [...Map.groupBy(outcomes, (it) => it.query)]
    .filter(([query]) => formPattern.test(query) && query.split(' ').length <= maxWords)
    .map(([query, its]) => {
      const products = new Map(sortedSums(its, (it) => it.productId))
      const weight = weightOf(its)
      return { query, weight, products, norm: Math.hypot(...products.values()) }
    })
    .filter((it) => it.weight >= minWeight)
    .toSorted((a, b) => b.weight - a.weight || (a.query < b.query ? -1 : 1))
    .slice(0, maxQueries)
}

function mostSimilar(
  asked: QueryChoices,
  byProduct: ReadonlyMap<number, readonly QueryChoices[]>,
): { other: QueryChoices; similarity: number }[] {
  const dots = new Map<QueryChoices, number>()
  for (const [id, weight] of asked.products)
    for (const other of byProduct.get(id) ?? [])
      if (other !== asked) dots.set(other, (dots.get(other) ?? 0) + weight * other.products.get(id)!)
  return [...dots]
    .map(([other, dot]) => ({ other, similarity: dot / (asked.norm * other.norm) }))
    .filter((it) => it.similarity >= minSimilarity)
    .toSorted((a, b) => b.similarity - a.similarity || (a.other.query < b.other.query ? -1 : 1))
    .slice(0, maxCandidates)
}

async function bestOther(
  asked: QueryChoices,
  given: { own: number; similar: ReturnType<typeof mostSimilar>; find: Ranker },
): Promise<Pick<LearnedSynonym, 'meant' | 'similarity'> | undefined> {
  let best = Math.max(minFound, given.own * minFoundGain)
  let found: Pick<LearnedSynonym, 'meant' | 'similarity'> | undefined
  for (const { other, similarity } of given.similar) {
    const share = await foundShare(asked, other.query, given.find)
    if (share < best || (found && share === best)) continue
    best = share
    found = { meant: other.query, similarity }
  }
  return found
}

/** The share of what the buyers of a query chose that a search finds. */
async function foundShare({ products, weight }: QueryChoices, query: string, find: Ranker): Promise<number> {
  const found = (await find(query)).reduce((sum, id) => sum + (products.get(id) ?? 0), 0)
  return found / weight
}

/** A query that means another is not what a third one means. */
function withoutChains(learned: readonly LearnedSynonym[]): LearnedSynonym[] {
  const asked = new Set(learned.map((it) => it.query))
  return learned.filter((it) => !asked.has(it.meant))
}

/** Lines of a dictionary; those whose query the shop's own lines define are left out. */
export function synonymLines(
  learned: readonly LearnedSynonym[],
  own: readonly SynonymLine[] = [],
): SynonymLine[] {
  const defined = new Set(own.flatMap((it) => (it.kind === 'same' ? it.forms : [it.form])))
  return learned
    .filter((it) => !defined.has(it.query))
    .map(({ query, meant }) => ({ kind: 'narrower', form: query, narrower: [meant] }))
}
