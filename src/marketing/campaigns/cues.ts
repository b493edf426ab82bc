// What sets a message off: a closed table. A date or a schedule reaches the whole audience at once; a trigger reaches
// each of them at an occasion of his own, found by looking again and again or heard as a fact.

import { type Static, type TSchema, Type } from 'typebox'
import type { Reader } from '../../base/db.ts'
import * as cart from '../../cart/index.ts'
import { idText, instant, integer, strict, text } from '../../http/schema.ts'
import { type LengthOfTime, lengthOfTime, msOf } from './conditions.ts'
import type { TellingName } from './tellings.ts'

/** Somebody's occasion: what happened, under a name that it keeps. */
export interface Found {
  clientId: number
  occasion: string
}

/** A part of a search for occasions: what came to pass in a period, with clients beyond one. */
export interface Stretch {
  from: Date
  until: Date
  after: number
  limit: number
}

interface Cue<F extends TSchema> {
  meaning: string
  fields: F
  /** What the occasion has to tell; without it there is nothing that could be over. */
  telling?: TellingName
  /** For those that must be looked for. */
  watch?: {
    everyMinutes: number
    look(
      read: Reader,
      fields: Static<F>,
      stretch: Stretch,
    ): Promise<{ found: Found[]; next: number | undefined }>
  }
}

const cue = <F extends TSchema>(row: Cue<F>): Cue<F> => row

export const cues = {
  at: cue({ meaning: 'Once, at this instant.', fields: instant }),
  cron: cue({
    meaning:
      'At every due time of a Quartz cron in the shop’s zone: second, minute, hour, day, month, weekday (Sunday is 1). At most once an hour.',
    fields: text({ max: 100, examples: ['0 0 10 ? * 2'] }),
  }),
  cart_abandoned: cue({
    meaning: 'When a cart has stayed as it is for so long. Once for every time that it is left.',
    fields: lengthOfTime,
    telling: 'cart',
    watch: { everyMinutes: 5, look: lookForCarts },
  }),
  wish_cheaper: cue({
    meaning: 'When something on the wishlist costs so many percent less than at the wish. Once a wish.',
    fields: strict({ percent: integer(1, 99) }),
    telling: 'cheaper wishes',
    watch: {
      everyMinutes: 15,
      look: (read, { percent }, stretch) => lookForWishes(read, { kind: 'cheaper', percent }, stretch),
    },
  }),
  wish_back_in_stock: cue({
    meaning: 'When something on the wishlist that could not be had can be had again. Once a wish.',
    fields: strict({}),
    telling: 'wishes in stock',
    watch: {
      everyMinutes: 15,
      look: (read, _fields, stretch) => lookForWishes(read, { kind: 'back' }, stretch),
    },
  }),
  order_delivered: cue({
    meaning: 'So many days after an order, or its first parcel, has arrived. Once an order.',
    fields: strict({ days: integer(0, 365, { description: '0 is at once.' }) }),
    telling: 'order',
  }),
  promotion_started: cue({
    meaning: 'When a promotion starts: any, or the one that is named. It reaches the whole audience.',
    fields: strict({ promotion: Type.Optional(idText) }),
    telling: 'promotion',
  }),
}

export type CueKind = keyof typeof cues
export type When = { [K in CueKind]?: Static<(typeof cues)[K]['fields']> }

/** Exactly one cue, on the wire as it is kept. */
export const whenShape = Type.Unsafe<When>(
  Type.Object(
    Object.fromEntries(
      Object.entries(cues).map(([kind, it]) => [
        kind,
        Type.Optional(Object.assign({}, it.fields, { description: it.meaning })),
      ]),
    ),
    {
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
      description: 'A date, a schedule or a trigger, by its name.',
      examples: [{ cart_abandoned: { days: 3 } }],
    },
  ),
)

export const cueOf = (when: When): CueKind => Object.keys(when)[0] as CueKind

async function lookForCarts(
  read: Reader,
  length: LengthOfTime,
  { from, until, ...page }: Stretch,
): Promise<{ found: Found[]; next: number | undefined }> {
  const ms = msOf(length)
  const left = await cart.cartsLeftWithin(read, { from: earlier(from, ms), until: earlier(until, ms) }, page)
  return {
    found: left.map((it) => ({ clientId: it.clientId, occasion: cartOccasion(it) })),
    next: left.length < page.limit ? undefined : left.at(-1)!.clientId,
  }
}

const earlier = (at: Date, ms: number): Date => new Date(at.getTime() - ms)

/** A cart that is touched and left again is another occasion. */
export const cartOccasion = ({ cartId, changedAt }: Pick<cart.LeftCart, 'cartId' | 'changedAt'>): string =>
  `cart/${cartId}/${changedAt.getTime()}`

async function lookForWishes(
  read: Reader,
  turn: cart.Turn,
  { after, limit: most }: Stretch,
): Promise<{ found: Found[]; next: number | undefined }> {
  // Each may have hundreds of wishes.
  const limit = Math.ceil(most / 10)
  const clients = await cart.clientsWithWishlistsAfter(read, after, limit)
  const wishes = await cart.wishesComeTrue(read, clients, turn)
  return {
    found: wishes.map((it) => ({ clientId: it.clientId, occasion: wishOccasion(it) })),
    next: clients.length < limit ? undefined : clients.at(-1)!,
  }
}

/** An offer that is wished for again is another wish. */
export const wishOccasion = (wish: cart.TrueWish): string =>
  `wish/${cart.keyOf(wish)}/${wish.addedAt.getTime()}`

export const orderOccasion = (orderId: number | ''): string => `order/${orderId}`
export const dueOccasion = (due: Date): string => `due/${due.toISOString()}`

/** A promotion that is moved and starts once more is another occasion. */
export const promotionOccasion = (promotionId: number, startsAt: Date): string =>
  `promotion/${promotionId}/${startsAt.getTime()}`
