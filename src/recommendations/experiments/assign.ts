// Which group somebody is in: a pure function of the experiment and of the name by which he draws, so every node and every
// call agrees without asking anybody.

import { sha256 } from '../../base/random.ts'
import type { Experiment, Group } from './experiment.ts'

/** A place from 0 to 1, evenly spread, and of no connection with the place in another experiment. */
export const placeOf = (slug: string, lot: string): number =>
  sha256(`${slug}/${lot}`).readUIntBE(0, 6) / 2 ** 48

/** The group of a buyer; undefined for those whom the experiment leaves alone. */
export function groupOf(experiment: Pick<Experiment, 'slug' | 'groups'>, lot: string): Group | undefined {
  let rest = placeOf(experiment.slug, lot)
  for (const group of experiment.groups) {
    if (rest < group.share) return group
    rest -= group.share
  }
  return undefined
}

/** The group that a caller names himself: `group`, or `experiment:group`. */
export function namedGroup(
  { slug, groups }: Pick<Experiment, 'slug' | 'groups'>,
  said: string,
): Group | undefined {
  return groups.find((it) => it.name === said || `${slug}:${it.name}` === said)
}
