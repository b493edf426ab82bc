// Saves entities of any kind, many at once, with their events.

import type { Tx } from '../../base/database.ts'
import { publishAll } from '../../base/outbox.ts'
import type { RejectedRecord } from '../../base/records/record-kind.ts'
import type { FieldFault } from '../../base/validation.ts'
import type { Entity, EntityInput } from './entities.ts'
import type { Change, EntityKind, Reference } from './entity-kinds.ts'
import type { OfferKind, StockCause } from '../stock/stock.ts'
import { bumpScheduleVersion } from '../promotions/store.ts'
import { insertMovements } from '../stock/store.ts'
import * as store from './store.ts'
import { referencedIds, lockReferenced } from './store.ts'

export interface Saved<G extends Entity> {
  /** By position; undefined where the record was refused. */
  entities: (G | undefined)[]
  refused: RejectedRecord[]
  /** How many existing entities were as given already. */
  unchanged: number
}

/**
 * Saves entities. Existing ids are updated, unless only new entities are allowed; the others are added. An entity that
 * does not change keeps its version and publishes nothing.
 */
export async function saveEntities<G extends Entity>(
  tx: Tx,
  kind: EntityKind<G>,
  input: readonly EntityInput<G>[],
  wanted: 'any' | 'new' = 'any',
): Promise<Saved<G>> {
  const before = await lockExisting(tx, kind, input)
  const refused = await faultsOf(tx, kind, { input, before, wanted })
  const bad = new Set(refused.map((it) => it.at))
  const valid = input.flatMap((it, at) => (bad.has(at) ? [] : [{ it, at }]))

  const unknown = valid.filter(({ it }) => !before.has(it.id!))
  const added = await add(tx, kind, unknown)
  const changed = await change(tx, kind, { valid, before })
  const changes: Change<G>[] = [
    ...added.map((it) => ({ after: it.entity, now: tx.now })),
    ...changed.map((it) => ({ ...it, now: tx.now })),
  ]
  if (kind.stock) noteStock(tx, kind.stock, changes)
  kind.afterSave?.(tx, changes)
  if (kind.inSchedule && changes.length > 0) bumpScheduleVersion(tx)
  publishAll(tx, changes.flatMap(kind.events))

  const after = byId(changed.map((it) => it.after))
  const entities: (G | undefined)[] = input.map((it, at) =>
    bad.has(at) ? undefined : (after.get(it.id!) ?? before.get(it.id!)),
  )
  for (const { at, entity: it } of added) entities[at] = it
  const lost = unknown.filter(({ at }) => entities[at] === undefined)
  const saved = { entities, refused, unchanged: valid.length - unknown.length - changed.length }
  return lost.length === 0 ? saved : retryLost(tx, kind, { lost, wanted, saved })
}

/** Another transaction inserted these ids meanwhile: they exist now and are updated. */
async function retryLost<G extends Entity>(
  tx: Tx,
  kind: EntityKind<G>,
  { lost, wanted, saved }: { lost: readonly Placed<G>[]; wanted: 'any' | 'new'; saved: Saved<G> },
): Promise<Saved<G>> {
  const { entities, refused, unchanged } = await saveEntities(
    tx,
    kind,
    lost.map(({ it }) => it),
    wanted,
  )
  lost.forEach(({ at }, place) => (saved.entities[at] = entities[place]))
  const more = refused.map((it) => ({ ...it, at: lost[it.at]!.at }))
  return {
    entities: saved.entities,
    refused: [...saved.refused, ...more].toSorted((a, b) => a.at - b.at),
    unchanged: saved.unchanged + unchanged,
  }
}

interface Placed<G extends Entity> {
  it: EntityInput<G>
  at: number
}

/** Updates the existing entities that differ from the input. */
async function change<G extends Entity>(
  tx: Tx,
  kind: EntityKind<G>,
  { valid, before }: { valid: readonly Placed<G>[]; before: ReadonlyMap<number, G> },
): Promise<{ before: G; after: G }[]> {
  const wanted = valid.flatMap(({ it }) => {
    const old = before.get(it.id!)
    return old && differs(kind, old, it) ? [{ ...old, ...it, id: old.id } as G] : []
  })
  if (wanted.length === 0) return []
  const after = byId(await store.updateMany(tx, kind.table, wanted))
  return wanted.map(({ id }) => ({ before: before.get(id)!, after: after.get(id)! }))
}

