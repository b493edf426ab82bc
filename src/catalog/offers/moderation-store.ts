import type { Reader, Tx } from '../../base/database.ts'
import type { ModerationStatus } from '../entities/entities.ts'

export interface ModerationEntry {
  statusBefore: ModerationStatus
  statusAfter: ModerationStatus
  reason: string | null
  decidedBy: string
  at: Date
}

export const insertStep = async (
  tx: Tx,
  it: { id: number; before: ModerationStatus; after: ModerationStatus; reason: string | null; by: string },
): Promise<void> => {
  await tx.all(
    `insert into catalog_moderation_steps (moderated_offer_id, status_before, status_after, reason, decided_by, at)
     values ($1, $2, $3, $4, $5, $6)`,
    [it.id, it.before, it.after, it.reason, it.by, tx.now],
  )
}

/** The last hundred steps of a moderated offer, oldest first. */
export const stepsOf = (read: Reader, id: number): Promise<ModerationEntry[]> =>
  read.all<ModerationEntry>(
    `select status_before as "statusBefore", status_after as "statusAfter", reason, decided_by as "decidedBy", at
     from (select * from catalog_moderation_steps where moderated_offer_id = $1 order by id desc limit 100) latest
     order by id`,
    [id],
  )
