// How goods of any kind are stored: many at once, each by its id, with what is told of them. One good is many of one.

import type { Tx } from '../base/db.ts'
import { publishAll } from '../base/outbox.ts'
import type { Unloaded } from '../base/records.ts'
import type { FieldFault } from '../base/shape.ts'
import type { Kept, Said } from './goods.ts'
import type { Change, Kind, Reference } from './kinds.ts'
import type { OfferKind, StockCause } from './stock.ts'
import { turnPage } from './store/promotions.ts'
import { noteMovements } from './store/stock.ts'
import * as store from './store/table.ts'
import { namedByOffers, ownersAmong } from './store/references.ts'

export interface Saved<G extends Kept> {
  /** By place; undefined where the record was refused. */
  goods: (G | undefined)[]
  refused: Unloaded[]
}

/**
 * Stores what was said of goods. Those with an id that stands are brought to what was said, unless only new ones are
 * wanted; the others are added. What is as it was said already keeps its version and tells nothing.
 */
export async function saveGoods<G extends Kept>(
  tx: Tx,
  kind: Kind<G>,
  said: readonly Said<G>[],
  wanted: 'any' | 'new' = 'any',
): Promise<Saved<G>> {
  const before = await standing(tx, kind, said)
  const refused = await faultsOf(tx, kind, { said, before, wanted })
  const bad = new Set(refused.map((it) => it.at))
  const good = said.flatMap((it, at) => (bad.has(at) ? [] : [{ it, at }]))

  const unknown = good.filter(({ it }) => !before.has(it.id!))
  const added = await add(tx, kind, unknown)
  const changed = await change(tx, kind, { good, before })
  const changes: Change<G>[] = [
    ...added.map((it) => ({ after: it.good, now: tx.now })),
    ...changed.map((it) => ({ ...it, now: tx.now })),
  ]
  if (kind.stock) noteStock(tx, kind.stock, changes)
  if (kind.inBook && changes.length > 0) turnPage(tx)
  await publishAll(tx, changes.flatMap(kind.facts))

  const after = byId(changed.map((it) => it.after))
  const goods: (G | undefined)[] = said.map((it, at) =>
    bad.has(at) ? undefined : (after.get(it.id!) ?? before.get(it.id!)),
  )
  for (const { at, good: it } of added) goods[at] = it
  const lost = unknown.filter(({ at }) => goods[at] === undefined)
  return lost.length === 0 ? { goods, refused } : again(tx, kind, { lost, wanted, saved: { goods, refused } })
}

/** Somebody else took these ids while we added: they stand now, and what was said of them is the later word. */
async function again<G extends Kept>(
  tx: Tx,
  kind: Kind<G>,
  { lost, wanted, saved }: { lost: readonly Placed<G>[]; wanted: 'any' | 'new'; saved: Saved<G> },
): Promise<Saved<G>> {
  const { goods, refused } = await saveGoods(
    tx,
    kind,
    lost.map(({ it }) => it),
    wanted,
  )
  lost.forEach(({ at }, place) => (saved.goods[at] = goods[place]))
  const more = refused.map((it) => ({ ...it, at: lost[it.at]!.at }))
  return { goods: saved.goods, refused: [...saved.refused, ...more].toSorted((a, b) => a.at - b.at) }
}

interface Placed<G extends Kept> {
  it: Said<G>
  at: number
}

/** Brings those that stand to what was said of them, where that is anything new. */
async function change<G extends Kept>(
  tx: Tx,
  kind: Kind<G>,
  { good, before }: { good: readonly Placed<G>[]; before: ReadonlyMap<number, G> },
): Promise<{ before: G; after: G }[]> {
  const wanted = good.flatMap(({ it }) => {
    const old = before.get(it.id!)
    return old && differs(kind, old, it) ? [{ ...old, ...it, id: old.id } as G] : []
  })
  if (wanted.length === 0) return []
  const after = byId(await store.updateMany(tx, kind.table, wanted))
  return wanted.map(({ id }) => ({ before: before.get(id)!, after: after.get(id)! }))
}

