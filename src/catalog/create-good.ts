import type { Tx } from '../base/db.ts'
import { refuse } from '../base/refusal.ts'
import type { Unloaded } from '../base/records.ts'
import type { Kept, Said } from './goods.ts'
import type { Kind } from './kinds.ts'
import { saveGoods } from './save-goods.ts'
import { idsAmong } from './store/table.ts'

/** Adds a good, under the id that was chosen for it or a new one. */
export async function createGood<G extends Kept>(tx: Tx, kind: Kind<G>, said: Said<G>): Promise<G> {
  if (said.id !== undefined && (await idsAmong(tx, kind.table, [said.id])).size > 0)
    throw refuse('conflict', { field: 'id', value: said.id, reason: 'taken' })
  return saveOne(tx, kind, said)
}

/** Saves one good, or says why not. */
export async function saveOne<G extends Kept>(tx: Tx, kind: Kind<G>, said: Said<G>): Promise<G> {
  const { goods, refused } = await saveGoods(tx, kind, [said])
  const [fault] = refused
  if (fault) throw refusalOf(fault, said as Record<string, unknown>)
  return goods[0]!
}

function refusalOf({ faults }: Unloaded, said: Record<string, unknown>) {
  const taken = faults.find((it) => it.rule === 'taken')
  return taken && faults.length === 1
    ? refuse('conflict', { field: taken.path, value: said[taken.path], reason: 'taken' })
    : refuse('validation_failed', { fields: faults })
}
