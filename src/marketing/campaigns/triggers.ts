// What triggers messages: a closed table. A date or a schedule addresses the whole audience at once; the other triggers
// address each client at an occasion of their own, found by scanning or received as an event.

import { hourMs } from '../../base/clock.ts'
import { type Static, type TSchema, Type } from 'typebox'
import type { Reader } from '../../base/database.ts'
import * as cart from '../../cart/index.ts'
import { idText, integer, strict, text } from '../../http/schema.ts'
import { type Duration, durationSchema, durationMs } from './audience.ts'
import { cartOccasion, type MessageDataName, type Target, wishlistOccasion } from './occasion.ts'
import { isQuartz, latestDue, nextDue } from '../../base/cron.ts'
import { instantText, isInstant } from '../../http/instant.ts'

/** One page of a scan: occasions in a period, of clients after an id. */
export interface ScanRange {
  from: Date
  until: Date
  after: number
  limit: number
}

interface TriggerRow<F extends TSchema> {
  description: string
  fields: F
  /** What the occasion adds to the message; without it the occasion cannot be over. */
  messageData?: MessageDataName
  /** For triggers that are found by scanning. */
  scan?: {
    everyMinutes: number
    page(
      read: Reader,
      fields: Static<F>,
      range: ScanRange,
    ): Promise<{ found: Target[]; next: number | undefined }>
  }
}

const triggerRow = <F extends TSchema>(row: TriggerRow<F>): TriggerRow<F> => row

export const triggers = {
  at: triggerRow({ description: 'Once, at this instant.', fields: instantText }),
  cron: triggerRow({
    description:
      'At every due time of a Quartz cron expression in the time zone of the shop: second, minute, hour, day, month, weekday (Sunday is 1). At most once an hour.',
    fields: text({ max: 100, examples: ['0 0 10 ? * 2'] }),
  }),
  cart_abandoned: triggerRow({
    description: 'When a cart has not changed for this long. Once each time it is abandoned.',
    fields: durationSchema,
    messageData: 'cart',
    scan: { everyMinutes: 5, page: scanCarts },
  }),
  wishlist_cheaper: triggerRow({
    description:
      'When an offer on the wishlist costs this many percent less than when it was added. Once per wishlist item.',
    fields: strict({ percent: integer(1, 99) }),
    messageData: 'cheaper wishlist items',
    scan: {
      everyMinutes: 15,
      page: (read, { percent }, range) => scanWishlists(read, { kind: 'cheaper', percent }, range),
    },
  }),
  wishlist_back_in_stock: triggerRow({
    description:
      'When an offer on the wishlist that was out of stock is available again. Once per wishlist item.',
    fields: strict({}),
    messageData: 'available wishlist items',
    scan: {
      everyMinutes: 15,
      page: (read, _fields, range) => scanWishlists(read, { kind: 'back' }, range),
    },
  }),
  order_delivered: triggerRow({
    description: 'This many days after an order, or its first parcel, was delivered. Once per order.',
    fields: strict({ days: integer(0, 365, { description: '0 means at once.' }) }),
    messageData: 'order',
  }),
  promotion_started: triggerRow({
    description: 'When a promotion starts: any promotion, or the given one. Addresses the whole audience.',
    fields: strict({ promotion: Type.Optional(idText) }),
    messageData: 'promotion',
  }),
}

export type TriggerKind = keyof typeof triggers
export type Trigger = { [K in TriggerKind]?: Static<(typeof triggers)[K]['fields']> }

/** Exactly one trigger; the wire shape is also the stored one. */
export const triggerSchema = Type.Unsafe<Trigger>(
  Type.Object(
    Object.fromEntries(
      Object.entries(triggers).map(([kind, it]) => [
        kind,
        Type.Optional(Object.assign({}, it.fields, { description: it.description })),
      ]),
    ),
    {
      title: 'CampaignTrigger',
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
      description: 'A date, a schedule or a trigger, by its name.',
      examples: [{ cart_abandoned: { days: 3 } }],
    },
  ),
)

/** Whether a trigger is about the start of this promotion. */
export const isAboutPromotion = ({ promotion_started: fields }: Trigger, promotionId: number): boolean =>
  fields !== undefined && (fields.promotion === undefined || Number(fields.promotion) === promotionId)

export const triggerKind = (when: Trigger): TriggerKind => Object.keys(when)[0] as TriggerKind

async function scanCarts(
  read: Reader,
  length: Duration,
  { from, until, ...page }: ScanRange,
): Promise<{ found: Target[]; next: number | undefined }> {
  const ms = durationMs(length)
  const left = await cart.cartsLeftWithin(read, { from: earlier(from, ms), until: earlier(until, ms) }, page)
  return {
    found: left.map((it) => ({ clientId: it.clientId, occasion: cartOccasion(it) })),
    next: left.length < page.limit ? undefined : left.at(-1)!.clientId,
  }
}

const earlier = (at: Date, ms: number): Date => new Date(at.getTime() - ms)

async function scanWishlists(
  read: Reader,
  turn: cart.WishlistCondition,
  { after, limit: most }: ScanRange,
): Promise<{ found: Target[]; next: number | undefined }> {
  // Each client may have hundreds of wishlist items.
  const limit = Math.ceil(most / 10)
  const clients = await cart.clientsWithWishlistsAfter(read, after, limit)
  const items = await cart.matchWishlists(read, clients, turn)
  return {
    found: items.map((it) => ({ clientId: it.clientId, occasion: wishlistOccasion(it) })),
    next: clients.length < limit ? undefined : clients.at(-1)!,
  }
}

const checkedDueTimes = 10
const beginning = new Date(0)

/** The newest due time in a period, if any: several missed ones are caught up by one. */
export function dueWithin(
  { at, cron }: Trigger,
  zone: string,
  { after, until }: { after: Date; until: Date },
): Date | undefined {
  if (cron !== undefined) return latestDue(cron, zone, { after, until })
  const date = at === undefined ? undefined : new Date(at)
  return date && date > after && date <= until ? date : undefined
}

/** The violated rule of a date or a schedule, if any. */
export function scheduleViolation({ at, cron }: Trigger, zone: string, now: Date): string | undefined {
  if (at !== undefined) return isInstant(at) ? undefined : 'format'
  if (cron === undefined) return undefined
  if (!isQuartz(cron)) return 'cron'
  if (!nextDue(cron, zone, beginning)) return 'never_due'
  return isTooOften(cron, zone, now) ? 'too_often' : undefined
}

/** Whether a date or a schedule has no due time after an instant. */
export function isPast({ at, cron }: Trigger, zone: string, now: Date): boolean {
  if (cron !== undefined) return !nextDue(cron, zone, now)
  return at !== undefined && new Date(at) <= now
}

/** Whether two of the next due times are less than an hour apart. */
function isTooOften(cron: string, zone: string, now: Date): boolean {
  let last = nextDue(cron, zone, now)
  for (let step = 0; step < checkedDueTimes && last; step++) {
    const next = nextDue(cron, zone, last)
    if (next && next.getTime() - last.getTime() < hourMs) return true
    last = next
  }
  return false
}
