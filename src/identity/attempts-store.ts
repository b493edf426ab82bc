// Limits on password attempts. Attempts are counted in the database before the account is looked up, so they survive
// restarts and do not reveal whether the account exists.

import type { Database, Tx } from '../base/database.ts'
import { sha256 } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'

const quarterHour = 900
const hour = 3_600

/** Limits per kind of attempt (ADR 0008). */
// oxfmt-ignore
const budgets = {
  signInAccount:  { limit: 20,  windowSeconds: quarterHour },
  signInNetwork:  { limit: 100, windowSeconds: quarterHour },
  signInMember:   { limit: 10,  windowSeconds: quarterHour },
  ownPassword:    { limit: 10,  windowSeconds: quarterHour },
  twoStep:        { limit: 5,   windowSeconds: quarterHour },
  resetAccount:   { limit: 5,   windowSeconds: hour },
  resetMember:    { limit: 5,   windowSeconds: hour },
  resetNetwork:   { limit: 30,  windowSeconds: hour },
  resetToken:     { limit: 30,  windowSeconds: hour },
  takenNetwork:   { limit: 30,  windowSeconds: hour },
}

/** `who` is the login of an account or the network of an address. */
export interface Attempt {
  budget: keyof typeof budgets
  who: string
}

/**
 * Counts attempts and refuses when a budget is exceeded. Runs in its own transaction, so that refused attempts count
 * too.
 */
export async function countAttempts(db: Database, attempts: readonly Attempt[]): Promise<void> {
  const now = db.clock.now()
  const waits = await db.transaction(async (tx) => {
    const found = []
    for (const it of inOrder(attempts)) {
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

/** After a correct password, clears the attempts of the account and takes back this attempt of the network. */
export function refundAttempts(tx: Tx, attempts: readonly Attempt[]): void {
  for (const it of inOrder(attempts)) {
    if (it.budget === 'signInNetwork') uncountAttempt(tx, subjectOf(it))
    else deleteAttempts(tx, subjectOf(it))
  }
}

/** A fixed lock order prevents deadlocks. */
const inOrder = (attempts: readonly Attempt[]): Attempt[] =>
  attempts.toSorted((a, b) => Buffer.compare(subjectOf(a), subjectOf(b)))

/** Only hashes of logins and networks are stored. */
const subjectOf = ({ budget, who }: Attempt): Buffer => sha256(`${budget} ${who}`)

/** Counts one attempt and returns its number in the current window. */
export const countAttempt = (
  tx: Tx,
  subject: Buffer,
  windowSeconds: number,
): Promise<{ count: number; beganAt: Date }> =>
  tx.one(
    `insert into identity_attempts as attempts (subject, began_at, count) values ($1, $2, 1)
     on conflict (subject) do update set
       began_at = case when attempts.began_at <= $3 then excluded.began_at else attempts.began_at end,
       count = case when attempts.began_at <= $3 then 1 else least(attempts.count + 1, 1000000) end
     returning count, began_at as "beganAt"`,
    [subject, tx.now, new Date(tx.now.getTime() - windowSeconds * 1000)],
  )

export const uncountAttempt = (tx: Tx, subject: Buffer): void =>
  tx.later(`update identity_attempts set count = count - 1 where subject = $1 and count > 0`, [subject])

export const deleteAttempts = (tx: Tx, subject: Buffer): void =>
  tx.later(`delete from identity_attempts where subject = $1`, [subject])

export const attemptsPurge = {
  days: 1,
  sql: `delete from identity_attempts where began_at < $1 and subject in (
          select subject from identity_attempts where began_at < $1 order by began_at limit $2) returning 1`,
}
