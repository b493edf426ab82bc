import type { Tx } from '../../base/database.ts'
import { conflict } from '../../base/conflict.ts'
import { refuse } from '../../base/refusal.ts'
import type { FieldFault } from '../../base/validation.ts'
import type { RejectedRecord } from '../../base/records/record-kind.ts'
import type { Entity, EntityInput } from './entities.ts'
import type { EntityKind } from './entity-kinds.ts'
import { noteStock, saveEntities } from './save-entities.ts'
import { type IfMatch, requireVersion } from '../../http/version.ts'
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

const isClash = ({ rule }: FieldFault): boolean => rule === 'taken' || rule === 'in_use'

/** A clash with existing entities is a conflict; an unknown reference is a validation error. */
function refusalOf({ faults }: RejectedRecord, input: Record<string, unknown>) {
  const [clash] = faults
  if (!clash || !faults.every(isClash)) return refuse('validation_failed', { fields: faults })
  const { path: field, rule } = clash
  const value = input[camel(field)]
  return rule === 'taken'
    ? conflict('taken', { field, value })
    : conflict('field_in_use', { field, value, used_by: 'offers' })
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
    ifMatch: IfMatch | undefined
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
  { id, ifMatch }: { id: number; ifMatch: IfMatch | undefined },
): Promise<G> {
  const [before] = await lockMany(tx, kind.table, [id])
  if (!before) throw refuse('not_found')
  requireVersion(before, ifMatch)

  if (kind.referencedByOffers && (await referencedIds(tx, kind.referencedByOffers.by, [id])).size > 0)
    throw conflict('in_use', { id: String(id), used_by: 'offers' })
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
