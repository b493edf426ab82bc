// Categories and the rules of their tree.

import { conflict } from '../../base/conflict.ts'
import { type Refusal, refuse } from '../../base/refusal.ts'
import type { LocalizedText } from '../../http/language.ts'

export interface Category {
  id: number
  parentId: number | null
  level: number
  slug: string
  name: LocalizedText
  description: LocalizedText
  imageUrl: string | null
  version: number
  createdAt: Date
  updatedAt: Date
}

/** A category to be written. Without an id, one is assigned. */
export interface CategoryRecord {
  id?: number
  parentId: number | null
  slug: string
  name: LocalizedText
  description: LocalizedText
  imageUrl: string | null
}

export const maxLevel = 9

type Place = Pick<Category, 'id' | 'level'>

export const levelBelow = (parent: Place | undefined): number => (parent ? parent.level + 1 : 0)

/** Why a category with `depthBelow` levels under it may not be there, if so. `path` leads from the parent to the root. */
export function refusalOfPlace(
  place: { id: number | undefined; parentId: number | null; depthBelow: number },
  path: Place[],
): Refusal | undefined {
  const fault = (rule: string, limit?: number) =>
    refuse('validation_failed', { fields: [{ path: 'parent_id', rule, limit }] })
  if (place.parentId !== null && path.length === 0) return fault('exists')
  if (path.some((it) => it.id === place.id)) return fault('cycle')
  if (levelBelow(path[0]) + place.depthBelow > maxLevel) return fault('maximum', maxLevel)
  return undefined
}

/** Records with their levels. Parents exist already or precede their children. */
export function withLevels<R extends Identified<CategoryRecord>>(
  records: readonly R[],
  standing: readonly Place[],
): (R & { level: number })[] {
  const places = new Map(standing.map((it) => [it.id, it]))
  return records.map((record) => {
    const parent = record.parentId === null ? undefined : places.get(record.parentId)
    const refusal = refusalOfPlace(
      { id: record.id, parentId: record.parentId, depthBelow: 0 },
      parent ? [parent] : [],
    )
    if (refusal) throw refusal
    const placed = { ...record, level: levelBelow(parent) }
    places.set(record.id, placed)
    return placed
  })
}

/** A record with a chosen id. */
export type Identified<R> = R & { id: number }

export interface ExistingSlug {
  id: number
  slug: string
}

/** The records whose ids are free. A taken slug, also one of a previous record, is a conflict. */
export function recordsToAdd<R extends ExistingSlug>(
  records: readonly R[],
  standing: readonly ExistingSlug[],
): R[] {
  const ids = new Set(standing.map((it) => it.id))
  const slugs = new Set(standing.map((it) => it.slug))
  const wanted = records.filter((it) => !ids.has(it.id))
  const clash = wanted.find(({ slug }) => {
    const isTaken = slugs.has(slug)
    slugs.add(slug)
    return isTaken
  })
  if (clash) throw conflict('taken', { field: 'slug', value: clash.slug })
  return wanted
}
