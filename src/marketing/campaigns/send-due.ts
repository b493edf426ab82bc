// Decides on due targets and creates their notifications.

import { dayMs } from '../../base/clock.ts'
import type { Tx } from '../../base/database.ts'
import { notifyAll, reachableAmong } from '../notifications/notify.ts'
import { findRules, addToSent } from './store.ts'
import { consentingAmong } from '../consents/store.ts'
import {
  type DecidedTarget,
  dueTargets,
  lastDecisions,
  recentMessages,
  saveVerdicts,
} from './targets-store.ts'
import type { Template } from '../templates/template.ts'
import { matchingAmong } from './audience.ts'
import { type Campaign, type CampaignRules, isQuiet } from './campaign.ts'
import { type Target, targetKey } from './occasion.ts'
import { type MessageSettings, type MessageData, loadMessageData } from './message-data.ts'
import { type TargetContext, type Verdict, verdictsOn } from './verdict.ts'

const targetsPerBatch = 200

export interface SendInput {
  campaign: Campaign
  template: Template
  messageSettings: MessageSettings & { minuteOf(at: Date): number }
}

/**
 * Decides on the next due targets by their state at the time of this transaction, and creates the notifications. Returns the
 * number of decisions. In quiet hours all targets wait.
 */
export async function sendDue(tx: Tx, { campaign, template, messageSettings }: SendInput): Promise<number> {
  const rules = await findRules(tx)
  if (isQuiet(campaign.quietHours ?? rules.quietHours, messageSettings.minuteOf(tx.now))) return 0
  const targets = await dueTargets(tx, campaign.id, targetsPerBatch)
  if (targets.length === 0) return 0
  const data = await loadMessageData(tx, messageSettings, { campaign, template, targets })
  const verdicts = verdictsOn(campaign, targets, await loadContext(tx, campaign, { targets, rules, data }))
  const decided = (await createNotifications(tx, campaign, { targets, verdicts, data })).filter(
    (it) => it.verdict.state !== 'waiting',
  )
  saveVerdicts(tx, campaign.id, decided)
  const sent = decided.filter((it) => it.verdict.state === 'sent').length
  if (sent > 0) addToSent(tx, campaign.id, { sent, costTiyin: sent * campaign.priceTiyin })
  return decided.length
}

async function loadContext(
  tx: Tx,
  campaign: Campaign,
  { targets, rules, data }: { targets: readonly Target[]; rules: CampaignRules; data: MessageData },
): Promise<TargetContext> {
  const clients = [...new Set(targets.map((it) => it.clientId))]
  const ago = (days: number) => new Date(tx.now.getTime() - days * dayMs)
  const consenting = await consentingAmong(tx, campaign.channel, clients)
  return {
    now: tx.now,
    rules,
    consenting: new Set(consenting),
    reachable: await reachableAmong(tx, campaign.channel, consenting),
    inAudience: new Set(await matchingAmong(tx, campaign, consenting)),
    hasOccasion: (target) => data.has(targetKey(target)),
    lastDecisions: await lastDecisions(tx, campaign.id, clients),
    recentMessages: await recentMessages(tx, clients, { dayAgo: ago(1), weekAgo: ago(7) }),
  }
}

/** Creates the notifications. A client who has lost the address meanwhile is suppressed, and costs nothing. */
async function createNotifications(
  tx: Tx,
  campaign: Campaign,
  {
    targets,
    verdicts,
    data,
  }: { targets: readonly Target[]; verdicts: readonly Verdict[]; data: MessageData },
): Promise<DecidedTarget[]> {
  const { channel, template, id } = campaign
  const chosen = targets.filter((_, at) => verdicts[at]!.state === 'sent')
  const results = await notifyAll(
    tx,
    chosen.map((target) => ({
      to: { clientId: target.clientId },
      channel,
      template,
      variables: data.get(targetKey(target))!,
      key: `campaign/${id}/${target.clientId}/${target.occasion}`,
      campaignId: id,
      category: 'marketing' as const,
    })),
  )
  const notifications = new Map(chosen.map((target, at) => [target, results[at]!.notification]))
  return targets.map((target, at) => {
    const notification = notifications.get(target)
    const verdict: Verdict =
      notification?.status === 'suppressed'
        ? { state: 'suppressed', reason: notification.reason === 'no_consent' ? 'no_consent' : 'no_address' }
        : verdicts[at]!
    return { ...target, verdict, notificationId: notification?.id ?? null }
  })
}
