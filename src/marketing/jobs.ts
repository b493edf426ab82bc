import { deleteInBatches } from '../base/housekeeping.ts'
import type { Job, JobRun } from '../base/jobs.ts'
import { publishAll } from '../base/outbox.ts'
import { devicesBefore } from './store/devices.ts'
import { giveUpHeld, notificationsBefore } from './store/notifications.ts'
import { heldDays } from './store/sending.ts'

const keepDays = 90
const keepDevicesDays = 365
const batchRows = 1_000

/** Gives up what nobody came to send, and forgets what has ended: addresses and texts are kept no longer than they serve. */
export const forgetNotifications: Job = {
  name: 'forget-notifications',
  cron: '0 5 4 * * ?',
  meaning: `Gives up notifications that were held for ${heldDays} days, and forgets those that ended ${keepDays} days ago.`,
  run: async (work) => {
    const given = await giveUpAll(work)
    const forgotten = await deleteInBatches(work, { days: keepDays, sql: notificationsBefore })
    const devices = await deleteInBatches(work, { days: keepDevicesDays, sql: devicesBefore })
    return `gave up ${given} notifications, forgot ${forgotten} and ${devices} devices`
  },
}

async function giveUpAll(work: JobRun): Promise<number> {
  for (let total = 0; ;) {
    const count = await work.transaction(async (tx) => {
      const before = new Date(tx.now.getTime() - heldDays * 86_400_000)
      const gone = await giveUpHeld(tx, before, batchRows)
      await publishAll(
        tx,
        gone.map(({ id: notificationId, channel, category, clientId, campaignId }) => ({
          type: 'NotificationFailed' as const,
          notificationId,
          channel,
          category,
          clientId,
          campaignId,
          reason: 'no_provider',
        })),
      )
      return gone.length
    })
    total += count
    if (count < batchRows) return total
  }
}
