import type { Tx } from '../base/db.ts'
import { refuse } from '../base/refusal.ts'
import type { Unloaded } from '../base/records.ts'
import type { Kept, Said } from './goods.ts'
import type { Kind } from './kinds.ts'
import { saveGoods } from './save-goods.ts'

/** Adds a good, under the id that was chosen for it or a new one. */
export const createGood = <G extends Kept>(tx: Tx, kind: Kind<G>, said: Said<G>): Promise<G> =>
  saveOne(tx, kind, said, 'new')

/** Saves one good, or says why not. */
export async function saveOne<G extends Kept>(
  tx: Tx,
  kind: Kind<G>,
  said: Said<G>,
  wanted?: 'new',
): Promise<G> {
  const { goods, refused } = await saveGoods(tx, kind, [said], wanted)
  const [fault] = refused
  if (fault) throw refusalOf(fault, said as Record<string, unknown>)
  return goods[0]!
}

const reasons: Record<string, string> = { taken: 'taken', in_use: 'in use' }

/** What contradicts the goods that stand is a conflict; what names none is a fault of what was sent. */
function refusalOf({ faults }: Unloaded, said: Record<string, unknown>) {
  const clash = faults.find((it) => reasons[it.rule])
  return clash && faults.every((it) => reasons[it.rule])
    ? refuse('conflict', { field: clash.path, value: said[camel(clash.path)], reason: reasons[clash.rule] })
    : refuse('validation_failed', { fields: faults })
}

const camel = (path: string): string => path.replace(/_([a-z])/g, (_, it: string) => it.toUpperCase())
