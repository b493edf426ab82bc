// Stands between a list and the ranker. A ranker may come from outside: what it says is checked, and when it fails or takes
// too long it rests, so that lists are in time without it.

import { elapsedMs } from '../base/clock.ts'
import type { Ranker } from './engine/ranker.ts'

export type RankerFault = 'not_a_number' | 'wrong_count' | 'late' | 'broken'

export interface GuardOptions {
  /** Hears of the first fault, and of one a while later again. */
  tell?: (fault: RankerFault, error?: unknown) => void
  budgetMs?: number
  now?: () => number
}

/** What ordering one list may take. */
const usualBudgetMs = 100
const restMs = 30_000

/** The same ranker, except that it has no scores where they would be wrong or late. */
export function guarded(
  ranker: Ranker,
  { tell = () => {}, budgetMs = usualBudgetMs, now = elapsedMs }: GuardOptions = {},
): Ranker {
  let restsUntilMs = -Infinity
  const fails = (fault: RankerFault, error?: unknown): undefined => {
    restsUntilMs = now() + restMs
    tell(fault, error)
  }
  return {
    reasons: (features, rows) => ranker.reasons(features, rows),
    scores(features, rows) {
      const beganMs = now()
      if (beganMs < restsUntilMs) return undefined
      try {
        const scores = ranker.scores(features, rows, () => now() - beganMs > budgetMs)
        if (!scores) return fails('late')
        if (scores.length !== rows) return fails('wrong_count')
        for (let row = 0; row < rows; row++) if (!Number.isFinite(scores[row]!)) return fails('not_a_number')
        return scores
      } catch (error) {
        return fails('broken', error)
      }
    },
  }
}
