// The view of a cart (SPEC-2 2.2, SPEC-2 4). Money is in sums, or in the requested currency.

import { Type } from 'typebox'
import { type Currency, inCurrency } from '../../base/money.ts'
import { monthlyTiyin, type OfferDetails, offerImageUrls, validOldPrice } from '../../catalog/index.ts'
import { inLanguage, type Language } from '../../http/language.ts'
import { flag, id, instant, integer, list, named, nullable, oneOf } from '../../http/schema.ts'
import type { Line } from './cart.ts'
import { cartMessages, type Message, messagesOf, messageText } from './messages.ts'
import { judgeCart, payableTiyin } from './order-rules.ts'
import {
  isAvailable,
  isForSale,
  lineDiscountTiyin,
  maxUnits,
  type PricedCart,
  type PricedLine,
  whyUnavailable,
} from './priced-cart.ts'
import type { Violation } from './rules.ts'
import { versionOf } from './version.ts'

/** Language, currency and base URL of a view. */
export interface ViewOptions {
  language: Language
  currency: Currency
  origin: string
}

const string = Type.String()
const count = integer(0, Number.MAX_SAFE_INTEGER)
const amount = Type.Number({ minimum: 0, examples: [1_299_000] })

const imageReply = Type.Object({ LgPath: string, MdPath: string, SmPath: string })
export const messageReply = Type.Object({
  Code: Type.String({ examples: ['price_changed'] }),
  Message: string,
  Severity: oneOf(['info', 'warning']),
})

/** A promotion that an offer takes part in now. */
const eventReply = named(
  'CartEvent',
  Type.Object({
    Id: Type.String({ description: 'A UUID.', examples: ['7f0c3c1e-5a8b-4c83-9a63-0d3c1f4a2b5d'] }),
    Title: string,
    TitleUz: string,
    TitleEn: string,
    Slug: string,
  }),
)

const conditionReply = Type.Object({
  Id: id,
  Duration: count,
  Commission: count,
  EarlyCommissionPercent: integer(0, 100, {
    description: 'How much of the commission is charged for instalments that are repaid before they are due.',
  }),
  MonthlyRepayment: Type.Number({
    minimum: 0,
    description: 'For all units of the line.',
    examples: [134_230],
  }),
  EventId: nullable(integer(1, Number.MAX_SAFE_INTEGER, { description: 'The promotion that gives it.' })),
})

/** Why a line is not available; it then counts in no total, and orders leave it in the cart. */
export const unavailableReason = nullable(oneOf(['offer_unavailable', 'moderation_pending', 'out_of_stock']))

export const itemFields = {
  Title: Type.String({ examples: ['Смартфон Artel Nova, чёрный'] }),
  Price: amount,
  OldPrice: nullable(amount),
  Events: list(eventReply, 1_000),
  Quantity: integer(1, 9_999),
  Images: list(imageReply, 20),
  BnplDetails: Type.Object({ HasDailyPayment: flag, PrepaymentAmount: nullable(amount) }),
  LoanCondition: nullable(conditionReply),
  LoanConditions: Type.Array(conditionReply, {
    description:
      'The conditions that can be chosen for the line; empty when it cannot be paid in instalments.',
  }),
  PurchaseRestrictions: Type.Object({
    IsAvailable: flag,
    Reason: unavailableReason,
    AvailableQuantity: count,
    MaxQuantity: count,
    ReservedUntil: nullable(instant),
    Messages: list(messageReply, 20),
  }),
  PriceAtAdd: amount,
  DiscountAmount: Type.Number({ minimum: 0, description: 'What the coupon takes off the whole line.' }),
}

export const itemReply = named('CartItem', Type.Object({ OfferId: id, ...itemFields }))
export const moderatedFields = {
  ModeratedOfferId: id,
  ModeratedOfferUuid: nullable(string),
  ModerationStatus: nullable(oneOf(['draft', 'pending', 'approved', 'rejected'])),
}
export const moderatedItemReply = named(
  'ModeratedCartItem',
  Type.Object({ ...moderatedFields, ...itemFields }),
)

export const discountAmount = Type.Number({
  minimum: 0,
  description: 'What the coupon takes off.',
  examples: [100_000],
})
export const couponReply = nullable(
  named(
    'CartCoupon',
    Type.Object({
      Code: Type.String({ examples: ['NAVRUZ10'] }),
      IsApplied: Type.Boolean({ description: 'When false, the cart cannot be ordered with it.' }),
      Reason: nullable(Type.String({ examples: ['coupon_expired'] })),
      Message: nullable(string),
      EndsAt: nullable(instant),
    }),
  ),
)

