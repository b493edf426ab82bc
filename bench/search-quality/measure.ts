// Precision of the first five and whether the first is right, for each kind of query.

import type { JudgedQuery } from './judged-queries.ts'

/** Returns the ids of the first results, the best first. */
export type Find = (text: string, limit: number) => number[] | Promise<number[]>

export interface Figures {
  queries: number
  precision: number
  firstHit: number
}

const shown = 5

/** Figures by kind, and of all queries under `all`. */
export async function measure(find: Find, queries: readonly JudgedQuery[]): Promise<Map<string, Figures>> {
  const figures = new Map<string, Figures>()
  for (const query of queries) {
    const { precision, firstHit } = await judge(find, query)
    for (const kind of [query.kind, 'all']) {
      const known = figures.get(kind) ?? { queries: 0, precision: 0, firstHit: 0 }
      known.queries++
      known.precision += precision
      known.firstHit += firstHit
      figures.set(kind, known)
    }
  }
  for (const it of figures.values()) {
    it.precision /= it.queries
    it.firstHit /= it.queries
  }
  return figures
}

/** The figures of several sets as those of one. */
export function together(sets: readonly Map<string, Figures>[]): Map<string, Figures> {
  const all = new Map<string, Figures>()
  for (const [kind, it] of sets.flatMap((figures) => [...figures])) {
    const known = all.get(kind) ?? { queries: 0, precision: 0, firstHit: 0 }
    const queries = known.queries + it.queries
    const mean = (one: number, other: number) => (one * known.queries + other * it.queries) / queries
    all.set(kind, {
      queries,
      precision: mean(known.precision, it.precision),
      firstHit: mean(known.firstHit, it.firstHit),
    })
  }
  return all
}

/** For what is not sold, only an empty list is right. */
export async function judge(find: Find, { text, relevant }: JudgedQuery) {
  const ids = await find(text, shown)
  if (relevant.size === 0) return { precision: Number(ids.length === 0), firstHit: Number(ids.length === 0) }
  const hits = ids.filter((it) => relevant.has(it)).length
  return {
    precision: hits / Math.min(shown, relevant.size),
    firstHit: Number(ids.length > 0 && relevant.has(ids[0]!)),
  }
}
