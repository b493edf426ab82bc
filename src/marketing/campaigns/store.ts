// SQL of campaigns, of the rules for all campaigns, and of scans in progress.

import type { Reader, Tx } from '../../base/database.ts'
import { type ListRequest, type ListPage, loadPage } from '../../base/listing.ts'
import type { Campaign, CampaignInput, CampaignState, FinishReason, CampaignRules } from './campaign.ts'
import type { Channel } from '../templates/template.ts'

const columns = `id, name, state, channel, template, variables, audience, trigger, quiet_hours as "quietHours",
  repeat_days as "repeatDays", holdout_percent as "holdoutPercent", budget_messages as "budgetMessages",
  budget_tiyin as "budgetTiyin", price_tiyin as "priceTiyin", attribution_days as "attributionDays", ends_at as "endsAt",
  sent, cost_tiyin as "costTiyin", failed, opened, clicked, scanned_until as "scannedUntil", pause_reason as "pauseReason",
  started_at as "startedAt", finished_at as "finishedAt", finish_reason as "finishReason", version,
  created_at as "createdAt", updated_at as "updatedAt"`

export const campaignSorts = ['created_at', 'name'] as const

export function listCampaigns(
  read: Reader,
  filter: { state: CampaignState | undefined; channel: Channel | undefined },
  listing: ListRequest,
): Promise<ListPage<Campaign>> {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  return loadPage(
    read,
    {
      columns,
      from: 'marketing_campaigns',
      where: given.map(([name], at) => `${name} = $${at + 1}`),
      values: given.map(([, value]) => value),
      sorts: {
        created_at: { by: 'created_at', type: 'timestamptz' },
        name: { by: 'name', type: 'text' },
      },
      key: { by: 'id', type: 'int8' },
    },
    listing,
  )
}

export const findCampaign = (read: Reader, id: number): Promise<Campaign | undefined> =>
  read.maybe(`select ${columns} from marketing_campaigns where id = $1`, [id])

/** Every change of a campaign, and every batch that it sends, locks its row. */
export const lockCampaign = (tx: Tx, id: number): Promise<Campaign | undefined> =>
  tx.maybe(`select ${columns} from marketing_campaigns where id = $1 for update`, [id])

export const countUnfinished = async (read: Reader): Promise<number> =>
  (
    await read.one<{ count: number }>(
      `select count(*) as count from marketing_campaigns where state <> 'finished'`,
    )
  ).count

export const runningCampaigns = async (read: Reader): Promise<number[]> =>
  (
    await read.all<{ id: number }>(`select id from marketing_campaigns where state = 'running' order by id`)
  ).map((it) => it.id)

export const allRunning = (read: Reader): Promise<Campaign[]> =>
  read.all(`select ${columns} from marketing_campaigns where state = 'running' order by id`)

/** Running campaigns with a trigger. */
export const runningWithTrigger = (read: Reader, trigger: string): Promise<Campaign[]> =>
  read.all(
    `select ${columns} from marketing_campaigns where state = 'running' and trigger->$1 is not null order by id`,
    [trigger],
  )

const inputColumns = `name, channel, template, variables, audience, trigger, quiet_hours, repeat_days, holdout_percent,
  budget_messages, budget_tiyin, price_tiyin, attribution_days, ends_at`

const inputValues = (it: CampaignInput): unknown[] => [
  it.name,
  it.channel,
  it.template,
  JSON.stringify(it.variables),
  JSON.stringify(it.audience),
  JSON.stringify(it.trigger),
  it.quietHours && JSON.stringify(it.quietHours),
  it.repeatDays,
  it.holdoutPercent,
  it.budgetMessages,
  it.budgetTiyin,
  it.priceTiyin,
  it.attributionDays,
  it.endsAt,
]

export const insertCampaign = (tx: Tx, it: CampaignInput): Promise<Campaign> =>
  tx.one(
    `insert into marketing_campaigns (${inputColumns}, state, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 'draft', $15, $15) returning ${columns}`,
    [...inputValues(it), tx.now],
  )

export const updateCampaign = (tx: Tx, it: Campaign): Promise<Campaign> =>
  tx.one(
    `update marketing_campaigns set (${inputColumns}, version, updated_at) =
       ($1, $2, $3, $4::json, $5::json, $6::json, $7::json, $8::int4, $9::int4, $10::int8, $11::int8, $12::int8, $13::int4,
        $14::timestamptz, version + 1, $15::timestamptz)
     where id = $16 returning ${columns}`,
    [...inputValues(it), tx.now, it.id],
  )

export const deleteCampaign = (tx: Tx, id: number): void => {
  tx.later(`delete from marketing_campaigns where id = $1`, [id])
}

