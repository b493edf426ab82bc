import type { Reader, Tx } from '../../base/db.ts'
import type { CampaignRules } from '../campaigns/campaign-rules.ts'

const columns = `json_build_object('from', quiet_from, 'to', quiet_to) as "quietHours",
  messages_per_day as "messagesPerDay", messages_per_week as "messagesPerWeek", version`

export const findRules = (read: Reader): Promise<CampaignRules> =>
  read.one(`select ${columns} from marketing_campaign_rules`)

export const lockRules = (tx: Tx): Promise<CampaignRules> =>
  tx.one(`select ${columns} from marketing_campaign_rules for update`)

export const updateRules = (tx: Tx, it: CampaignRules): Promise<CampaignRules> =>
  tx.one(
    `update marketing_campaign_rules set quiet_from = $1, quiet_to = $2, messages_per_day = $3, messages_per_week = $4,
       version = version + 1, updated_at = $5 returning ${columns}`,
    [it.quietHours.from, it.quietHours.to, it.messagesPerDay, it.messagesPerWeek, tx.now],
  )