/** The units that came or went with what was said anew. */
export function noteStock<G extends Kept>(tx: Tx, kind: OfferKind, changes: readonly Change<G>[]): void {
  const quantityOf = (it: G | undefined) => (it as unknown as { quantity: number } | undefined)?.quantity ?? 0
  const causeOf = ({ before, after }: Change<G>): StockCause =>
    !before ? 'stocked' : after ? 'adjusted' : 'removed'
  for (const [cause, its] of Map.groupBy(changes, causeOf))
    noteMovements(
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

async function standing<G extends Kept>(
  tx: Tx,
  kind: Kind<G>,
  said: readonly Said<G>[],
): Promise<Map<number, G>> {
  const ids = said.flatMap((it) => it.id ?? [])
  return byId(ids.length > 0 ? await store.lockMany(tx, kind.table, ids) : [])
}

/** Adds goods under the ids that the shop chose, or under the next free ones. */
async function add<G extends Kept>(
  tx: Tx,
  { table, fresh }: Kind<G>,
  wanted: readonly Placed<G>[],
): Promise<{ at: number; good: G }[]> {
  const done: { at: number; good: G }[] = []
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
    for (const { at, row } of rest) if (inserted.has(row.id!)) done.push({ at, good: inserted.get(row.id!)! })
    // The counter had not passed an id that somebody chose at the same moment: it is asked again.
    rest = rest.filter((it) => !it.chosen && !inserted.has(it.row.id!))
  }
  await store.keepIdsBehind(
    tx,
    table,
    wanted.flatMap(({ it }) => it.id ?? []),
  )
  return done
}

async function faultsOf<G extends Kept>(
  tx: Tx,
  kind: Kind<G>,
  {
    said,
    before,
    wanted,
  }: { said: readonly Said<G>[]; before: ReadonlyMap<number, G>; wanted: 'any' | 'new' },
): Promise<Unloaded[]> {
  const found = new Map<number, Unloaded>()
  const noteFault = (at: number, fault: FieldFault, mayComeLater: boolean) => {
    const entry = found.get(at) ?? { at, faults: [], mayComeLater: true }
    entry.faults.push(fault)
    entry.mayComeLater &&= mayComeLater
    found.set(at, entry)
  }
  const note = (at: number, path: string, rule: string) => noteFault(at, { path, rule }, true)
  if (wanted === 'new') said.forEach((it, at) => before.has(it.id!) && note(at, 'id', 'taken'))
  said.forEach((it, at) => {
    for (const fault of contradictionsOf(tx, kind, { ...before.get(it.id!), ...it }))
      noteFault(at, fault, false)
  })
  for (const reference of kind.references) await noteMissing(tx, reference, { said, note })
  for (const field of kind.unique ?? []) await noteTaken(tx, kind, { field, said, note })
  if (kind.named) await noteTorn(tx, kind.named, { said, note, before })
  const crowded = await beyondRoom(tx, kind, { said, before })
  for (const at of crowded) note(at, 'id', 'too_many')
  return [...found.values()].toSorted((a, b) => a.at - b.at)
}

const contradictionsOf = <G extends Kept>(tx: Tx, kind: Kind<G>, whole: Said<G>): FieldFault[] =>
  kind.contradictions?.({ ...kind.fresh?.(tx.now), ...whole }) ?? []

/** The places of those for which there is no room left: new ones, and old ones that come to need a place again. */
async function beyondRoom<G extends Kept>(
  tx: Tx,
  kind: Kind<G>,
  { said, before }: { said: readonly Said<G>[]; before: ReadonlyMap<number, G> },
): Promise<number[]> {
  const { room } = kind
  if (!room) return []
  const coming = said.flatMap((it, at) => {
    const old = before.get(it.id!)
    const isIn = old !== undefined && room.takes(old, tx.now)
    return !isIn && room.takes({ ...kind.fresh?.(tx.now), ...old, ...it }, tx.now) ? [at] : []
  })
  return coming.length > 0 ? coming.slice(Math.max(0, await room.left(tx))) : []
}

interface Look<G extends Kept> {
  said: readonly Said<G>[]
  note: (at: number, path: string, rule: string) => void
}

async function noteMissing<G extends Kept>(
  tx: Tx,
  reference: Reference<G>,
  { said, note }: Look<G>,
): Promise<void> {
  const { field, to, within } = reference
  const valueOf = (it: Said<G>, name: string) => (it as Record<string, unknown>)[name]
  const named = said.map((it) => [valueOf(it, field) ?? []].flat() as number[])
  const wanted = [...new Set(named.flat())]
  if (wanted.length === 0) return
  const owners = await ownersAmong(tx, to, { ids: wanted, owner: within?.theirs })
  said.forEach((it, at) => {
    for (const id of named[at]!)
      if (!owners.has(id)) note(at, pathOf(field), 'exists')
      else if (within && owners.get(id) !== valueOf(it, within.field))
        note(at, pathOf(field), `of_${pathOf(within.field)}`)
  })
}

async function noteTaken<G extends Kept>(
  tx: Tx,
  kind: Kind<G>,
  { field, said, note }: Look<G> & { field: string },
): Promise<void> {
  const values = said.map((it) => (it as Record<string, unknown>)[field] as string | undefined)
  const holders = new Map(
    (await store.holdersOf(tx, kind.table, { field, values: values.filter((it) => it !== undefined) })).map(
      (it) => [it.value, it.id],
    ),
  )
  said.forEach((it, at) => {
    const value = values[at]
    if (value === undefined) return
    // Of two new ones with the same value the second is refused: neither has an id, so each gets one of its own here.
    const own = it.id ?? -1 - at
    if ((holders.get(value) ?? own) !== own) note(at, pathOf(field), 'taken')
    else holders.set(value, own)
  })
}

/** What offers name stays where they found it: a variant with its product, a condition with its partner. */
async function noteTorn<G extends Kept>(
  tx: Tx,
  { by, field }: NonNullable<Kind<G>['named']>,
  { said, note, before }: Look<G> & { before: ReadonlyMap<number, G> },
): Promise<void> {
  const torn = said.flatMap((it, at) => {
    const old = before.get(it.id!)
    const wanted = (it as Record<string, unknown>)[field]
    return old && wanted !== undefined && wanted !== old[field] ? [{ id: old.id, at }] : []
  })
  if (torn.length === 0) return
  const named = await namedByOffers(
    tx,
    by,
    torn.map(({ id }) => id),
  )
  for (const { id, at } of torn) if (named.has(id)) note(at, pathOf(field), 'in_use')
}

export const pathOf = (field: string): string => field.replace(/[A-Z]/g, (it) => `_${it.toLowerCase()}`)

const byId = <G extends Kept>(goods: readonly G[]): Map<number, G> => new Map(goods.map((it) => [it.id, it]))

/** Whether what was said is anything else than what stands. The database gives words back in an order of its own. */
function differs<G extends Kept>({ table }: Kind<G>, old: G, said: Said<G>): boolean {
  return table.fields.some((it) => {
    const wanted = (said as Record<string, unknown>)[it]
    return wanted !== undefined && asComparable(old[it]) !== asComparable(wanted)
  })
}

const asComparable = (value: unknown): string =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
    ? JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : JSON.stringify(value)