export const cartFields = {
  CartId: nullable(Type.String({ description: 'Null before the first item.' })),
  Version: integer(0, Number.MAX_SAFE_INTEGER, {
    description:
      'For `If-Match`: another one after every change of the cart, and of a price, a promotion or the availability of a line.',
  }),
  Currency: Type.String({ examples: ['UZS'] }),
  Items: list(itemReply, 200),
  ModeratedItems: list(moderatedItemReply, 200),
  TotalAmount: Type.Number({ minimum: 0, description: 'After the discount.', examples: [1_299_000] }),
  DiscountAmount: discountAmount,
  Coupon: couponReply,
  TotalItemsCount: integer(0, Number.MAX_SAFE_INTEGER, { description: 'Units that can be bought now.' }),
  CanOrder: Type.Boolean({
    description:
      'Whether ordering the cart now by one of the available payment methods would be accepted, for `TotalAmount`.',
  }),
  AvailablePaymentMethods: list(
    Type.Object({
      Id: id,
      Code: Type.String({ examples: ['card'] }),
      Name: string,
      IsInstallment: flag,
      IsAvailable: flag,
      Reason: nullable(Type.String({ examples: ['loan_condition_required'] })),
    }),
    10,
  ),
  Messages: list(messageReply, 20),
  CreatedAt: nullable(instant),
  UpdatedAt: nullable(instant),
  ExpiresAt: nullable(instant),
}

export const cartReply = named('Cart', Type.Object(cartFields))
export const mergeReply = Type.Object({
  ...cartFields,
  Merge: list(
    Type.Object({
      OfferId: Type.Optional(id),
      ModeratedOfferId: Type.Optional(id),
      From: oneOf(['guest', 'both'], { description: 'Which carts held the line.' }),
      Kept: integer(0, 9_999, { description: 'Units that the line has now.' }),
      Dropped: integer(0, 19_998, {
        description: 'Units of the strategy that stock or limits did not allow.',
      }),
      Reason: nullable(Type.String({ description: 'Why they were dropped.', examples: ['stock_exceeded'] })),
      Messages: list(messageReply, 1),
    }),
    200,
  ),
})

export const unitsForSale = (lines: readonly PricedLine[]): number =>
  lines.filter(isAvailable).reduce((sum, { line }) => sum + line.quantity, 0)

export function cartView(priced: PricedCart, reading: ViewOptions) {
  const { cart, lines } = priced
  const verdict = judgeCart(priced)
  const { violations } = verdict
  return {
    CartId: cart?.id ?? null,
    Version: versionOf(priced),
    Currency: reading.currency.code,
    Items: lines
      .filter(({ line }) => !line.isModerated)
      .map((it) => itemView(it, priced, { ...reading, violations })),
    ModeratedItems: lines
      .filter(({ line }) => line.isModerated)
      .map((it) => moderatedItemView(it, priced, { ...reading, violations })),
    TotalAmount: inCurrency(payableTiyin(priced), reading.currency),
    DiscountAmount: inCurrency(priced.coupon?.discountTiyin ?? 0, reading.currency),
    Coupon: couponView(priced, reading),
    TotalItemsCount: unitsForSale(lines),
    CanOrder: verdict.canOrder,
    AvailablePaymentMethods: verdict.methods.map(({ method, reason }) => ({
      Id: method.id,
      Code: method.code,
      Name: method.name[reading.language],
      IsInstallment: method.isInstallment,
      IsAvailable: reason === undefined,
      Reason: reason ?? null,
    })),
    Messages: cartMessages(priced, verdict).map((it) => messageView(it, reading)),
    CreatedAt: cart?.createdAt.toISOString() ?? null,
    UpdatedAt: cart?.updatedAt.toISOString() ?? null,
    ExpiresAt: cart?.expiresAt?.toISOString() ?? null,
  }
}

export function couponView(
  { coupon }: Pick<PricedCart, 'coupon'>,
  { language }: Pick<ViewOptions, 'language'>,
) {
  if (!coupon) return null
  const { reason } = coupon
  return {
    Code: coupon.coupon.code,
    IsApplied: reason === undefined,
    Reason: reason ?? null,
    Message: reason ? messageText({ code: reason, severity: 'warning' }, language) : null,
    EndsAt: coupon.coupon.endsAt?.toISOString() ?? null,
  }
}

export const messageView = (it: Message, { language }: ViewOptions) => ({
  Code: it.code,
  Message: messageText(it, language),
  Severity: it.severity,
})

