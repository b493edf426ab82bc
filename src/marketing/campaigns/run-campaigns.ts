// The job that runs campaigns.

import type { Config } from '../../base/config.ts'
import type { Reader, Tx } from '../../base/database.ts'
import { minuteIn } from '../../base/time-zone.ts'
import { cartSettings } from '../../cart/index.ts'
import { promotionsStartedWithin } from '../../catalog/index.ts'
import { shopUrlOf } from '../notifications/compose-message.ts'
import { purgeActivity } from './activity-store.ts'
import { allRunning, findRules, lockCampaign, oldestScan, runningCampaigns } from './store.ts'
import { missedInstants } from './missed-instants.ts'
import { hasWaiting, purgePurchases, purgeTargets } from './targets-store.ts'
import { type Campaign, messagesLeft } from './campaign.ts'
import { findCampaignTemplate, missingVariables } from './message-data.ts'
import { finishCampaign, pauseCampaign } from './campaign-steps.ts'
import { scanPage } from './scan.ts'
import { sendDue, type SendInput } from './send-due.ts'
import { deleteInBatches } from '../../base/housekeeping.ts'
import type { Job, JobContext } from '../../base/jobs.ts'

export interface RunSettings {
  zone: string
  messageSettings: SendInput['messageSettings']
}

/** Also whether it runs at an instant that the test clock was moved past. */
type BatchSettings = RunSettings & Pick<JobContext, 'isMissed'>

export type CampaignSettings = Pick<
  Config,
  | 'timezone'
  | 'guestCartDays'
  | 'abandonedCartDays'
  | 'acceptsCards'
  | 'secretKey'
  | 'dataDir'
  | 'publicUrl'
  | 'tlsCert'
  | 'port'
>

export const runSettings = (config: CampaignSettings): RunSettings => ({
  zone: config.timezone,
  messageSettings: {
    settings: cartSettings(config),
    shopUrl: shopUrlOf(config),
    minuteOf: minuteIn(config.timezone),
  },
})

/**
 * One batch of a campaign: one page of scanning, and the next messages. Returns whether there may be more to do now. The
 * campaign's row is locked, so nothing is sent after a pause is committed.
 */
export async function runBatch(tx: Tx, id: number, settings: BatchSettings): Promise<boolean> {
  const campaign = await lockCampaign(tx, id)
  if (campaign?.state !== 'running') return false
  if (campaign.endsAt !== null && campaign.endsAt <= tx.now)
    return endBatch(finishCampaign(tx, campaign, 'ended'))
  if (messagesLeft(campaign) === 0) return endBatch(finishCampaign(tx, campaign, 'budget_reached'))
  const scanned = await scanPage(tx, campaign, settings)
  const template = await findCampaignTemplate(tx, campaign)
  if (!template?.isActive || missingVariables(template, campaign).length > 0)
    return endBatch(pauseCampaign(tx, campaign, 'template_unusable'))
  const decided = await sendDue(tx, { campaign, template, messageSettings: settings.messageSettings })
  if (scanned || decided > 0) return true
  if (await isOver(tx, campaign)) return endBatch(finishCampaign(tx, campaign, 'done'))
  return false
}

const endBatch = async (moved: Promise<unknown>): Promise<false> => {
  await moved
  return false
}

/** The one date has passed and all targets are decided. */
const isOver = async (tx: Tx, { id, trigger, scannedUntil }: Campaign): Promise<boolean> =>
  trigger.at !== undefined &&
  new Date(trigger.at) <= tx.now &&
  scannedUntil !== null &&
  scannedUntil >= new Date(trigger.at) &&
  !(await oldestScan(tx, id)) &&
  !(await hasWaiting(tx, id))

/** Per run, so that other jobs can run; the next run continues. */
const maxBatches = 200
const keepDays = 400

export const campaignJobs = (config: CampaignSettings): Job[] => [
  {
    name: 'run-campaigns',
    cron: '0 * * * * ?',
    missedInstants: (read, period) => instantsMissedIn(read, period, config.timezone),
    description: 'Scans for occasions of running campaigns and sends their messages.',
    run: async (work) => `processed ${await runCampaigns(work, runSettings(config))} batches`,
  },
  {
    name: 'purge-campaign-targets',
    cron: '0 25 3 * * ?',
    isPurge: true,
    description: `Deletes targets, attributed purchases and last activity after ${keepDays} days.`,
    run: async (work) => {
      const targets = await deleteInBatches(work, { days: keepDays, sql: purgeTargets })
      const purchases = await deleteInBatches(work, { days: keepDays, sql: purgePurchases })
      const clients = await deleteInBatches(work, { days: keepDays, sql: purgeActivity })
      return `deleted ${targets} targets, ${purchases} purchases and the activity of ${clients} clients`
    },
  },
]

async function instantsMissedIn(
  read: Reader,
  { after, until }: { after: Date; until: Date },
  zone: string,
): Promise<Date[]> {
  const [rules, campaigns, promotions] = await Promise.all([
    findRules(read),
    allRunning(read),
    promotionsStartedWithin(read, { after, until }),
  ])
  const period = { after, until, zone, minuteOf: minuteIn(zone), promotions }
  return campaigns.flatMap((it) => missedInstants(it, it.quietHours ?? rules.quietHours, period))
}

/** Round-robin, one batch per campaign, so that a large or failing campaign delays no other. */
async function runCampaigns(work: JobContext, settings: RunSettings): Promise<number> {
  const { isMissed } = work
  let [busy, batches] = [await work.packet(runningCampaigns), 0]
  const failures: unknown[] = []
  while (busy.length > 0 && batches < maxBatches) {
    const still: number[] = []
    for (const id of busy) {
      batches++
      try {
        if (await work.transaction((tx) => runBatch(tx, id, { ...settings, isMissed }))) still.push(id)
      } catch (error) {
        failures.push(error)
      }
    }
    busy = still
  }
  if (failures.length > 0) throw failures[0]
  return batches
}
