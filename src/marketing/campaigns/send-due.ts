import type { Tx } from '../../base/db.ts'
import { notifyAll } from '../notifications/notify.ts'
import { reachableAmong } from '../notifications/reachable.ts'
import { findRules } from '../store/campaign-rules.ts'
import { addToSent } from '../store/campaigns.ts'
import { consentingAmong } from '../store/consenting.ts'
import { type Decided, dueTargets, lastTurns, messagesLately, saveVerdicts } from '../store/targets.ts'
import type { Template } from '../templates/template.ts'
import { meantAmong } from './audience.ts'
import type { Campaign } from './campaign.ts'
import type { CampaignRules } from './campaign-rules.ts'
import type { Found } from './cues.ts'
import { isQuiet } from './quiet-hours.ts'
import { nameOf, type Surroundings, type Told } from './tellings.ts'
import { toldTo } from './told-to.ts'
import { type Known, type Verdict, verdictsOn } from './verdict.ts'

/** So many are judged and written to in one transaction. */
const targetsPerBatch = 200
const dayMs = 86_400_000

export interface SendingTo {
  campaign: Campaign
  template: Template
  surroundings: Surroundings & { minuteOf(at: Date): number }
}

/**
 * Decides on the next targets that are due, at the instant of this transaction, and hands over what is to be sent; how
 * many it decided on. In quiet hours everybody waits.
 */
export async function sendDue(tx: Tx, { campaign, template, surroundings }: SendingTo): Promise<number> {
  const rules = await findRules(tx)
  if (isQuiet(campaign.quietHours ?? rules.quietHours, surroundings.minuteOf(tx.now))) return 0
  const targets = await dueTargets(tx, campaign.id, targetsPerBatch)
  if (targets.length === 0) return 0
  const told = await toldTo(tx, surroundings, { campaign, template, targets })
  const verdicts = verdictsOn(campaign, targets, await knownOf(tx, campaign, { targets, rules, told }))
  const decided = (await handedOver(tx, campaign, { targets, verdicts, told })).filter(
    (it) => it.verdict.state !== 'waiting',
  )
  await saveVerdicts(tx, campaign.id, decided)
  const sent = decided.filter((it) => it.verdict.state === 'sent').length
  if (sent > 0) await addToSent(tx, campaign.id, { sent, costTiyin: sent * campaign.priceTiyin })
  return decided.length
}

async function knownOf(
  tx: Tx,
  campaign: Campaign,
  { targets, rules, told }: { targets: readonly Found[]; rules: CampaignRules; told: Told },
): Promise<Known> {
  const clients = [...new Set(targets.map((it) => it.clientId))]
  const ago = (days: number) => new Date(tx.now.getTime() - days * dayMs)
  const consenting = await consentingAmong(tx, campaign.channel, clients)
  return {
    now: tx.now,
    rules,
    consenting: new Set(consenting),
    reachable: await reachableAmong(tx, campaign.channel, consenting),
    meant: new Set(await meantAmong(tx, campaign, consenting)),
    hasOccasion: (target) => told.has(nameOf(target)),
    lastTurns: await lastTurns(tx, campaign.id, clients),
    lately: await messagesLately(tx, clients, { dayAgo: ago(1), weekAgo: ago(7) }),
  }
}

/** Writes the notifications. Whoever has lost his address this very moment is suppressed after all, and costs nothing. */
async function handedOver(
  tx: Tx,
  campaign: Campaign,
  { targets, verdicts, told }: { targets: readonly Found[]; verdicts: readonly Verdict[]; told: Told },
): Promise<Decided[]> {
  const { channel, template, id } = campaign
  const chosen = targets.filter((_, at) => verdicts[at]!.state === 'sent')
  const noted = await notifyAll(
    tx,
    chosen.map((target) => ({
      to: { clientId: target.clientId },
      channel,
      template,
      variables: told.get(nameOf(target))!,
      key: `campaign/${id}/${target.clientId}/${target.occasion}`,
      campaignId: id,
      category: 'marketing' as const,
    })),
  )
  const notes = new Map(chosen.map((target, at) => [target, noted[at]!.notification]))
  return targets.map((target, at) => {
    const note = notes.get(target)
    const verdict: Verdict =
      note?.status === 'suppressed'
        ? { state: 'suppressed', reason: note.reason === 'no_consent' ? 'no_consent' : 'no_address' }
        : verdicts[at]!
    return { ...target, verdict, notificationId: note?.id ?? null }
  })
}
