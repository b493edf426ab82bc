// The six paths that every kind of goods has, made from what differs: its form, its view, its filters and its sorts.

import { type TSchema, Type } from 'typebox'
import type { Reader, Tx } from '../../base/db.ts'
import type { ListQuery } from '../../base/listing.ts'
import { refuse } from '../../base/refusal.ts'
import type { EventType } from '../../events.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import type { RefusalCode } from '../../http/refusals.ts'
import { type Circumstances, del, get, patch, post, put, type Route } from '../../http/route.ts'
import { changes, id, list, strict } from '../../http/schema.ts'
import { changeGood } from '../change-good.ts'
import { createGood } from '../create-good.ts'
import { deleteGood } from '../delete-good.ts'
import type { Kept, Said } from '../goods.ts'
import type { Form } from '../records.ts'
import { listGoods } from '../store/listing.ts'
import { findMany, lockMany } from '../store/table.ts'

export interface GoodsPaths<G extends Kept> {
  form: Form<G>
  /** Whose paths and scopes they are; the catalog's unless said. */
  area?: 'marketing'
  /** The path, and the name of the list in the reply. */
  plural: { path: string; field: string }
  singular: { field: string; words: string }
  reply: TSchema
  /** What is shown of goods, in their order; those that were taken off meanwhile are left out. */
  show(read: Reader, goods: G[], call: Circumstances): Promise<unknown[]> | unknown[]
  sorts: ListQuery['sorts']
  defaultSort: string
  /** Parts of it are other goods', which change without its version. */
  isLiving?: true
  /** Until when what is shown stays so if nobody tells anything. */
  untilMs?(read: Reader): Promise<number>
  /** Refuses a change that has a call of its own. */
  refuse?(before: G, after: Said<G>): void
  /** Refuses what is surely a slip of whoever writes it. An import may carry such things over. */
  judge?(tx: Tx, said: Said<G>, before: G | undefined): Promise<void>
  filters: Record<string, { shape: TSchema; condition: string; value?: (given: never) => unknown }>
  facts: readonly EventType[]
}

export function readPaths<G extends Kept>(it: GoodsPaths<G>): Route[] {
  const { table } = it.form.kind
  const { path, read: scope } = homeOf(it)
  const param = `${it.singular.field}_id`
  const one = Type.Object({ [it.singular.field]: it.reply })
  return [
    get(path, {
      summary: `List ${it.plural.path.replace('-', ' ')}`,
      scope,
      query: listQuery(Object.keys(it.sorts), optionalOf(it.filters)),
      reply: Type.Object({ [it.plural.field]: list(it.reply, 100), pagination }),
      forgetOn: it.facts,
      shed: 'first',
      run: async ({ read, query, ...call }) => {
        const listing = listingOf(query, it.defaultSort)
        const conditions = conditionsOf(it.filters, query as Record<string, unknown>)
        const slice = await listGoods(read, table, { listing, conditions, sorts: it.sorts })
        const shown = await it.show(read, slice.rows, call)
        return {
          data: { [it.plural.field]: shown, pagination: paginationView(listing, slice) },
          ...(await lasting(it, read)),
        }
      },
    }),
    get(`${path}/{${param}}`, {
      summary: `Get ${it.singular.words}`,
      scope,
      params: { [param]: id },
      reply: one,
      forgetOn: it.facts,
      shed: 'first',
      run: async ({ read, params, ...call }) => {
        const [good] = await findMany(read, table, [params[param]!])
        const shown = good ? await it.show(read, [good], call) : []
        if (!good || shown.length === 0) throw refuse('not_found')
        return { ...answer(it, good, shown), ...(await lasting(it, read)) }
      },
    }),
  ]
}

