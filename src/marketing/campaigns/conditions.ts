// Whom a campaign may be meant for: a closed table of conditions. Each says what it asks of a client, and finds among
// some clients those who meet it, by one question to the module that knows.

import { type Static, type TSchema, Type } from 'typebox'
import type { Reader } from '../../base/db.ts'
import * as cart from '../../cart/index.ts'
import { productsIn } from '../../catalog/index.ts'
import { languages } from '../../http/language.ts'
import { idText, integer, oneOf, strict, text } from '../../http/schema.ts'
import { clientsSeenSince } from '../../identity/index.ts'
import * as orders from '../../orders/index.ts'
import { languagesOf } from '../store/languages.ts'
import { clientsActiveSince } from '../store/activity.ts'
import type { TellingName } from './tellings.ts'

interface Condition<F extends TSchema> {
  meaning: string
  fields: F
  /** Who may meet it at all, if that is known to be few: there the search begins. */
  source?: Source
  /** What can be told of whoever meets it. */
  telling?: TellingName
  among(read: Reader, fields: Static<F>, clientIds: readonly number[]): Promise<Iterable<number>>
}

/** Where clients can be walked along in the order of their ids. */
export type Source = 'named' | 'carts' | 'wishlists' | 'orders'

const condition = <F extends TSchema>(row: Condition<F>): Condition<F> => row

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const longestDays = 3_650
const mostNamed = 1_000
/** Of whoever has chosen none. */
const shopsLanguage = 'ru'

const within = integer(1, longestDays, { description: 'Of the last so many days.' })
const one = { minProperties: 1, maxProperties: 1 }

/** For how long a cart has stayed as it is. */
export const lengthOfTime = Type.Object(
  { days: Type.Optional(integer(1, 90)), hours: Type.Optional(integer(1, 2_160)) },
  { additionalProperties: false, ...one, examples: [{ days: 3 }] },
)
export type LengthOfTime = Static<typeof lengthOfTime>
export const msOf = ({ days = 0, hours = 0 }: LengthOfTime): number => days * dayMs + hours * hourMs

export const before = (read: Reader, ms: number): Date => new Date(read.now.getTime() - ms)
const since = (read: Reader, days: number): Date => before(read, days * dayMs)
const clientsOf = (rows: readonly { clientId: number }[]): number[] => rows.map((it) => it.clientId)

/** In the order in which they are asked: what leaves few clients over, or costs little, stands first. */
export const conditions = {
  clients: condition({
    meaning: 'He is one of these clients.',
    fields: strict({ ids: Type.Array(idText, { minItems: 1, maxItems: mostNamed }) }),
    source: 'named',
    among: async (_read, { ids }, clientIds) => {
      const named = new Set(ids.map(Number))
      return clientIds.filter((it) => named.has(it))
    },
  }),
  language: condition({
    meaning: 'He is written to in one of these languages.',
    fields: strict({ is: Type.Array(oneOf(languages), { minItems: 1, maxItems: languages.length }) }),
    among: async (read, { is }, clientIds) => {
      const chosen = await languagesOf(read, clientIds)
      return clientIds.filter((it) => is.includes(chosen.get(it) ?? shopsLanguage))
    },
  }),
  cart_abandoned: condition({
    meaning: 'His cart holds something and has stayed as it is for so long.',
    fields: lengthOfTime,
    source: 'carts',
    telling: 'cart',
    among: async (read, length, clientIds) =>
      clientsOf(await cart.cartsLeftBefore(read, before(read, msOf(length)), clientIds)),
  }),
  wish_cheaper: condition({
    meaning: 'Something on his wishlist costs so many percent less than when he wished for it.',
    fields: strict({ percent: integer(1, 99) }),
    source: 'wishlists',
    telling: 'cheaper wishes',
    among: async (read, { percent }, clientIds) =>
      clientsOf(await cart.wishesComeTrue(read, clientIds, { kind: 'cheaper', percent })),
  }),
  wish_back_in_stock: condition({
    meaning: 'Something on his wishlist that could not be had can be had again.',
    fields: strict({}),
    source: 'wishlists',
    telling: 'wishes in stock',
    among: async (read, _fields, clientIds) =>
      clientsOf(await cart.wishesComeTrue(read, clientIds, { kind: 'back' })),
  }),
  ordered: condition({
    meaning: 'He has ordered at least so many times.',
    fields: strict({ times: integer(1, 10_000), days: within }),
    source: 'orders',
    among: async (read, { times, days }, clientIds) =>
      clientsOf(
        (await orders.spentSince(read, clientIds, since(read, days))).filter((it) => it.orders >= times),
      ),
  }),
  spent: condition({
    meaning: 'His orders come to at least so much.',
    fields: strict({ tiyin: integer(1, Number.MAX_SAFE_INTEGER), days: within }),
    source: 'orders',
    among: async (read, { tiyin, days }, clientIds) =>
      clientsOf(
        (await orders.spentSince(read, clientIds, since(read, days))).filter((it) => it.amountTiyin >= tiyin),
      ),
  }),
  bought: condition({
    meaning:
      'He has bought this product, or something of this category or below it, this brand or this partner.',
    fields: Type.Object(
      {
        product: Type.Optional(idText),
        category: Type.Optional(idText),
        brand: Type.Optional(idText),
        partner: Type.Optional(idText),
        days: within,
      },
      {
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
    meaning: 'Something was sent to him to an address with these words: a city, a street.',
    fields: strict({ words: text({ min: 2, max: 100, examples: ['Samarqand'] }), days: within }),
    source: 'orders',
    among: (read, { words, days }, clientIds) =>
      orders.clientsSentTo(read, clientIds, { words, since: since(read, days) }),
  }),
  inactive: condition({
    meaning:
      'For so many days he has neither ordered, nor touched his cart or wishlist, nor signed in, nor been seen looking around.',
    fields: strict({ days: within }),
    among: async (read, { days }, clientIds) => {
      const active = new Set(await activeSince(read, since(read, days), clientIds))
      return clientIds.filter((it) => !active.has(it))
    },
  }),
}

export type ConditionKind = keyof typeof conditions
type Stated = { [K in ConditionKind]?: Static<(typeof conditions)[K]['fields']> }
/** One condition by its name; `not` turns one round. */
export type Clause = Stated & { not?: Stated }
/** All of these must hold; without any, everybody is meant who agreed to be written to. */
export type Audience = readonly Clause[]

const mostClauses = 20
const stated = Object.fromEntries(
  Object.entries(conditions).map(([kind, it]) => [
    kind,
    Type.Optional(Object.assign({}, it.fields, { description: it.meaning })),
  ]),
)
const exactlyOne = { additionalProperties: false, ...one }

/** The shape of an audience on the wire, where it is written as it is kept. */
export const audienceShape = Type.Array(
  Type.Unsafe<Clause>(
    Type.Object(
      {
        ...stated,
        not: Type.Optional(
          Type.Object(stated, { ...exactlyOne, description: 'The condition must not hold.' }),
        ),
      },
      exactlyOne,
    ),
  ),
  {
    maxItems: mostClauses,
    description:
      'Conditions that must all hold, each by its name. Whoever has not agreed to be written to over the channel is never meant; without any condition, everybody else is.',
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
