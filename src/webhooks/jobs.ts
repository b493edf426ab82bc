import { deleteInBatches } from '../base/housekeeping.ts'
import type { Job } from '../base/jobs.ts'
import { deliveriesBefore } from './store/deliveries.ts'
import { deletedEndpointsBefore, endedSecretsBefore } from './store/endpoints.ts'

const keepDays = 30

/** Forgets deliveries that have ended, secrets that no longer sign, and endpoints that were deleted. */
export const forgetDeliveries: Job = {
  name: 'forget-deliveries',
  cron: '0 55 3 * * ?',
  meaning: `Forgets deliveries of webhooks after ${keepDays} days.`,
  run: async (work) => {
    const deliveries = await deleteInBatches(work, { days: keepDays, sql: deliveriesBefore })
    const secrets = await deleteInBatches(work, { days: 1, sql: endedSecretsBefore })
    await deleteInBatches(work, { days: keepDays, sql: deletedEndpointsBefore })
    return `forgot ${deliveries} deliveries and ${secrets} secrets`
  },
}
