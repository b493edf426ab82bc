// The audience of a campaign: a closed table of conditions, and their evaluation over clients, a page at a time. Each
// condition filters some clients by one query to the module that owns the data.

import { hourMs, dayMs } from '../../base/clock.ts'
import { type Static, type TSchema, Type } from 'typebox'
import type { Reader } from '../../base/database.ts'
import * as cart from '../../cart/index.ts'
import { loadShopProfile, offeredLanguage, productsIn } from '../../catalog/index.ts'
import { languages } from '../../http/language.ts'
import { idText, integer, oneOf, strict, text } from '../../http/schema.ts'
import { clientsSeenSince } from '../../identity/index.ts'
import * as orders from '../../orders/index.ts'
import { consentingAfter, consentingAmong, languagesOf } from '../consents/store.ts'
import type { Channel } from '../templates/template.ts'
import { clientsActiveSince } from './activity-store.ts'
import type { MessageDataName } from './occasion.ts'

interface Condition<F extends TSchema> {
  description: string
  fields: F
  /** The clients who may match at all, if they are few: candidates come from there. */
  source?: Source
  /** What a message can show about a client who matches. */
  messageData?: MessageDataName
  among(read: Reader, fields: Static<F>, clientIds: readonly number[]): Promise<Iterable<number>>
}

/** Sets of clients that can be paged by id. */
export type Source = 'named' | 'carts' | 'wishlists' | 'orders'

const condition = <F extends TSchema>(row: Condition<F>): Condition<F> => row

const maxDays = 3_650
const maxNamedClients = 1_000

const within = integer(1, maxDays, { description: 'In the last so many days.' })
const one = { minProperties: 1, maxProperties: 1 }

/** How long a cart has stayed unchanged. */
export const durationSchema = Type.Object(
  { days: Type.Optional(integer(1, 90)), hours: Type.Optional(integer(1, 2_160)) },
  { additionalProperties: false, ...one, examples: [{ days: 3 }] },
)
export type Duration = Static<typeof durationSchema>
export const durationMs = ({ days = 0, hours = 0 }: Duration): number => days * dayMs + hours * hourMs

export const before = (read: Reader, ms: number): Date => new Date(read.now.getTime() - ms)
const since = (read: Reader, days: number): Date => before(read, days * dayMs)
const clientsOf = (rows: readonly { clientId: number }[]): number[] => rows.map((it) => it.clientId)

/** In the order of evaluation: selective and cheap conditions come first. */
export const conditions = {
  clients: condition({
    description: 'The client is one of these.',
    fields: strict({ ids: Type.Array(idText, { minItems: 1, maxItems: maxNamedClients }) }),
    source: 'named',
    among: async (_read, { ids }, clientIds) => {
      const named = new Set(ids.map(Number))
      return clientIds.filter((it) => named.has(it))
    },
  }),
  language: condition({
    description: 'The client is written to in one of these languages.',
    fields: strict({ is: Type.Array(oneOf(languages), { minItems: 1, maxItems: languages.length }) }),
    among: async (read, { is }, clientIds) => {
      const [chosen, shop] = await Promise.all([languagesOf(read, clientIds), loadShopProfile(read)])
      return clientIds.filter((it) => is.includes(offeredLanguage(shop, chosen.get(it))))
    },
  }),
  cart_abandoned: condition({
    description: 'The cart is not empty and has not changed for this long.',
    fields: durationSchema,
    source: 'carts',
    messageData: 'cart',
    among: async (read, length, clientIds) =>
      clientsOf(await cart.cartsLeftBefore(read, before(read, durationMs(length)), clientIds)),
  }),
  wishlist_cheaper: condition({
    description: 'An offer on the wishlist costs this many percent less than when it was added.',
    fields: strict({ percent: integer(1, 99) }),
    source: 'wishlists',
    messageData: 'cheaper wishlist items',
    among: async (read, { percent }, clientIds) =>
      clientsOf(await cart.matchWishlists(read, clientIds, { kind: 'cheaper', percent })),
  }),
  wishlist_back_in_stock: condition({
    description: 'An offer on the wishlist that was out of stock is available again.',
    fields: strict({}),
    source: 'wishlists',
    messageData: 'available wishlist items',
    among: async (read, _fields, clientIds) =>
      clientsOf(await cart.matchWishlists(read, clientIds, { kind: 'back' })),
  }),
  ordered: condition({
    description: 'The client has placed at least this many orders.',
    fields: strict({ times: integer(1, 10_000), days: within }),
    source: 'orders',
    among: async (read, { times, days }, clientIds) =>
      clientsOf(
        (await orders.spentSince(read, clientIds, since(read, days))).filter((it) => it.orders >= times),
      ),
  }),
  spent: condition({
    description: 'The orders of the client total at least this amount.',
    fields: strict({ tiyin: integer(1, Number.MAX_SAFE_INTEGER), days: within }),
    source: 'orders',
    among: async (read, { tiyin, days }, clientIds) =>
      clientsOf(
        (await orders.spentSince(read, clientIds, since(read, days))).filter((it) => it.amountTiyin >= tiyin),
      ),
  }),
  bought: condition({
    description:
      'The client has bought this product, or a product of this category or its subcategories, of this brand or of this partner.',
    fields: Type.Object(
      {
        product: Type.Optional(idText),
        category: Type.Optional(idText),
        brand: Type.Optional(idText),
        partner: Type.Optional(idText),
        days: within,
      },
      {
        title: 'BoughtCondition',
        additionalProperties: false,
        minProperties: 2,
        maxProperties: 2,
        examples: [{ brand: '1', days: 90 }],
      },
    ),
    source: 'orders',
    among: async (read, { days, ...what }, clientIds) =>
      clientsOf(await bought(read, what, await orders.boughtSince(read, clientIds, since(read, days)))),
  }),
  sent_to: condition({
    description:
      'An order was delivered to an address that contains these words, such as a city or a street.',
    fields: strict({ words: text({ min: 2, max: 100, examples: ['Samarqand'] }), days: within }),
    source: 'orders',
    among: (read, { words, days }, clientIds) =>
      orders.clientsSentTo(read, clientIds, { words, since: since(read, days) }),
  }),
  inactive: condition({
    description:
      'For this many days the client has not ordered, changed the cart or wishlist, signed in, or viewed products.',
    fields: strict({ days: within }),
    among: async (read, { days }, clientIds) => {
      const active = new Set(await activeSince(read, since(read, days), clientIds))
      return clientIds.filter((it) => !active.has(it))
    },
  }),
}

