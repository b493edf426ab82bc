// Campaigns, and the searches for occasions that are under way.

import type { Reader, Tx } from '../../base/db.ts'
import { type Listing, type Slice, sliceOf } from '../../base/listing.ts'
import type { Campaign, CampaignRecord, CampaignState, FinishReason } from '../campaigns/campaign.ts'
import type { Channel } from '../templates/template.ts'

const columns = `id, name, state, channel, template, variables, audience, cue as "when", quiet_hours as "quietHours",
  repeat_days as "repeatDays", holdout_percent as "holdoutPercent", budget_messages as "budgetMessages",
  budget_tiyin as "budgetTiyin", price_tiyin as "priceTiyin", attribution_days as "attributionDays", ends_at as "endsAt",
  sent, cost_tiyin as "costTiyin", failed, opened, clicked, marked_at as "markedAt", pause_reason as "pauseReason",
  started_at as "startedAt", finished_at as "finishedAt", finish_reason as "finishReason", version,
  created_at as "createdAt", updated_at as "updatedAt"`

export const campaignSorts = ['created_at', 'name'] as const

export function listCampaigns(
  read: Reader,
  filter: { state: CampaignState | undefined; channel: Channel | undefined },
  listing: Listing,
): Promise<Slice<Campaign>> {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  return sliceOf(
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

/** Whoever changes a campaign, or writes in its name, holds its row. */
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

/** Running campaigns that a cue sets off. */
export const runningWithCue = (read: Reader, cue: string): Promise<Campaign[]> =>
  read.all(
    `select ${columns} from marketing_campaigns where state = 'running' and cue->$1 is not null order by id`,
    [cue],
  )

const recordColumns = `name, channel, template, variables, audience, cue, quiet_hours, repeat_days, holdout_percent,
  budget_messages, budget_tiyin, price_tiyin, attribution_days, ends_at`

const recordValues = (it: CampaignRecord): unknown[] => [
  it.name,
  it.channel,
  it.template,
  JSON.stringify(it.variables),
  JSON.stringify(it.audience),
  JSON.stringify(it.when),
  it.quietHours && JSON.stringify(it.quietHours),
  it.repeatDays,
  it.holdoutPercent,
  it.budgetMessages,
  it.budgetTiyin,
  it.priceTiyin,
  it.attributionDays,
  it.endsAt,
]

export const insertCampaign = (tx: Tx, it: CampaignRecord): Promise<Campaign> =>
  tx.one(
    `insert into marketing_campaigns (${recordColumns}, state, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 'draft', $15, $15) returning ${columns}`,
    [...recordValues(it), tx.now],
  )

export const updateCampaign = (tx: Tx, it: Campaign): Promise<Campaign> =>
  tx.one(
    `update marketing_campaigns set (${recordColumns}, version, updated_at) =
       ($1, $2, $3, $4::json, $5::json, $6::json, $7::json, $8::int4, $9::int4, $10::int8, $11::int8, $12::int8, $13::int4,
        $14::timestamptz, version + 1, $15::timestamptz)
     where id = $16 returning ${columns}`,
    [...recordValues(it), tx.now, it.id],
  )

export const deleteCampaign = async (tx: Tx, id: number): Promise<void> => {
  tx.later(`delete from marketing_campaigns where id = $1`, [id])
}

/** From now on it runs: what happened before, or while it did not run, is none of its business. */
export const setRunning = (tx: Tx, id: number): Promise<Campaign> =>
  tx.one(
    `update marketing_campaigns set state = 'running', pause_reason = null, marked_at = $2, version = version + 1,
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
  tx.later(`delete from marketing_campaign_looks where campaign_id = $1`, [id])
  return tx.one(
    `update marketing_campaigns set state = 'finished', pause_reason = null, finished_at = $2, finish_reason = $3,
       version = version + 1, updated_at = $2 where id = $1 returning ${columns}`,
    [id, tx.now, reason],
  )
}

export const setMarked = async (tx: Tx, id: number, at: Date): Promise<void> => {
  tx.later(`update marketing_campaigns set marked_at = $2 where id = $1`, [id, at])
}

export const addToSent = async (
  tx: Tx,
  id: number,
  { sent, costTiyin }: { sent: number; costTiyin: number },
): Promise<void> => {
  tx.later(`update marketing_campaigns set sent = sent + $2, cost_tiyin = cost_tiyin + $3 where id = $1`, [
    id,
    sent,
    costTiyin,
  ])
}

export interface Heard {
  campaignId: number
  failed: number
  opened: number
  clicked: number
}

/** Adds what was heard of messages that are out, campaigns in the order of their ids. */
export const addHeard = async (tx: Tx, heard: readonly Heard[]): Promise<void> => {
  for (const it of heard.toSorted((a, b) => a.campaignId - b.campaignId))
    tx.later(
      `update marketing_campaigns set failed = failed + $2, opened = opened + $3, clicked = clicked + $4 where id = $1`,
      [it.campaignId, it.failed, it.opened, it.clicked],
    )
}

/** A search for occasions of a period; with a name, everybody who is found has the same one. */
export interface Look {
  id: number
  campaignId: number
  occasion: string | null
  fromAt: Date
  untilAt: Date
  afterClient: number
}

const lookColumns = `id, campaign_id as "campaignId", occasion, from_at as "fromAt", until_at as "untilAt",
  after_client as "afterClient"`

/** The oldest search of a campaign that has not come to its end. */
export const oldestLook = (tx: Tx, campaignId: number): Promise<Look | undefined> =>
  tx.maybe(`select ${lookColumns} from marketing_campaign_looks where campaign_id = $1 order by id limit 1`, [
    campaignId,
  ])

/** Begins a search; one that is known by its name goes on as it is. */
export const insertLook = async (tx: Tx, it: Omit<Look, 'id' | 'afterClient'>): Promise<void> => {
  tx.later(
    `insert into marketing_campaign_looks (campaign_id, occasion, from_at, until_at) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [it.campaignId, it.occasion, it.fromAt, it.untilAt],
  )
}

export const moveLook = async (tx: Tx, id: number, afterClient: number): Promise<void> => {
  tx.later(`update marketing_campaign_looks set after_client = $2 where id = $1`, [id, afterClient])
}

export const endLook = async (tx: Tx, id: number): Promise<void> => {
  tx.later(`delete from marketing_campaign_looks where id = $1`, [id])
}