/** Scans start from now: occasions before, or during a pause, are ignored. */
export const setRunning = (tx: Tx, id: number): Promise<Campaign> =>
  tx.one(
    `update marketing_campaigns set state = 'running', pause_reason = null, scanned_until = $2, version = version + 1,
       started_at = coalesce(started_at, $2), updated_at = $2 where id = $1 returning ${columns}`,
    [id, tx.now],
  )

export const setPaused = (tx: Tx, id: number, reason: string): Promise<Campaign> =>
  tx.one(
    `update marketing_campaigns set state = 'paused', pause_reason = $3, version = version + 1, updated_at = $2
     where id = $1 returning ${columns}`,
    [id, tx.now, reason],
  )

export const setFinished = async (tx: Tx, id: number, reason: FinishReason): Promise<Campaign> => {
  tx.later(`delete from marketing_campaign_scans where campaign_id = $1`, [id])
  return tx.one(
    `update marketing_campaigns set state = 'finished', pause_reason = null, finished_at = $2, finish_reason = $3,
       version = version + 1, updated_at = $2 where id = $1 returning ${columns}`,
    [id, tx.now, reason],
  )
}

export const setScannedUntil = (tx: Tx, id: number, at: Date): void => {
  tx.later(`update marketing_campaigns set scanned_until = $2 where id = $1`, [id, at])
}

export const addToSent = (
  tx: Tx,
  id: number,
  { sent, costTiyin }: { sent: number; costTiyin: number },
): void => {
  tx.later(`update marketing_campaigns set sent = sent + $2, cost_tiyin = cost_tiyin + $3 where id = $1`, [
    id,
    sent,
    costTiyin,
  ])
}

export interface MessageCounts {
  campaignId: number
  failed: number
  opened: number
  clicked: number
}

/** Updates campaigns in the order of their ids, so that two transactions never deadlock. */
export const addMessageCounts = (tx: Tx, counts: readonly MessageCounts[]): void => {
  for (const it of counts.toSorted((a, b) => a.campaignId - b.campaignId))
    tx.later(
      `update marketing_campaigns set failed = failed + $2, opened = opened + $3, clicked = clicked + $4 where id = $1`,
      [it.campaignId, it.failed, it.opened, it.clicked],
    )
}

/** A scan for occasions of a period. With an occasion, it addresses the whole audience under that one name. */
export interface Scan {
  id: number
  campaignId: number
  occasion: string | null
  fromAt: Date
  untilAt: Date
  afterClient: number
}

const scanColumns = `id, campaign_id as "campaignId", occasion, from_at as "fromAt", until_at as "untilAt",
  after_client as "afterClient"`

/** The oldest unfinished scan of a campaign. */
export const oldestScan = (tx: Tx, campaignId: number): Promise<Scan | undefined> =>
  tx.maybe(`select ${scanColumns} from marketing_campaign_scans where campaign_id = $1 order by id limit 1`, [
    campaignId,
  ])

/** Idempotent for scans with an occasion. */
export const insertScan = (tx: Tx, it: Omit<Scan, 'id' | 'afterClient'>): void => {
  tx.later(
    `insert into marketing_campaign_scans (campaign_id, occasion, from_at, until_at) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [it.campaignId, it.occasion, it.fromAt, it.untilAt],
  )
}

export const moveScan = (tx: Tx, id: number, afterClient: number): void => {
  tx.later(`update marketing_campaign_scans set after_client = $2 where id = $1`, [id, afterClient])
}

export const deleteScan = (tx: Tx, id: number): void => {
  tx.later(`delete from marketing_campaign_scans where id = $1`, [id])
}

const ruleColumns = `json_build_object('from', quiet_from, 'to', quiet_to) as "quietHours",
  messages_per_day as "messagesPerDay", messages_per_week as "messagesPerWeek", version`

export const findRules = (read: Reader): Promise<CampaignRules> =>
  read.one(`select ${ruleColumns} from marketing_campaign_rules`)

export const lockRules = (tx: Tx): Promise<CampaignRules> =>
  tx.one(`select ${ruleColumns} from marketing_campaign_rules for update`)

export const updateRules = (tx: Tx, it: CampaignRules): Promise<CampaignRules> =>
  tx.one(
    `update marketing_campaign_rules set quiet_from = $1, quiet_to = $2, messages_per_day = $3, messages_per_week = $4,
       version = version + 1, updated_at = $5 returning ${ruleColumns}`,
    [it.quietHours.from, it.quietHours.to, it.messagesPerDay, it.messagesPerWeek, tx.now],
  )
