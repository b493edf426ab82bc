// What a category is, and where in the tree it may stand.

import { type Refusal, refuse } from '../base/refusal.ts'
import type { Words } from '../http/language.ts'
import type { Identified } from './missing.ts'

export interface Category {
  id: number
  parentId: number | null
  level: number
  slug: string
  name: Words
  description: Words
  imageUrl: string | null
  version: number
  createdAt: Date
  updatedAt: Date
}

/** What a shop says of a category. Without an id, the shop finds one. */
export interface CategoryRecord {
  id?: number
  parentId: number | null
  slug: string
  name: Words
  description: Words
  imageUrl: string | null
}

/** Deeper trees help nobody to find anything. */
export const deepestLevel = 9

type Place = Pick<Category, 'id' | 'level'>

export const levelBelow = (parent: Place | undefined): number => (parent ? parent.level + 1 : 0)

/** Why a category with `depthBelow` levels under it may not stand there, if it may not. `path` leads from the parent up. */
export function misplaced(
  place: { id: number | undefined; parentId: number | null; depthBelow: number },
  path: Place[],
): Refusal | undefined {
  const fault = (rule: string, limit?: number) =>
    refuse('validation_failed', { fields: [{ path: 'parent_id', rule, limit }] })
  if (place.parentId !== null && path.length === 0) return fault('exists')
  if (path.some((it) => it.id === place.id)) return fault('cycle')
  if (levelBelow(path[0]) + place.depthBelow > deepestLevel) return fault('maximum', deepestLevel)
  return undefined
}

/** Records with their levels. Each parent stands already, or comes before its children. */
export function withLevels<R extends Identified<CategoryRecord>>(
  records: readonly R[],
  standing: readonly Place[],
): (R & { level: number })[] {
  const places = new Map(standing.map((it) => [it.id, it]))
  return records.map((record) => {
    const parent = record.parentId === null ? undefined : places.get(record.parentId)
    const refusal = misplaced(
      { id: record.id, parentId: record.parentId, depthBelow: 0 },
      parent ? [parent] : [],
    )
    if (refusal) throw refusal
    const placed = { ...record, level: levelBelow(parent) }
    places.set(record.id, placed)
    return placed
  })
}
