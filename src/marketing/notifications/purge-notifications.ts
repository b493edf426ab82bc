import { dayMs } from '../../base/clock.ts'
import { deleteInBatches } from '../../base/housekeeping.ts'
import type { Job, JobContext } from '../../base/jobs.ts'
import { publishAll } from '../../base/outbox.ts'
import { purgeUnseenDevices } from '../devices/store.ts'
import { failHeld, purgeEndedNotifications, maxHeldDays } from './store.ts'

const keepDays = 90
const keepDevicesDays = 365
const batchRows = 1_000

/** Fails what was held too long, and deletes old notifications with their addresses and texts. */
export const purgeNotifications: Job = {
  name: 'purge-notifications',
  cron: '0 5 4 * * ?',
  description: `Fails notifications that were held for ${maxHeldDays} days, and deletes those that ended ${keepDays} days ago.`,
  run: async (work) => {
    const failed = await failAllHeld(work)
    const deleted = await deleteInBatches(work, { days: keepDays, sql: purgeEndedNotifications })
    const devices = await deleteInBatches(work, { days: keepDevicesDays, sql: purgeUnseenDevices })
    return `failed ${failed} held notifications, deleted ${deleted} notifications and ${devices} devices`
  },
}

async function failAllHeld(work: JobContext): Promise<number> {
  for (let total = 0; ;) {
    const count = await work.transaction(async (tx) => {
      const before = new Date(tx.now.getTime() - maxHeldDays * dayMs)
      const held = await failHeld(tx, before, batchRows)
      publishAll(
        tx,
        held.map(({ id: notificationId, channel, category, clientId, campaignId }) => ({
          type: 'NotificationFailed' as const,
          notificationId,
          channel,
          category,
          clientId,
          campaignId,
          reason: 'no_provider',
        })),
      )
      return held.length
    })
    total += count
    if (count < batchRows) return total
  }
}
