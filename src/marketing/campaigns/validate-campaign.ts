import { dayMs } from '../../base/clock.ts'
import type { Config } from '../../base/config.ts'
import type { Reader } from '../../base/database.ts'
import { refuse } from '../../base/refusal.ts'
import type { FieldFault } from '../../base/validation.ts'
import { exists, startOfPromotion, type EntityName } from '../../catalog/index.ts'
import { instantExample } from '../../http/instant.ts'
import { type CampaignInput, messagesLeft } from './campaign.ts'
import { type Clause, type Duration, durationMs } from './audience.ts'
import { triggerKind, scheduleViolation } from './triggers.ts'
import { findCampaignTemplate, missingVariables } from './message-data.ts'

/** The configuration that campaigns are checked against. */
export type CampaignConfig = Pick<Config, 'timezone' | 'abandonedCartDays'>

/** Refuses a campaign that could never run, with all violations. */
export async function refuseInvalidCampaign(
  read: Reader,
  input: CampaignInput,
  config: CampaignConfig,
): Promise<void> {
  const fields = [
    ...triggerViolations(input, config, read.now),
    ...(await promotionViolations(read, input)),
    ...(await templateViolations(read, input)),
    ...(await audienceViolations(read, input, config)),
    ...budgetViolations(input),
  ]
  if (fields.length > 0) throw refuse('validation_failed', { fields })
}

/** Refuses an audience that can have no members, because what it names does not exist. */
export async function refuseInvalidAudience(
  read: Reader,
  input: Pick<CampaignInput, 'audience'>,
  config: CampaignConfig,
): Promise<void> {
  const fields = await audienceViolations(read, input, config)
  if (fields.length > 0) throw refuse('validation_failed', { fields })
}

async function audienceViolations(
  read: Reader,
  { audience }: Pick<CampaignInput, 'audience'>,
  config: CampaignConfig,
): Promise<FieldFault[]> {
  const found = audience.map((it, at) => clauseViolations(read, it, { path: `audience.${at}`, config }))
  return (await Promise.all(found)).flat()
}

function triggerViolations(
  { trigger }: CampaignInput,
  { timezone, abandonedCartDays }: CampaignConfig,
  now: Date,
): FieldFault[] {
  const rule = scheduleViolation(trigger, timezone, now)
  return [
    ...(rule
      ? [{ path: `when.${triggerKind(trigger)}`, rule, ...(rule === 'format' && { limit: instantExample }) }]
      : []),
    ...durationViolations(trigger.cart_abandoned, 'when.cart_abandoned', abandonedCartDays),
  ]
}

async function promotionViolations(read: Reader, { trigger }: CampaignInput): Promise<FieldFault[]> {
  const promotion = trigger.promotion_started?.promotion
  if (promotion === undefined || (await startOfPromotion(read, Number(promotion)))) return []
  return [{ path: 'when.promotion_started.promotion', rule: 'exists' }]
}

/** Abandoned carts are deleted after some days, so a longer duration never matches. */
function durationViolations(duration: Duration | undefined, path: string, cartDays: number): FieldFault[] {
  if (duration === undefined || durationMs(duration) < cartDays * dayMs) return []
  return [{ path, rule: 'below', limit: cartDays }]
}

async function templateViolations(read: Reader, input: CampaignInput): Promise<FieldFault[]> {
  const template = await findCampaignTemplate(read, input)
  if (!template?.isActive) return [{ path: 'template', rule: 'exists' }]
  const missing = missingVariables(template, input)
  return missing.length > 0 ? [{ path: 'template', rule: 'fillable', limit: missing }] : []
}

/** Products, categories, brands and partners must exist. */
async function clauseViolations(
  read: Reader,
  clause: Clause,
  { path, config }: { path: string; config: CampaignConfig },
): Promise<FieldFault[]> {
  const stated = clause.not ?? clause
  const at = clause.not ? `${path}.not` : path
  const { days: _days, ...named } = stated.bought ?? {}
  const [thing, id] = (Object.entries(named)[0] ?? []) as [EntityName?, string?]
  return [
    ...durationViolations(stated.cart_abandoned, `${at}.cart_abandoned`, config.abandonedCartDays),
    ...(thing && !(await exists(read, thing, Number(id)))
      ? [{ path: `${at}.bought.${thing}`, rule: 'exists' }]
      : []),
  ]
}

/** A budget must cover at least one message. */
const budgetViolations = (input: CampaignInput): FieldFault[] =>
  messagesLeft({ ...input, sent: 0, costTiyin: 0 }) === 0
    ? [{ path: 'budget_tiyin', rule: 'minimum', limit: input.priceTiyin }]
    : []
