import type { Tx } from '../../base/database.ts'
import { refuse } from '../../base/refusal.ts'
import type { RejectedRecord } from '../../base/records/record-kind.ts'
import type { Entity, EntityInput } from './entities.ts'
import type { EntityKind } from './entity-kinds.ts'
import { noteStock, saveEntities } from './save-entities.ts'
import { requireVersion } from '../../http/version.ts'
import { deleteOne, lockMany, referencedIds } from './store.ts'
import { keepDeletedOffer } from '../offers/deleted-offers-store.ts'
import { publishAll } from '../../base/outbox.ts'
import { removeFromPromotions } from '../promotions/leave-promotions.ts'
import { bumpScheduleVersion } from '../promotions/store.ts'

/** Adds an entity with its chosen id or a new one. */
export const createEntity = <G extends Entity>(
  tx: Tx,
  kind: EntityKind<G>,
  input: EntityInput<G>,
): Promise<G> => saveOne(tx, kind, input, 'new')

/** Saves one entity, or throws the refusal. */
export async function saveOne<G extends Entity>(
  tx: Tx,
  kind: EntityKind<G>,
  input: EntityInput<G>,
  wanted?: 'new',
): Promise<G> {
  const { entities, refused } = await saveEntities(tx, kind, [input], wanted)
  const [fault] = refused
  if (fault) throw refusalOf(fault, input as Record<string, unknown>)
  return entities[0]!
}

const reasons: Record<string, string> = { taken: 'taken', in_use: 'in use' }

/** A clash with existing entities is a conflict; an unknown reference is a validation error. */
function refusalOf({ faults }: RejectedRecord, input: Record<string, unknown>) {
  const clash = faults.find((it) => reasons[it.rule])
  return clash && faults.every((it) => reasons[it.rule])
    ? refuse('conflict', { field: clash.path, value: input[camel(clash.path)], reason: reasons[clash.rule] })
    : refuse('validation_failed', { fields: faults })
}

const camel = (path: string): string => path.replace(/_([a-z])/g, (_, it: string) => it.toUpperCase())

/** Changes an entity. A change without effect keeps the version and publishes nothing. */
export async function changeEntity<G extends Entity>(
  tx: Tx,
  kind: EntityKind<G>,
  {
    id,
    ifMatch,
    input,
  }: {
    id: number
    ifMatch: number | undefined
    input: (before: G) => EntityInput<G> | Promise<EntityInput<G>>
  },
): Promise<G> {
  const [before] = await lockMany(tx, kind.table, [id])
  if (!before) throw refuse('not_found')
  requireVersion(before, ifMatch)
  return saveOne(tx, kind, { ...(await input(before)), id })
}

/** Deletes an entity and returns it. Referenced entities are refused. */
export async function deleteEntity<G extends Entity>(
  tx: Tx,
  kind: EntityKind<G>,
  { id, ifMatch }: { id: number; ifMatch: number | undefined },
): Promise<G> {
  const [before] = await lockMany(tx, kind.table, [id])
  if (!before) throw refuse('not_found')
  requireVersion(before, ifMatch)

  if (kind.referencedByOffers && (await referencedIds(tx, kind.referencedByOffers.by, [id])).size > 0)
    throw refuse('conflict', { reason: 'in use' })
  await kind.refuseDelete?.(tx, before)
  const parting = (await kind.eventsBeforeDelete?.(tx, [before])) ?? []
  if (kind.stock) await keepDeletedOffer(tx, kind.stock, id)
  await deleteOne(tx, kind.table, id)
  if (kind.promotionField) await removeFromPromotions(tx, kind.promotionField, id)
  if (kind.inSchedule) bumpScheduleVersion(tx)
  if (kind.stock) noteStock(tx, kind.stock, [{ before, now: tx.now }])
  publishAll(tx, [...parting, ...kind.events({ before, now: tx.now })])
  return before
}
