// An observed interaction may have been reported before. Both are one then, saved under the key of the report.

import type { InteractionKey, NearReport } from './store.ts'
import type { ObservedInteraction } from './interaction.ts'

/** Assigns each observed interaction, in order, to the nearest report that is still free; without one it keeps its own key. */
export function matchReports(
  observed: readonly ObservedInteraction[],
  reports: readonly NearReport[],
): ObservedInteraction[] {
  const near = Map.groupBy(reports, (it) => it.position)
  const taken = new Set<string>()
  const result = new Map<string, ObservedInteraction>()
  for (const [position, interaction] of observed.entries()) {
    const matches = (near.get(position) ?? []).map(({ buyer, at }) => ({ ...interaction, buyer, at }))
    const report = matches.find((it) => !taken.has(keyOf(it)))
    if (report) taken.add(keyOf(report))
    result.set(keyOf(report ?? interaction), report ?? interaction)
  }
  return [...result.values()]
}

const keyOf = ({ buyer, at, offer, kind }: InteractionKey): string =>
  `${buyer} ${at.getTime()} ${offer} ${kind}`
