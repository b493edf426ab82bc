// Divides the time of a search among the sources.

import type { Trial } from '../../ml/selection/family-climb.ts'
import type { Pace } from './training-budget.ts'

/** The search for the best parameters of a source. */
export interface Climber {
  page: string
  /** The first trial, alone. */
  first: Pick<Trial, 'seconds' | 'score'>
  climb: {
    tried: number
    isDone: boolean
    /** Until the end of a turn, and that of the search. */
    goOn: (until: number, end: number) => Promise<unknown>
  }
}

/**
 * Divides what is left of the time until no source has a move left. Cheap sources come first: they are soon done, and what
 * they do not use is left to the dear ones. Where the time suffices for all moves, how it was divided changes nothing.
 */
export async function climbInTurns(climbers: readonly Climber[], { elapsed, until }: Pace): Promise<void> {
  const triedBy = (some: readonly Climber[]) => some.reduce((sum, { climb }) => sum + climb.tried, 0)
  const cheapestFirst = climbers.toSorted((a, b) => a.first.seconds - b.first.seconds)
  for (let open = cheapestFirst; open.length > 0; open = open.filter(({ climb }) => !climb.isDone)) {
    const before = triedBy(open)
    const shares = open.map((it) => shareOf(it, open))
    for (const [at, { climb, first }] of open.entries()) {
      const now = elapsed()
      const left = shares.slice(at).reduce((sum, it) => sum + it, 0)
      const own = Math.max(((until - now) * shares[at]!) / left, first.seconds * longerTrial)
      await climb.goOn(Math.min(until, now + own), until)
    }
    if (triedBy(open) > before) continue
    // No share is long enough for another trial.
    for (const { climb } of open.toSorted((a, b) => b.first.score - a.first.score))
      await climb.goOn(until, until)
    return
  }
}

/** A source has time for one trial in each turn, as long as its first one took or a little longer. */
const longerTrial = 1.1

/** Halves from the best of a page to the next. */
const shareOf = ({ page, first }: Climber, open: readonly Climber[]): number =>
  2 ** -open.filter((it) => it.page === page && it.first.score > first.score).length