export function writePaths<G extends Kept>(it: GoodsPaths<G>): Route[] {
  const { form } = it
  const { kind } = form
  const { path, write: scope } = homeOf(it)
  const param = `${it.singular.field}_id`
  const reply = Type.Object({ [it.singular.field]: it.reply })
  const { id: ownId, ...optional } = form.optional
  const fields = { ...form.needed, ...optionalOf(optional) }
  const refusals: RefusalCode[] = it.refuse ? ['conflict', 'invalid_transition'] : ['conflict']
  const common = { scope, reply, refusals } as const
  return [
    post(path, {
      ...common,
      summary: `Create ${it.singular.words}`,
      body: strict({ id: Type.Optional(ownId!.shape), ...fields }),
      creates: true,
      run: async ({ tx, body, ...call }) => {
        const said = form.goodOf(body)
        await it.judge?.(tx, said, undefined)
        const good = await createGood(tx, kind, said)
        return answer(it, good, await it.show(tx, [good], call))
      },
    }),
    put(`${path}/{${param}}`, {
      ...common,
      summary: `Replace ${it.singular.words}`,
      params: { [param]: id },
      body: strict(fields),
      versioned: true,
      run: async ({ tx, params, body, ifMatch, ...call }) => {
        const said = (before: G) => checked(tx, it, { before, after: form.goodOf(body) })
        const good = await changeGood(tx, kind, { id: params[param]!, ifMatch, said })
        return answer(it, good, await it.show(tx, [good], { ...call, ifMatch }))
      },
    }),
    patch(`${path}/{${param}}`, {
      ...common,
      summary: `Change ${it.singular.words}`,
      params: { [param]: id },
      body: changes({ ...form.needed, ...shapesOf(optional) }),
      versioned: true,
      run: async ({ tx, params, body, ifMatch, ...call }) => {
        const said = (before: G) => {
          const after = form.goodOf({ ...form.recordOf(before), ...(body as object) })
          return checked(tx, it, { before, after })
        }
        const good = await changeGood(tx, kind, { id: params[param]!, ifMatch, said })
        return answer(it, good, await it.show(tx, [good], { ...call, ifMatch }))
      },
    }),
    del(`${path}/{${param}}`, {
      ...common,
      summary: `Delete ${it.singular.words}`,
      params: { [param]: id },
      versioned: true,
      run: async ({ tx, params, ifMatch, ...call }) => {
        const [before] = await lockMany(tx, kind.table, [params[param]!])
        // It is looked at before it goes: what stands behind it may go unseen with it.
        const shown = before && (await it.show(tx, [before], { ...call, ifMatch }))
        const good = await deleteGood(tx, kind, { id: params[param]!, ifMatch })
        return answer(it, good, shown!)
      },
    }),
  ]
}

/** Where the paths stand, and what it takes to call them. */
const homeOf = ({ area = 'catalog', plural }: { area?: 'catalog' | 'marketing'; plural: { path: string } }) =>
  ({ path: `/v1/${area}/${plural.path}`, read: `${area}:read`, write: `${area}:write` }) as const

async function checked<G extends Kept>(
  tx: Tx,
  it: GoodsPaths<G>,
  { before, after }: { before: G; after: Said<G> },
): Promise<Said<G>> {
  it.refuse?.(before, after)
  await it.judge?.(tx, after, before)
  return after
}

const answer = <G extends Kept>(it: GoodsPaths<G>, good: G, [shown]: unknown[]) => ({
  data: { [it.singular.field]: shown } as never,
  version: good.version,
  ...(it.isLiving && { isLiving: true }),
})

const lasting = async <G extends Kept>(it: GoodsPaths<G>, read: Reader) =>
  it.untilMs ? { untilMs: await it.untilMs(read) } : {}

type Shaped = Record<string, { shape: TSchema }>

const shapesOf = (fields: Shaped): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(fields).map(([name, { shape }]) => [name, shape]))

const optionalOf = (fields: Shaped): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(fields).map(([name, { shape }]) => [name, Type.Optional(shape)]))

const conditionsOf = <G extends Kept>(
  filters: GoodsPaths<G>['filters'],
  query: Record<string, unknown>,
): [string, unknown][] =>
  Object.entries(filters).flatMap(([name, { condition, value }]) => {
    const given = query[name]
    return given === undefined ? [] : [[condition, value ? value(given as never) : given]]
  })