export type ConditionKind = keyof typeof conditions
type Stated = { [K in ConditionKind]?: Static<(typeof conditions)[K]['fields']> }
/** One condition by its name; `not` negates one. */
export type Clause = Stated & { not?: Stated }
/** All conditions must hold; an empty audience is everyone who consented. */
export type Audience = readonly Clause[]

const maxClauses = 20
const stated = Object.fromEntries(
  Object.entries(conditions).map(([kind, it]) => [
    kind,
    Type.Optional(Object.assign({}, it.fields, { description: it.description })),
  ]),
)
const exactlyOne = { additionalProperties: false, ...one }

/** The wire shape, which is also the stored one. */
export const audienceSchema = Type.Array(
  Type.Unsafe<Clause>(
    Type.Object(
      {
        ...stated,
        not: Type.Optional(
          Type.Object(stated, {
            ...exactlyOne,
            title: 'AudienceCondition',
            description: 'The condition must not hold.',
          }),
        ),
      },
      { ...exactlyOne, title: 'AudienceClause' },
    ),
  ),
  {
    maxItems: maxClauses,
    description:
      'Conditions by name; all must hold. Only clients who consented to marketing over the channel are addressed; without conditions, all of them.',
    examples: [[{ bought: { category: '1', days: 90 } }, { not: { bought: { brand: '2', days: 90 } } }]],
  },
)

type What = { [thing in 'product' | 'category' | 'brand' | 'partner']?: string }

async function bought<R extends { productId: number; partnerId: number }>(
  read: Reader,
  { product, partner, category, brand }: What,
  rows: readonly R[],
): Promise<R[]> {
  if (product !== undefined) return rows.filter((it) => it.productId === Number(product))
  if (partner !== undefined) return rows.filter((it) => it.partnerId === Number(partner))
  const place = category === undefined ? { brandId: Number(brand) } : { categoryId: Number(category) }
  const there = await productsIn(read, [...new Set(rows.map((it) => it.productId))], place)
  return rows.filter((it) => there.has(it.productId))
}

async function activeSince(read: Reader, at: Date, clientIds: readonly number[]): Promise<number[]> {
  const found = await Promise.all([
    orders.spentSince(read, clientIds, at).then(clientsOf),
    cart.clientsBusySince(read, clientIds, at),
    clientsSeenSince(read, clientIds, at),
    clientsActiveSince(read, clientIds, at),
  ])
  return found.flat()
}

/** The part of a campaign that decides whom it addresses. */
type Addressed = { audience: Audience; channel: Channel }

interface ParsedCondition {
  kind: ConditionKind
  fields: never
  isNegated: boolean
}

/** The conditions of an audience, in the order in which they are evaluated. */
export function parsedConditions(audience: readonly Clause[]): ParsedCondition[] {
  const parsed = audience.map(({ not, ...stated }): ParsedCondition => {
    const [kind, fields] = Object.entries(not ?? stated)[0] as [ConditionKind, never]
    return { kind, fields, isNegated: not !== undefined }
  })
  const order = Object.keys(conditions)
  return parsed.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
}

/** Which of these clients consented and match every condition. */
export async function matchingAmong(
  read: Reader,
  { audience, channel }: Addressed,
  clientIds: readonly number[],
): Promise<number[]> {
  let left = await consentingAmong(read, channel, clientIds)
  for (const { kind, fields, isNegated } of parsedConditions(audience)) {
    if (left.length === 0) return []
    const found = new Set(await conditions[kind].among(read, fields, left))
    left = left.filter((it) => found.has(it) !== isNegated)
  }
  return left
}

/**
 * The next clients who may match, in the order of their ids, from the smallest source that contains all of them. Fewer than
 * the limit are the last ones.
 */
export function candidatesAfter(
  read: Reader,
  { audience, channel }: Addressed,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const { kind, fields } =
    parsedConditions(audience).find((it) => !it.isNegated && sourceOf(it.kind) !== undefined) ?? {}
  const source = kind && sourceOf(kind)
  return source === undefined
    ? consentingAfter(read, channel, { after, limit })
    : candidateSources[source](read, { after, limit, fields: fields! })
}

const sourceOf = (kind: ConditionKind): Source | undefined => conditions[kind].source

type PageOfClients = (
  read: Reader,
  page: { after: number; limit: number; fields: never },
) => Promise<number[]>

const candidateSources: Record<Source, PageOfClients> = {
  named: async (_read, { after, limit, fields }) =>
    [...new Set((fields as { ids: string[] }).ids.map(Number))]
      .filter((it) => it > after)
      .toSorted((a, b) => a - b)
      .slice(0, limit),
  carts: (read, { after, limit }) => cart.clientsWithCartsAfter(read, after, limit),
  wishlists: (read, { after, limit }) => cart.clientsWithWishlistsAfter(read, after, limit),
  orders: (read, { after, limit }) => orders.clientsWithOrdersAfter(read, after, limit),
}
