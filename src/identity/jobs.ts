// Jobs that delete old rows of this module, and what was written while a client was erased.

import { dayMs } from '../base/clock.ts'
import { deleteInBatches } from '../base/housekeeping.ts'
import type { Job } from '../base/jobs.ts'
import { hourlyUsagePurgeSql, usagePurgeSql } from './applications/usage-store.ts'
import { attemptsPurge } from './attempts-store.ts'
import { auditPurgeSql } from './audit/store.ts'
import { erasedSince } from './clients/admin-store.ts'
import type { ClientData } from './clients/client-data.ts'
import { eraseClient } from './clients/manage-clients.ts'
import { resetsPurge } from './clients/reset-store.ts'
import { agedSessionsPurge, endedSessionsPurge } from './clients/store.ts'
import { memberResetsPurge } from './members/reset-store.ts'
import { invitationsPurgeSql, memberSessionsPurgeSql } from './members/store.ts'
import { purge, purged } from './oauth/store.ts'

/** One year, and a month to compare with. */
const keepRecordsDays = 400
const keepSessionsDays = 30

export const purgeOldRecords: Job = {
  name: 'purge-old-records',
  cron: '0 45 3 * * ?',
  isPurge: true,
  description: `Deletes audit entries and daily key usage after ${keepRecordsDays} days, hourly usage, ended member sessions and invitations after ${keepSessionsDays}, and password reset requests of members after ${memberResetsPurge.days}.`,
  run: async (work) => {
    const records = await deleteInBatches(work, { days: keepRecordsDays, sql: auditPurgeSql })
    const usage = await deleteInBatches(work, { days: keepRecordsDays, sql: usagePurgeSql })
    const hours = await deleteInBatches(work, { days: keepSessionsDays, sql: hourlyUsagePurgeSql })
    const deleted = `deleted ${records} audit entries and ${usage + hours} usage counts`
    // Members are shared by both environments and use the live clock.
    if (work.environment === 'test') return deleted
    const sessions = await deleteInBatches(work, { days: keepSessionsDays, sql: memberSessionsPurgeSql })
    const invitations = await deleteInBatches(work, { days: keepSessionsDays, sql: invitationsPurgeSql })
    const resets = await deleteInBatches(work, memberResetsPurge)
    return `${deleted}, ${sessions} sessions, ${invitations} invitations and ${resets} password reset requests`
  },
}

/** Sessions are kept a day longer than they live, because clocks differ. */
export const purgeSessions: Job = {
  name: 'purge-sessions',
  cron: '0 45 3 * * ?',
  isPurge: true,
  description: 'Deletes ended sessions, old password reset requests and counted attempts.',
  run: async (work) => {
    const sessions =
      (await deleteInBatches(work, agedSessionsPurge)) + (await deleteInBatches(work, endedSessionsPurge))
    const resets = await deleteInBatches(work, resetsPurge)
    const attempts = await deleteInBatches(work, attemptsPurge)
    return `deleted ${sessions} sessions, ${resets} password reset requests and ${attempts} attempt counts`
  },
}

const batchRows = 1_000

export const purgeTokens: Job = {
  name: 'purge-tokens',
  cron: '0 20 * * * ?',
  isPurge: true,
  description: 'Deletes tokens and authorization requests that ended a week ago, and grants without tokens.',
  run: async (work) => {
    const deleted = []
    for (const what of purged)
      for (let total = 0; ;) {
        const count = await work.transaction((tx) => purge(tx, what, batchRows))
        total += count
        if (count === batchRows) continue
        deleted.push(`${total} ${what}`)
        break
      }
    return `deleted ${deleted.join(', ')}`
  },
}

const clientsPerPage = 100
/** A request that was under way during an erasure has ended long before. */
const eraseAgainDays = 2

export const finishErasures = (data: readonly ClientData[]): Job => ({
  name: 'finish-erasures',
  cron: '0 10 * * * ?',
  description:
    'Erases clients of the last two days once more: a request that was under way may have written after the erasure.',
  run: async (work) => {
    let erased = 0
    for (let after = 0; ;) {
      const ids = await work.packet((tx) =>
        erasedSince(tx, {
          since: new Date(tx.now.getTime() - eraseAgainDays * dayMs),
          after,
          limit: clientsPerPage,
        }),
      )
      for (const id of ids) await work.transaction((tx) => eraseClient(tx, id, data))
      erased += ids.length
      if (ids.length < clientsPerPage) return `erased ${erased} clients again`
      after = ids.at(-1)!
    }
  },
})
