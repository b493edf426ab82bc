// What is shown of a shared cart: goods, and of people nothing but what they are called here.

import { Type } from 'typebox'
import type { Reader } from '../../base/db.ts'
import { flag, id, instant, integer, list, named, nullable } from '../../http/schema.ts'
import { judgedLines } from '../judge-lines.ts'
import type { Entry } from '../purchase.ts'
import {
  inCurrency,
  itemFields,
  lineView,
  moderatedFields,
  type Reading,
  totalTiyin,
  unitsForSale,
} from '../routes/cart-view.ts'
import type { Shopper } from '../shopper.ts'
import type { Held } from './hold-shared-cart.ts'
import { maxParticipants, maxSharedLines, nameOf, type SharedLine } from './shared-cart.ts'

/** A client goes by his id, a guest by the order in which he came. */
export const memberName = Type.Unsafe<number | string>({
  type: ['integer', 'string'],
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  maxLength: 128,
  description: 'A client by his id, a guest as `guest-1`.',
  examples: [42],
})

const nullableName = Type.Unsafe<number | string | null>({
  type: ['integer', 'string', 'null'],
  description: 'Who took it into his own cart.',
})

const token = Type.String({
  description:
    'Whoever has it may join. It is told to the creator alone, when it is made; a new one can be made at any time.',
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

interface Shown extends Reading {
  held: Held
  token?: string
}

/** The cart for one of its members; `MaxQuantity` is what he himself could take. */
export async function sharedCartView(read: Reader, shopper: Shopper, shown: Shown) {
  const { cart, member } = shown.held
  const { members } = cart
  const purchase = await judgedLines(read, shopper, { lines: cart.lines })
  const { entries } = purchase
  const nameAt = (place: number) => nameOf(members.find((it) => it.place === place)!)
  const view = (entry: Entry) => ({
    ...lineView(entry, purchase, shown),
    AddedBy: nameAt((entry.line as SharedLine).place),
    AddedAt: entry.line.addedAt.toISOString(),
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
    Items: entries
      .filter(({ line }) => !line.isModerated)
      .map((it) => ({ OfferId: it.line.offerId, ...view(it) })),
    ModeratedItems: entries
      .filter(({ line }) => line.isModerated)
      .map((it) => ({
        ModeratedOfferId: it.line.offerId,
        ModeratedOfferUuid: it.offer?.moderation?.uuid ?? null,
        ModerationStatus: it.offer?.moderation?.status ?? null,
        ...view(it),
      })),
    TotalAmount: inCurrency(totalTiyin(entries), shown.currency),
    TotalItemsCount: unitsForSale(entries),
    ExpiresAt: cart.expiresAt.toISOString(),
    CreatedAt: cart.createdAt.toISOString(),
    UpdatedAt: cart.updatedAt.toISOString(),
    JoinToken: shown.token ?? null,
  }
}
