import type { Tx } from '../../base/database.ts'
import { publishAll } from '../../base/outbox.ts'
import { promotionKind } from '../entities/entity-kinds.ts'
import { lockPromotionsOf, bumpScheduleVersion } from './store.ts'
import { deleteOne, updateMany } from '../entities/store.ts'
import { type MemberField, memberFields, type Promotion } from './promotion.ts'

/** Removes a deleted entity from its promotions. Promotions without members are deleted. */
export async function removeFromPromotions(tx: Tx, field: MemberField, id: number): Promise<void> {
  const naming = await lockPromotionsOf(tx, field, id)
  if (naming.length === 0) return
  const left = naming.map((before) => ({
    before,
    after: { ...before, [field]: before[field].filter((it) => it !== id) },
  }))
  const isAboutNothing = (it: Promotion) => memberFields.every((name) => it[name].length === 0)

  const kept = left.filter(({ after }) => !isAboutNothing(after))
  const empty = left.filter(({ after }) => isAboutNothing(after))
  if (kept.length > 0)
    await updateMany(
      tx,
      promotionKind.table,
      kept.map(({ after }) => after),
    )
  const parting = await promotionKind.eventsBeforeDelete!(
    tx,
    empty.map(({ before }) => before),
  )
  for (const { before } of empty) await deleteOne(tx, promotionKind.table, before.id)
  bumpScheduleVersion(tx)
  publishAll(tx, [
    ...kept.flatMap((it) => promotionKind.events({ ...it, now: tx.now })),
    ...parting,
    ...empty.flatMap(({ before }) => promotionKind.events({ before, now: tx.now })),
  ])
}