const moneyOrNull = (tiyin: number | null, { currency }: ViewOptions) =>
  tiyin === null ? null : inCurrency(tiyin, currency)

/** Of a cart that was judged: the lines show which rules they break. */
interface LineViewOptions extends ViewOptions {
  violations?: readonly Violation[]
}

const itemView = (it: PricedLine, priced: PricedCart, reading: LineViewOptions) => ({
  OfferId: it.line.offerId,
  ...lineView(it, priced, reading),
})

const moderatedItemView = (it: PricedLine, priced: PricedCart, reading: LineViewOptions) => ({
  ModeratedOfferId: it.line.offerId,
  ModeratedOfferUuid: it.offer?.moderation?.uuid ?? null,
  ModerationStatus: it.offer?.moderation?.status ?? null,
  ...lineView(it, priced, reading),
})

export function lineView(it: PricedLine, priced: PricedCart, reading: LineViewOptions) {
  const { line } = it
  const discountTiyin = lineDiscountTiyin(priced, line)
  return {
    ...offerView(it, line.priceAtAddTiyin, reading),
    Quantity: line.quantity,
    ...conditionsOf(it.offer, line, { ...reading, discountTiyin }),
    PurchaseRestrictions: {
      IsAvailable: isAvailable(it),
      Reason: whyUnavailable(it) ?? null,
      AvailableQuantity: isForSale(it.offer) ? it.availableUnits : 0,
      MaxQuantity: maxUnits(priced, it),
      ReservedUntil: line.reservedUntil?.toISOString() ?? null,
      Messages: messagesOf(it, reading.violations).map((message) => messageView(message, reading)),
    },
    PriceAtAdd: inCurrency(line.priceAtAddTiyin, reading.currency),
    DiscountAmount: inCurrency(discountTiyin, reading.currency),
  }
}

/** The offer of a line. A deleted offer is shown with its last name and the price at which it was added. */
export const offerView = (
  { offer, deleted }: Pick<PricedLine, 'offer' | 'deleted'>,
  priceAtAddTiyin: number,
  reading: ViewOptions,
) => ({
  Title: titleOf({ offer, deleted }, reading),
  Price: inCurrency(offer?.priceTiyin ?? priceAtAddTiyin, reading.currency),
  OldPrice: offer ? moneyOrNull(validOldPrice(offer.priceTiyin, offer.oldPriceTiyin), reading) : null,
  Events: (offer?.promotions ?? []).map(({ uuid, title, titleUz, titleEn, slug }) => ({
    Id: uuid,
    Title: title,
    TitleUz: titleUz,
    TitleEn: titleEn,
    Slug: slug,
  })),
  Images: imagesOf({ offer, deleted }, reading).map((it) => ({
    LgPath: it.lgPath,
    MdPath: it.mdPath,
    SmPath: it.smPath,
  })),
  BnplDetails: {
    HasDailyPayment: offer?.hasDailyPayment ?? false,
    PrepaymentAmount: moneyOrNull(offer?.prepaymentTiyin ?? null, reading),
  },
})

type ShownOffer = Pick<PricedLine, 'offer' | 'deleted'>

export function titleOf({ offer, deleted }: ShownOffer, { language }: Pick<ViewOptions, 'language'>): string {
  const named = offer ?? deleted
  return named ? inLanguage(named.name, language) : ''
}

export function imagesOf({ offer, deleted }: ShownOffer, { origin }: Pick<ViewOptions, 'origin'>) {
  const shown = offer ?? deleted
  return shown ? offerImageUrls(shown, origin) : []
}

/** The chosen loan condition of a line and all that could be chosen, with what they cost a month for all its units. */
export function conditionsOf(
  offer: OfferDetails | undefined,
  { quantity, loanConditionId }: Pick<Line, 'quantity' | 'loanConditionId'>,
  { currency, discountTiyin = 0 }: ViewOptions & { discountTiyin?: number },
) {
  const view = (it: OfferDetails['conditions'][number]) => ({
    Id: it.id,
    Duration: it.duration,
    Commission: it.commission,
    EarlyCommissionPercent: it.earlyCommissionPercent ?? 100,
    MonthlyRepayment: inCurrency(monthlyTiyin(offer!.priceTiyin * quantity - discountTiyin, it), currency),
    EventId: it.promotionId,
  })
  const chosen = offer?.conditions.find((it) => it.id === loanConditionId)
  return {
    LoanCondition: chosen ? view(chosen) : null,
    LoanConditions: offer?.partner.creditActive ? offer.conditions.map(view) : [],
  }
}
