import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { refuseStale } from '../../http/version.ts'
import { lockRules, updateRules } from '../store/campaign-rules.ts'
import type { CampaignRules } from './campaign-rules.ts'

/** Changes what holds for all campaigns, from the next message on. */
export async function setRules(
  tx: Tx,
  changes: Partial<CampaignRules>,
  ifMatch: number | undefined,
): Promise<CampaignRules> {
  const before = await lockRules(tx)
  refuseStale(before, ifMatch)
  const after = { ...before, ...changes }
  if (isDeepStrictEqual(after, before)) return before
  const saved = await updateRules(tx, after)
  await publish(tx, { type: 'CampaignRulesChanged', version: saved.version, changedAt: tx.now.toISOString() })
  return saved
}
