import { deleteInBatches } from '../base/housekeeping.ts'
import type { Job } from '../base/jobs.ts'
import { overAttempts } from './store/attempts.ts'
import { overResets } from './store/password-resets.ts'
import { overAge, overEnd } from './store/sessions.ts'

/** Forgets what nobody can use any more. A session stays a day longer than it lives, for clocks that differ. */
export const forgetSessions: Job = {
  name: 'forget-sessions',
  cron: '0 45 3 * * ?',
  meaning: 'Forgets dead sessions, old wishes for a new password, and counted tries.',
  run: async (work) => {
    const sessions = (await deleteInBatches(work, overAge)) + (await deleteInBatches(work, overEnd))
    const resets = await deleteInBatches(work, overResets)
    const attempts = await deleteInBatches(work, overAttempts)
    return `forgot ${sessions} sessions, ${resets} wishes for a password and ${attempts} counts of tries`
  },
}
