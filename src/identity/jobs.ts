import { deleteInBatches } from '../base/housekeeping.ts'
import type { Job } from '../base/jobs.ts'
import { auditEnd } from './store/audit.ts'
import { oldSessionsEnd } from './store/member-sessions.ts'
import { oldInvitationsEnd } from './store/members.ts'
import { oldUsageEnd } from './store/usage.ts'

/** A year to look back on, and a month to compare it with. */
const keepRecordsDays = 400
const keepSessionsDays = 30

/** Forgets what the audit log and the counts of use hold for too long, and members' sessions that are over. */
export const forgetOldRecords: Job = {
  name: 'forget-old-records',
  cron: '0 45 3 * * ?',
  meaning: `Forgets audit records and the use of keys after ${keepRecordsDays} days, and members' ended sessions and invitations after ${keepSessionsDays}.`,
  run: async (work) => {
    const records = await deleteInBatches(work, { days: keepRecordsDays, sql: auditEnd })
    const usage = await deleteInBatches(work, { days: keepRecordsDays, sql: oldUsageEnd })
    const over = `forgot ${records} audit records and ${usage} counts`
    // Members stand beside both environments and live by live's clock.
    if (await work.transaction(async (tx) => tx.environment === 'test')) return over
    const sessions = await deleteInBatches(work, { days: keepSessionsDays, sql: oldSessionsEnd })
    const invitations = await deleteInBatches(work, { days: keepSessionsDays, sql: oldInvitationsEnd })
    return `${over}, ${sessions} sessions and ${invitations} invitations`
  },
}
