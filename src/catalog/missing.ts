// What of a delivery is not on the shelves yet.

import { refuse } from '../base/refusal.ts'

/** A record whose id the shop chose itself. */
export type Identified<R> = R & { id: number }

export interface Standing {
  id: number
  slug: string
}

/** The records whose ids are free. A new one that wants somebody's slug, or the slug of one before it, is a conflict. */
export function missing<R extends Standing>(records: readonly R[], standing: readonly Standing[]): R[] {
  const ids = new Set(standing.map((it) => it.id))
  const slugs = new Set(standing.map((it) => it.slug))
  const wanted = records.filter((it) => !ids.has(it.id))
  const clash = wanted.find(({ slug }) => {
    const isTaken = slugs.has(slug)
    slugs.add(slug)
    return isTaken
  })
  if (clash) throw refuse('conflict', { field: 'slug', value: clash.slug, reason: 'taken' })
  return wanted
}
