import type { Config } from '../../base/config.ts'
import type { Reader } from '../../base/db.ts'
import { refuse } from '../../base/refusal.ts'
import type { FieldFault } from '../../base/shape.ts'
import { stands, startOfPromotion, type Thing } from '../../catalog/index.ts'
import { instantExample } from '../../http/instant.ts'
import { type CampaignRecord, messagesLeft } from './campaign.ts'
import { type Clause, type LengthOfTime, msOf } from './conditions.ts'
import { cueOf } from './cues.ts'
import { findTemplateOf } from './find-template.ts'
import { faultOfSchedule } from './schedule.ts'
import { unfilled } from './told-to.ts'

/** What of the shop's settings a campaign must agree with. */
export type House = Pick<Config, 'timezone' | 'abandonedCartDays'>

const dayMs = 86_400_000

/** Refuses a campaign that could never run as it is said, with everything that is wrong with it. */
export async function refuseUnfit(read: Reader, record: CampaignRecord, house: House): Promise<void> {
  const fields = [
    ...faultsOfWhen(record, house, read.now),
    ...(await faultsOfPromotion(read, record)),
    ...(await faultsOfTemplate(read, record)),
    ...(
      await Promise.all(
        record.audience.map((it, at) => faultsOfClause(read, it, { path: `audience.${at}`, house })),
      )
    ).flat(),
    ...faultsOfBudget(record),
  ]
  if (fields.length > 0) throw refuse('validation_failed', { fields })
}

function faultsOfWhen(
  { when }: CampaignRecord,
  { timezone, abandonedCartDays }: House,
  now: Date,
): FieldFault[] {
  const rule = faultOfSchedule(when, timezone, now)
  return [
    ...(rule ? [{ path: `when.${cueOf(when)}`, rule, limit: instantExample }] : []),
    ...faultsOfLength(when.cart_abandoned, 'when.cart_abandoned', abandonedCartDays),
  ]
}

async function faultsOfPromotion(read: Reader, { when }: CampaignRecord): Promise<FieldFault[]> {
  const promotion = when.promotion_started?.promotion
  if (promotion === undefined || (await startOfPromotion(read, Number(promotion)))) return []
  return [{ path: 'when.promotion_started.promotion', rule: 'exists' }]
}

/** A cart that nobody touches is removed after some days; one that stays longer is never found. */
function faultsOfLength(length: LengthOfTime | undefined, path: string, cartDays: number): FieldFault[] {
  if (length === undefined || msOf(length) < cartDays * dayMs) return []
  return [{ path, rule: 'below', limit: `${cartDays} days` }]
}

async function faultsOfTemplate(read: Reader, record: CampaignRecord): Promise<FieldFault[]> {
  const template = await findTemplateOf(read, record)
  if (!template?.isActive) return [{ path: 'template', rule: 'exists' }]
  const missing = unfilled(template, record)
  return missing.length > 0 ? [{ path: 'template', rule: 'fillable', limit: missing }] : []
}

/** What was bought must be something that there is. */
async function faultsOfClause(
  read: Reader,
  clause: Clause,
  { path, house }: { path: string; house: House },
): Promise<FieldFault[]> {
  const stated = clause.not ?? clause
  const at = clause.not ? `${path}.not` : path
  const { days: _days, ...named } = stated.bought ?? {}
  const [thing, id] = (Object.entries(named)[0] ?? []) as [Thing?, string?]
  return [
    ...faultsOfLength(stated.cart_abandoned, `${at}.cart_abandoned`, house.abandonedCartDays),
    ...(thing && !(await stands(read, thing, Number(id)))
      ? [{ path: `${at}.bought.${thing}`, rule: 'exists' }]
      : []),
  ]
}

/** A budget must pay for one message at least. */
const faultsOfBudget = (record: CampaignRecord): FieldFault[] =>
  messagesLeft({ ...record, sent: 0, costTiyin: 0 }) === 0
    ? [{ path: 'budget_tiyin', rule: 'minimum', limit: record.priceTiyin }]
    : []
