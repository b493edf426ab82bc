// A deed that the shop sees may have been reported before: then both are one, and it stays where the report stands.

import type { DeedKey, NearReport } from '../store/behaviour.ts'
import type { SeenDeed } from './interaction.ts'

/**
 * Deeds under the keys by which they are kept, one of each. Each takes the nearest report of it that no other has taken,
 * in the order in which they were done.
 */
export function asReported(deeds: readonly SeenDeed[], reports: readonly NearReport[]): SeenDeed[] {
  const near = Map.groupBy(reports, (it) => it.place)
  const taken = new Set<string>()
  const kept = new Map<string, SeenDeed>()
  for (const [place, deed] of deeds.entries()) {
    const told = (near.get(place) ?? []).map(({ buyer, at }) => ({ ...deed, buyer, at }))
    const report = told.find((it) => !taken.has(nameOf(it)))
    if (report) taken.add(nameOf(report))
    kept.set(nameOf(report ?? deed), report ?? deed)
  }
  return [...kept.values()]
}

const nameOf = ({ buyer, at, offer, kind }: DeedKey): string => `${buyer} ${at.getTime()} ${offer} ${kind}`