/** Records the stock movements of added, changed and deleted offers. */
export function noteStock<G extends Entity>(tx: Tx, kind: OfferKind, changes: readonly Change<G>[]): void {
  const quantityOf = (it: G | undefined) => (it as unknown as { quantity: number } | undefined)?.quantity ?? 0
  const causeOf = ({ before, after }: Change<G>): StockCause =>
    !before ? 'stocked' : after ? 'adjusted' : 'removed'
  for (const [cause, its] of Map.groupBy(changes, causeOf))
    insertMovements(
      tx,
      its
        .map(({ before, after }) => ({
          kind,
          offerId: (after ?? before)!.id,
          change: quantityOf(after) - quantityOf(before),
          onHand: quantityOf(after),
        }))
        .filter((it) => it.change !== 0),
      { cause, reference: null },
    )
}

async function lockExisting<G extends Entity>(
  tx: Tx,
  kind: EntityKind<G>,
  input: readonly EntityInput<G>[],
): Promise<Map<number, G>> {
  const ids = input.flatMap((it) => it.id ?? [])
  return byId(ids.length > 0 ? await store.lockMany(tx, kind.table, ids) : [])
}

/** Inserts entities with chosen ids or the next free ones. */
async function add<G extends Entity>(
  tx: Tx,
  { table, defaults: fresh }: EntityKind<G>,
  wanted: readonly Placed<G>[],
): Promise<{ at: number; entity: G }[]> {
  const done: { at: number; entity: G }[] = []
  let rest = wanted.map(({ it, at }) => ({
    at,
    row: { ...fresh?.(tx.now), ...it },
    chosen: it.id !== undefined,
  }))
  while (rest.length > 0) {
    const free = rest.filter((it) => !it.chosen)
    const ids = free.length > 0 ? await store.nextIds(tx, table, free.length) : []
    free.forEach((it, at) => (it.row = { ...it.row, id: ids[at]! }))
    const inserted = byId(await store.insertMany(tx, table, rest.map((it) => it.row) as never))
    for (const { at, row } of rest)
      if (inserted.has(row.id!)) done.push({ at, entity: inserted.get(row.id!)! })
    // The sequence returned an id that another transaction chose meanwhile: take the next one.
    rest = rest.filter((it) => !it.chosen && !inserted.has(it.row.id!))
  }
  await store.advanceSequence(
    tx,
    table,
    wanted.flatMap(({ it }) => it.id ?? []),
  )
  return done
}

async function faultsOf<G extends Entity>(
  tx: Tx,
  kind: EntityKind<G>,
  {
    input,
    before,
    wanted,
  }: { input: readonly EntityInput<G>[]; before: ReadonlyMap<number, G>; wanted: 'any' | 'new' },
): Promise<RejectedRecord[]> {
  const found = new Map<number, RejectedRecord>()
  const noteFault = (at: number, fault: FieldFault, isMissingReference: boolean) => {
    const entry = found.get(at) ?? { at, faults: [], isMissingReference: true }
    entry.faults.push(fault)
    entry.isMissingReference &&= isMissingReference
    found.set(at, entry)
  }
  const note = (at: number, path: string, rule: string, limit?: number) =>
    noteFault(at, { path, rule, ...(limit !== undefined && { limit }) }, true)
  if (wanted === 'new') input.forEach((it, at) => before.has(it.id!) && note(at, 'id', 'taken'))
  input.forEach((it, at) => {
    for (const fault of contradictionsOf(tx, kind, { ...before.get(it.id!), ...it }))
      noteFault(at, fault, false)
  })
  const whole = input.map((it, at) => ({
    at,
    input: { ...kind.defaults?.(tx.now), ...before.get(it.id!), ...it },
    before: before.get(it.id!),
  }))
  for (const it of (await kind.storedFaults?.(tx, whole)) ?? [])
    noteFault(it.at, it.fault, it.isMissingReference)
  for (const reference of kind.references) await noteMissing(tx, reference, { input, note })
  for (const field of kind.unique ?? []) await noteTaken(tx, kind, { field, input, note })
  if (kind.referencedByOffers) await noteMoved(tx, kind.referencedByOffers, { input, note, before })
  const crowded = await beyondCapacity(tx, kind, { input, before })
  for (const at of crowded) note(at, 'id', 'too_many')
  return [...found.values()].toSorted((a, b) => a.at - b.at)
}

