// The six CRUD routes of an entity kind, built from its record format, view, filters and sorts.

import { type TSchema, Type } from 'typebox'
import type { Reader, Tx } from '../../base/database.ts'
import type { ListQuery } from '../../base/listing.ts'
import { refuse } from '../../base/refusal.ts'
import type { EventType } from '../../events.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import type { RefusalCode } from '../../http/refusals.ts'
import { type RequestContext, del, get, patch, post, put, type Route } from '../../http/route.ts'
import { languages } from '../../http/language.ts'
import { changes, id, list, strict } from '../../http/schema.ts'
import { changeEntity, createEntity, deleteEntity } from './edit-entities.ts'
import type { Entity, EntityInput } from './entities.ts'
import type { RecordForm } from './record-forms.ts'
import { mayRead, type Restriction, restrictionsFor } from './restrictions.ts'
import { findMany, listEntities, lockMany } from './store.ts'

export interface EntityRoutes<G extends Entity> {
  form: RecordForm<G>
  /** The area of paths and scopes; `catalog` by default. */
  area?: 'marketing'
  plural: { path: string; field: string }
  singular: { field: string; words: string }
  reply: TSchema
  /** The views of entities, in their order; those deleted meanwhile are left out. */
  show(read: Reader, entities: G[], call: RequestContext): Promise<unknown[]> | unknown[]
  sorts: ListQuery['sorts']
  defaultSort: string
  listDescription?: string
  /** What callers without some scopes do not see; such replies are not cached, because callers get different ones. */
  restrictions?: readonly Restriction<G>[]
  /** The view includes other entities, which change without its version. */
  isVolatile?: true
  /** Until when the view is valid if no event invalidates it. */
  validUntilMs?(read: Reader): Promise<number>
  /** Refuses changes that have routes of their own. */
  refuse?(before: G, after: EntityInput<G>): void
  /** Refuses probable mistakes. Imports are not checked. */
  check?(tx: Tx, input: EntityInput<G>, before: G | undefined): Promise<void>
  filters: Record<string, { shape: TSchema; condition: string; value?: (given: never) => unknown }>
  invalidatedBy: readonly EventType[]
}

export function readRoutes<G extends Entity>(it: EntityRoutes<G>): Route[] {
  const { table } = it.form.kind
  const { path, read: scope } = locationOf(it)
  const param = `${it.singular.field}_id`
  const one = Type.Object({ [it.singular.field]: it.reply })
  return [
    get(path, {
      summary: `List ${it.plural.path.replace('-', ' ')}`,
      ...(it.listDescription && { description: it.listDescription }),
      scope,
      query: listQuery(Object.keys(it.sorts), optionalOf(it.filters), it.defaultSort),
      reply: Type.Object({ [it.plural.field]: list(it.reply, 100), pagination }),
      ...(!it.restrictions && { invalidateOn: it.invalidatedBy }),
      shed: 'first',
      run: async ({ read, query, ...call }) => {
        const listing = listingOf(query, it.defaultSort)
        const conditions = conditionsOf(it.filters, query as Record<string, unknown>)
        conditions.push(...restrictionsFor(it.restrictions ?? [], call).map(({ condition }) => condition))
        const slice = await listEntities(read, table, { listing, conditions, sorts: it.sorts })
        const shown = await it.show(read, slice.rows, call)
        return {
          data: { [it.plural.field]: shown, pagination: paginationView(listing, slice) },
          ...(await validity(it, read)),
        }
      },
    }),
    get(`${path}/{${param}}`, {
      summary: `Get ${it.singular.words}`,
      scope,
      params: { [param]: id },
      reply: one,
      ...(!it.restrictions && { invalidateOn: it.invalidatedBy }),
      shed: 'first',
      run: async ({ read, params, ...call }) => {
        const [entity] = await findMany(read, table, [params[param]!])
        const isSeen = entity && mayRead(it.restrictions ?? [], call, entity)
        const shown = isSeen ? await it.show(read, [entity], call) : []
        if (!entity || shown.length === 0) throw refuse('not_found')
        return { ...answer(it, entity, shown), ...(await validity(it, read)) }
      },
    }),
  ]
}

