import type { Tx } from '../../base/db.ts'
import { publishAll } from '../../base/outbox.ts'
import { promotionKind } from '../kinds.ts'
import { lockNaming, turnPage } from '../store/promotions.ts'
import { deleteOne, updateMany } from '../store/table.ts'
import { type MemberField, memberFields, type Promotion } from './promotion.ts'

/** Takes what is deleted out of the promotions that name it. One that is then about nothing goes too. */
export async function leavePromotions(tx: Tx, field: MemberField, id: number): Promise<void> {
  const naming = await lockNaming(tx, field, id)
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
  const parting = await promotionKind.parting!(
    tx,
    empty.map(({ before }) => before),
  )
  for (const { before } of empty) await deleteOne(tx, promotionKind.table, before.id)
  turnPage(tx)
  await publishAll(tx, [
    ...kept.flatMap((it) => promotionKind.facts({ ...it, now: tx.now })),
    ...parting,
    ...empty.flatMap(({ before }) => promotionKind.facts({ before, now: tx.now })),
  ])
}