const contradictionsOf = <G extends Entity>(
  tx: Tx,
  kind: EntityKind<G>,
  whole: EntityInput<G>,
): FieldFault[] => kind.contradictions?.({ ...kind.defaults?.(tx.now), ...whole }) ?? []

/** The positions of inputs beyond the capacity: new entities, and existing ones that count again. */
async function beyondCapacity<G extends Entity>(
  tx: Tx,
  kind: EntityKind<G>,
  { input, before }: { input: readonly EntityInput<G>[]; before: ReadonlyMap<number, G> },
): Promise<number[]> {
  const { capacity } = kind
  if (!capacity) return []
  const coming = input.flatMap((it, at) => {
    const old = before.get(it.id!)
    const isIn = old !== undefined && capacity.takes(old, tx.now)
    return !isIn && capacity.takes({ ...kind.defaults?.(tx.now), ...old, ...it }, tx.now) ? [at] : []
  })
  return coming.length > 0 ? coming.slice(Math.max(0, await capacity.left(tx))) : []
}

interface CheckInput<G extends Entity> {
  input: readonly EntityInput<G>[]
  note: (at: number, path: string, rule: string, limit?: number) => void
}

async function noteMissing<G extends Entity>(
  tx: Tx,
  reference: Reference<G>,
  { input, note }: CheckInput<G>,
): Promise<void> {
  const { field, to, within } = reference
  const valueOf = (it: EntityInput<G>, name: string) => (it as Record<string, unknown>)[name]
  const named = input.map((it) => [valueOf(it, field) ?? []].flat() as number[])
  const wanted = [...new Set(named.flat())]
  if (wanted.length === 0) return
  const owners = await lockReferenced(tx, to, { ids: wanted, owner: within?.theirs })
  input.forEach((it, at) => {
    for (const id of named[at]!)
      if (!owners.has(id)) note(at, pathOf(field), 'exists', id)
      else if (within && owners.get(id) !== valueOf(it, within.field))
        note(at, pathOf(field), `of_${pathOf(within.field)}`)
  })
}

async function noteTaken<G extends Entity>(
  tx: Tx,
  kind: EntityKind<G>,
  { field, input, note }: CheckInput<G> & { field: string },
): Promise<void> {
  const values = input.map((it) => (it as Record<string, unknown>)[field] as string | undefined)
  const holders = new Map(
    (await store.holdersOf(tx, kind.table, { field, values: values.filter((it) => it !== undefined) })).map(
      (it) => [it.value, it.id],
    ),
  )
  input.forEach((it, at) => {
    const value = values[at]
    if (value === undefined) return
    // Of two new entities with one value the second is refused. Both lack an id, so each gets a placeholder.
    const own = it.id ?? -1 - at
    if ((holders.get(value) ?? own) !== own) note(at, pathOf(field), 'taken')
    else holders.set(value, own)
  })
}

/** An entity that offers reference keeps its owner: a variant its product, a loan condition its partner. */
async function noteMoved<G extends Entity>(
  tx: Tx,
  { by, field }: NonNullable<EntityKind<G>['referencedByOffers']>,
  { input, note, before }: CheckInput<G> & { before: ReadonlyMap<number, G> },
): Promise<void> {
  const torn = input.flatMap((it, at) => {
    const old = before.get(it.id!)
    const wanted = (it as Record<string, unknown>)[field]
    return old && wanted !== undefined && wanted !== old[field] ? [{ id: old.id, at }] : []
  })
  if (torn.length === 0) return
  const named = await referencedIds(
    tx,
    by,
    torn.map(({ id }) => id),
  )
  for (const { id, at } of torn) if (named.has(id)) note(at, pathOf(field), 'in_use')
}

export const pathOf = (field: string): string => field.replace(/[A-Z]/g, (it) => `_${it.toLowerCase()}`)

const byId = <G extends Entity>(entities: readonly G[]): Map<number, G> =>
  new Map(entities.map((it) => [it.id, it]))

/** Whether the input differs from the row. jsonb does not keep the order of keys. */
function differs<G extends Entity>({ table }: EntityKind<G>, old: G, input: EntityInput<G>): boolean {
  return table.fields.some((it) => {
    const wanted = (input as Record<string, unknown>)[it]
    return wanted !== undefined && asComparable(old[it]) !== asComparable(wanted)
  })
}

const asComparable = (value: unknown): string => JSON.stringify(value, withSortedKeys)

const withSortedKeys = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