export function writeRoutes<G extends Entity>(it: EntityRoutes<G>): Route[] {
  const { form } = it
  const { kind } = form
  const { path, write: scope } = locationOf(it)
  const param = `${it.singular.field}_id`
  const reply = Type.Object({ [it.singular.field]: it.reply })
  const { id: ownId, ...optional } = form.optional
  const fields = { ...form.required, ...optionalOf(optional) }
  const localized = localizedFields({ ...form.required, ...shapesOf(optional) })
  const refusals: RefusalCode[] = it.refuse ? ['conflict', 'invalid_transition'] : ['conflict']
  const common = { scope, reply, refusals } as const
  return [
    post(path, {
      ...common,
      summary: `Create ${it.singular.words}`,
      body: strict({ id: Type.Optional(ownId!.shape), ...fields }),
      creates: true,
      run: async ({ tx, body, ...call }) => {
        const input = form.entityOf(body)
        await it.check?.(tx, input, undefined)
        const entity = await createEntity(tx, kind, input)
        return answer(it, entity, await it.show(tx, [entity], call))
      },
    }),
    put(`${path}/{${param}}`, {
      ...common,
      summary: `Replace ${it.singular.words}`,
      params: { [param]: id },
      body: strict(fields),
      versioned: true,
      run: async ({ tx, params, body, ifMatch, ...call }) => {
        const input = (before: G) => checked(tx, it, { before, after: form.entityOf(body) })
        const entity = await changeEntity(tx, kind, { id: params[param]!, ifMatch, input })
        return answer(it, entity, await it.show(tx, [entity], { ...call, ifMatch }))
      },
    }),
    patch(`${path}/{${param}}`, {
      ...common,
      summary: `Change ${it.singular.words}`,
      ...(localized.length > 0 && {
        description: 'A text is changed in the languages that are sent; the others stay.',
      }),
      params: { [param]: id },
      body: changes({ ...form.required, ...shapesOf(optional) }),
      versioned: true,
      run: async ({ tx, params, body, ifMatch, ...call }) => {
        const input = (before: G) => {
          const record = form.recordOf(before)
          const after = form.entityOf({ ...record, ...withOtherLanguages(record, body, localized) })
          return checked(tx, it, { before, after })
        }
        const entity = await changeEntity(tx, kind, { id: params[param]!, ifMatch, input })
        return answer(it, entity, await it.show(tx, [entity], { ...call, ifMatch }))
      },
    }),
    del(`${path}/{${param}}`, {
      ...common,
      summary: `Delete ${it.singular.words}`,
      params: { [param]: id },
      versioned: true,
      run: async ({ tx, params, ifMatch, ...call }) => {
        const [before] = await lockMany(tx, kind.table, [params[param]!])
        // The view is built before the deletion, while its references still exist.
        const shown = before && (await it.show(tx, [before], { ...call, ifMatch }))
        const entity = await deleteEntity(tx, kind, { id: params[param]!, ifMatch })
        return answer(it, entity, shown!)
      },
    }),
  ]
}

/** The fields that hold a text in several languages. */
const localizedFields = (shapes: Record<string, TSchema>): string[] =>
  Object.entries(shapes).flatMap(([field, shape]) => {
    const properties = (shape as { properties?: object }).properties ?? {}
    return languages.every((it) => it in properties) ? [field] : []
  })

/** The changes, with the languages of localized fields that they do not name. */
const withOtherLanguages = (
  before: Record<string, unknown>,
  changed: object,
  localized: readonly string[],
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(changed).map(([field, value]) => [
      field,
      localized.includes(field) ? { ...(before[field] as object), ...value } : value,
    ]),
  )

/** Path and scopes. */
const locationOf = ({
  area = 'catalog',
  plural,
}: {
  area?: 'catalog' | 'marketing'
  plural: { path: string }
}) => ({ path: `/v1/${area}/${plural.path}`, read: `${area}:read`, write: `${area}:write` }) as const

async function checked<G extends Entity>(
  tx: Tx,
  it: EntityRoutes<G>,
  { before, after }: { before: G; after: EntityInput<G> },
): Promise<EntityInput<G>> {
  it.refuse?.(before, after)
  await it.check?.(tx, after, before)
  return after
}

const answer = <G extends Entity>(it: EntityRoutes<G>, entity: G, [shown]: unknown[]) => ({
  data: { [it.singular.field]: shown } as never,
  version: entity.version,
  ...(it.isVolatile && { isVolatile: true }),
})

const validity = async <G extends Entity>(it: EntityRoutes<G>, read: Reader) =>
  it.validUntilMs ? { validUntilMs: await it.validUntilMs(read) } : {}

type Shaped = Record<string, { shape: TSchema }>

const shapesOf = (fields: Shaped): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(fields).map(([name, { shape }]) => [name, shape]))

const optionalOf = (fields: Shaped): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(fields).map(([name, { shape }]) => [name, Type.Optional(shape)]))

const conditionsOf = <G extends Entity>(
  filters: EntityRoutes<G>['filters'],
  query: Record<string, unknown>,
): [string, unknown][] =>
  Object.entries(filters).flatMap(([name, { condition, value }]) => {
    const given = query[name]
    return given === undefined ? [] : [[condition, value ? value(given as never) : given]]
  })
