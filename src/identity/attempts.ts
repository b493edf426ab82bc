// How often passwords may be tried. Tries are counted before anything is looked at, whether the account exists or not.

import type { Database, Tx } from '../base/db.ts'
import { sha256 } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import { countAttempt, forgetAttempts, uncountAttempt } from './store/attempts.ts'

const quarterHour = 900
const hour = 3_600

/** What is counted, how often it may happen and in which time (ADR 0008). */
// oxfmt-ignore
const budgets = {
  signInAccount:  { limit: 20,  windowSeconds: quarterHour },
  signInNetwork:  { limit: 100, windowSeconds: quarterHour },
  signInMember:   { limit: 10,  windowSeconds: quarterHour },
  ownPassword:    { limit: 10,  windowSeconds: quarterHour },
  resetAccount:   { limit: 5,   windowSeconds: hour },
  resetNetwork:   { limit: 30,  windowSeconds: hour },
  resetToken:     { limit: 30,  windowSeconds: hour },
  takenNetwork:   { limit: 30,  windowSeconds: hour },
}

/** Who spends, and from which budget. An account is its login; a network is that of the caller's address. */
export interface Try {
  budget: keyof typeof budgets
  who: string
}

/** Counts tries, and refuses when a budget is spent. In a transaction of its own, so that a refused try counts too. */
export async function spend(db: Database, tries: readonly Try[]): Promise<void> {
  const now = db.clock.now()
  const waits = await db.transaction(async (tx) => {
    const found = []
    for (const it of inOrder(tries)) {
      const { limit, windowSeconds } = budgets[it.budget]
      const { count, beganAt } = await countAttempt(tx, subjectOf(it), windowSeconds)
      const leftMs = beganAt.getTime() + windowSeconds * 1000 - tx.now.getTime()
      if (count > limit) found.push({ limit, seconds: Math.max(1, Math.ceil(leftMs / 1000)) })
    }
    return found
  })
  const [longest] = waits.toSorted((a, b) => b.seconds - a.seconds)
  if (longest)
    throw refuse('rate_limit_exceeded', {
      retry_after: longest.seconds,
      limit: longest.limit,
      remaining: 0,
      reset_at: new Date(now.getTime() + longest.seconds * 1000).toISOString(),
    })
}

/** Whoever knew the password gets his tries back: all of the account's, and this one of the network's. */
export function giveBack(tx: Tx, tries: readonly Try[]): void {
  for (const it of inOrder(tries)) {
    if (it.budget === 'signInNetwork') uncountAttempt(tx, subjectOf(it))
    else forgetAttempts(tx, subjectOf(it))
  }
}

/** Rows are locked in one order by everybody, so that nobody waits in a circle. */
const inOrder = (tries: readonly Try[]): Try[] =>
  tries.toSorted((a, b) => Buffer.compare(subjectOf(a), subjectOf(b)))

/** What people typed is not collected: a hash counts as well. */
const subjectOf = ({ budget, who }: Try): Buffer => sha256(`${budget} ${who}`)
