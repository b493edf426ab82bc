// The view of a shared cart. Members are shown only by their public names.

import { Type } from 'typebox'
import type { Reader } from '../../base/database.ts'
import { inCurrency } from '../../base/money.ts'
import { flag, id, instant, integer, list, named, nullable } from '../../http/schema.ts'
import { priceLines } from '../carts/load-cart.ts'
import { payableTiyin } from '../carts/order-rules.ts'
import type { PricedLine } from '../carts/cart.ts'
import { itemFields, lineView, moderatedFields, type ViewOptions } from '../carts/line-wire.ts'
import { unitsForSale } from '../carts/view.ts'
import type { Shopper } from '../carts/shopper.ts'
import type { MemberAccess } from './manage-shared-cart.ts'
import { maxParticipants, maxSharedLines, nameOf, type SharedLine } from './shared-cart.ts'

/** Client id, or `guest-` and the place of the guest. */
export const memberName = Type.Unsafe<number | string>({
  type: ['integer', 'string'],
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  maxLength: 128,
  description: 'Client id, or `guest-1` for a guest.',
  examples: [42],
})

const nullableName = Type.Unsafe<number | string | null>({
  type: ['integer', 'string', 'null'],
  description: 'The member who moved it into their own cart.',
})

const token = Type.String({
  description:
    'Gives the right to join. Only the creator of an open shared cart sees it, and a replay with the same `Idempotency-Key` has null; a new one can be created at any time.',
})

const added = { AddedBy: memberName, AddedAt: instant }

export const sharedCartReply = named(
  'SharedCart',
  Type.Object({
    Id: Type.String({ examples: ['3f1c2d7e-8a41-4b6f-9c05-d2e7b8a1f604'] }),
    Title: nullable(Type.String()),
    CreatorId: memberName,
    ParticipantIds: list(memberName, maxParticipants),
    RequesterId: memberName,
    IsOpen: flag,
    TakenBy: nullableName,
    Version: integer(1, Number.MAX_SAFE_INTEGER),
    Currency: Type.String({ examples: ['UZS'] }),
    Items: list(
      named('SharedCartItem', Type.Object({ OfferId: id, ...itemFields, ...added })),
      maxSharedLines,
    ),
    ModeratedItems: list(
      named('SharedModeratedItem', Type.Object({ ...moderatedFields, ...itemFields, ...added })),
      maxSharedLines,
    ),
    TotalAmount: Type.Number({ minimum: 0 }),
    TotalItemsCount: integer(0, Number.MAX_SAFE_INTEGER),
    ExpiresAt: instant,
    CreatedAt: instant,
    UpdatedAt: instant,
    JoinToken: nullable(token),
  }),
)

interface Shown extends ViewOptions {
  held: MemberAccess
  token?: string
}

/** The cart for one of its members; `MaxQuantity` is what this member could buy. */
export async function sharedCartView(read: Reader, shopper: Shopper, shown: Shown) {
  const { cart, member } = shown.held
  const { members } = cart
  const priced = await priceLines(read, shopper, { lines: cart.lines })
  const { lines } = priced
  const nameAt = (place: number) => nameOf(members.find((it) => it.place === place)!)
  const view = (it: PricedLine) => ({
    ...lineView(it, priced, shown),
    AddedBy: nameAt((it.line as SharedLine).place),
    AddedAt: it.line.addedAt.toISOString(),
  })
  return {
    Id: cart.id,
    Title: cart.title,
    CreatorId: nameAt(0),
    ParticipantIds: members.filter((it) => it.place !== 0).map(nameOf),
    RequesterId: nameOf(member),
    IsOpen: cart.closedAt === null,
    TakenBy: cart.takenBy === null ? null : nameAt(cart.takenBy),
    Version: cart.version,
    Currency: shown.currency.code,
    Items: lines
      .filter(({ line }) => !line.isModerated)
      .map((it) => ({ OfferId: it.line.offerId, ...view(it) })),
    ModeratedItems: lines
      .filter(({ line }) => line.isModerated)
      .map((it) => ({
        ModeratedOfferId: it.line.offerId,
        ModeratedOfferUuid: it.offer?.moderation?.uuid ?? null,
        ModerationStatus: it.offer?.moderation?.status ?? null,
        ...view(it),
      })),
    TotalAmount: inCurrency(payableTiyin({ lines, coupon: null }), shown.currency),
    TotalItemsCount: unitsForSale(lines),
    ExpiresAt: cart.expiresAt.toISOString(),
    CreatedAt: cart.createdAt.toISOString(),
    UpdatedAt: cart.updatedAt.toISOString(),
    JoinToken: shown.token ?? null,
  }
}
