import { deleteInBatches } from '../../base/housekeeping.ts'
import type { Job, JobRun } from '../../base/jobs.ts'
import { activityBefore } from '../store/activity.ts'
import { runningCampaigns } from '../store/campaigns.ts'
import { purchasesBefore } from '../store/purchases.ts'
import { targetsBefore } from '../store/targets.ts'
import { type CampaignSettings, workbenchOf, workOn, type Workbench } from './work-on.ts'

/** A run ends after so many batches, so that other jobs get their turn; the next one goes on. */
const mostBatches = 200
const keepDays = 400

export const campaignJobs = (config: CampaignSettings): Job[] => [
  {
    name: 'run-campaigns',
    cron: '0 * * * * ?',
    meaning: 'Looks for occasions of running campaigns and writes to whom they mean.',
    run: async (work) => `worked off ${await runCampaigns(work, workbenchOf(config))} batches`,
  },
  {
    name: 'forget-campaign-targets',
    cron: '0 25 3 * * ?',
    meaning: `Forgets who was written to, what he bought, and when he was last seen after ${keepDays} days.`,
    run: async (work) => {
      const targets = await deleteInBatches(work, { days: keepDays, sql: targetsBefore })
      const purchases = await deleteInBatches(work, { days: keepDays, sql: purchasesBefore })
      const clients = await deleteInBatches(work, { days: keepDays, sql: activityBefore })
      return `forgot ${targets} targets, ${purchases} purchases and ${clients} clients`
    },
  },
]

/** In turns, a batch each, so that a large campaign keeps no small one waiting. One that fails keeps nobody waiting. */
async function runCampaigns(work: JobRun, bench: Workbench): Promise<number> {
  let [busy, batches] = [await work.transaction(runningCampaigns), 0]
  const failures: unknown[] = []
  while (busy.length > 0 && batches < mostBatches) {
    const still: number[] = []
    for (const id of busy) {
      batches++
      try {
        if (await work.transaction((tx) => workOn(tx, id, bench))) still.push(id)
      } catch (error) {
        failures.push(error)
      }
    }
    busy = still
  }
  if (failures.length > 0) throw failures[0]
  return batches
}
