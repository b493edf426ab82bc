// What is shown of a cart (SPEC-2 2.2, contract 7). Money is in sums, or in the currency that was asked for.

import { Type } from 'typebox'
import { type Currency, inSums, sumTiyin, timesTiyin, uzs } from '../../base/money.ts'
import { monthlyTiyin, type OfferSheet, offerImages, validOldPrice } from '../../catalog/index.ts'
import { inLanguage, type Language } from '../../http/language.ts'
import { flag, id, instant, integer, list, named, nullable, oneOf } from '../../http/schema.ts'
import type { Basket } from '../basket.ts'
import { cartMessages, type Message, messagesOf, spoken } from '../messages.ts'
import { paymentMethods, whyNot } from '../payment-methods.ts'
import { type Entry, isForSale, mostUnits, type Purchase } from '../purchase.ts'

/** How a caller wants to read. */
export interface Reading {
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
    Slug: string,
  }),
)

export const itemFields = {
  Title: Type.String({ examples: ['Смартфон Artel Nova, чёрный'] }),
  Price: amount,
  OldPrice: nullable(amount),
  Events: list(eventReply, 1_000),
  Quantity: integer(1, 9_999),
  Images: list(imageReply, 20),
  BnplDetails: Type.Object({ HasDailyPayment: flag, PrepaymentAmount: nullable(amount) }),
  LoanCondition: nullable(
    Type.Object({
      Id: id,
      Duration: count,
      Commission: count,
      MonthlyRepayment: amount,
      EventId: nullable(integer(1, Number.MAX_SAFE_INTEGER, { description: 'The promotion that gives it.' })),
    }),
  ),
  PurchaseRestrictions: Type.Object({
    IsAvailable: flag,
    AvailableQuantity: count,
    MaxQuantity: count,
    ReservedUntil: nullable(instant),
    Messages: list(messageReply, 20),
  }),
  PriceAtAdd: amount,
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

export const cartFields = {
  CartId: nullable(Type.String({ description: 'Null before the first item.' })),
  Version: integer(0, Number.MAX_SAFE_INTEGER, { description: 'Grows with every change; for `If-Match`.' }),
  Currency: Type.String({ examples: ['UZS'] }),
  Items: list(itemReply, 200),
  ModeratedItems: list(moderatedItemReply, 200),
  TotalAmount: amount,
  TotalItemsCount: integer(0, Number.MAX_SAFE_INTEGER, { description: 'Units that can be bought now.' }),
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
      From: oneOf(['guest', 'both'], { description: 'In which carts the line was.' }),
      Kept: integer(0, 9_999, { description: 'Units that the line has now.' }),
      Dropped: integer(0, 19_998, {
        description: 'Units that the strategy wanted and the shop could not keep.',
      }),
      Reason: nullable(Type.String({ description: 'Why they were dropped.', examples: ['stock_exceeded'] })),
    }),
    200,
  ),
})

/** The amount of lines that can be bought. */
export const totalTiyin = (entries: readonly Entry[]): number =>
  sumTiyin(
    entries.map(({ line, offer }) => (isForSale(offer) ? timesTiyin(offer.priceTiyin, line.quantity) : 0)),
  )

export const unitsForSale = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { line, offer }) => sum + (isForSale(offer) ? line.quantity : 0), 0)

/** An amount in the reader's currency, with no more decimals than it has. */
export const inCurrency = (tiyin: number, { code, tiyin: unit, parts }: Currency): number =>
  code === uzs.code ? inSums(tiyin) : Math.round((tiyin * parts) / unit) / parts

export function cartView({ cart, purchase }: Basket, reading: Reading) {
  const { entries } = purchase
  return {
    CartId: cart?.id ?? null,
    Version: cart?.version ?? 0,
    Currency: reading.currency.code,
    Items: entries.filter(({ line }) => !line.isModerated).map((it) => itemView(it, purchase, reading)),
    ModeratedItems: entries
      .filter(({ line }) => line.isModerated)
      .map((it) => moderatedItemView(it, purchase, reading)),
    TotalAmount: inCurrency(totalTiyin(entries), reading.currency),
    TotalItemsCount: unitsForSale(entries),
    AvailablePaymentMethods: paymentMethods.map((method) => {
      const reason = whyNot(method, purchase)
      return {
        Id: method.id,
        Code: method.code,
        Name: method.name[reading.language],
        IsInstallment: method.isInstallment,
        IsAvailable: reason === undefined,
        Reason: reason ?? null,
      }
    }),
    Messages: cartMessages(purchase).map((it) => messageView(it, reading)),
    CreatedAt: cart?.createdAt.toISOString() ?? null,
    UpdatedAt: cart?.updatedAt.toISOString() ?? null,
    ExpiresAt: cart?.expiresAt?.toISOString() ?? null,
  }
}

export const messageView = (it: Message, { language }: Reading) => ({
  Code: it.code,
  Message: spoken(it, language),
  Severity: it.severity,
})

const moneyOrNull = (tiyin: number | null, { currency }: Reading) =>
  tiyin === null ? null : inCurrency(tiyin, currency)

const itemView = (entry: Entry, purchase: Purchase, reading: Reading) => ({
  OfferId: entry.line.offerId,
  ...lineView(entry, purchase, reading),
})

const moderatedItemView = (entry: Entry, purchase: Purchase, reading: Reading) => ({
  ModeratedOfferId: entry.line.offerId,
  ModeratedOfferUuid: entry.offer?.moderation?.uuid ?? null,
  ModerationStatus: entry.offer?.moderation?.status ?? null,
  ...lineView(entry, purchase, reading),
})

export function lineView(entry: Entry, purchase: Purchase, reading: Reading) {
  const { line } = entry
  return {
    ...offerView(entry.offer, line.priceAtAddTiyin, reading),
    Quantity: line.quantity,
    LoanCondition: conditionOf(entry.offer, line.loanConditionId, reading),
    PurchaseRestrictions: {
      IsAvailable: isForSale(entry.offer),
      AvailableQuantity: isForSale(entry.offer) ? entry.availableUnits : 0,
      MaxQuantity: mostUnits(purchase, entry),
      ReservedUntil: line.reservedUntil?.toISOString() ?? null,
      Messages: messagesOf(entry).map((it) => messageView(it, reading)),
    },
    PriceAtAdd: inCurrency(line.priceAtAddTiyin, reading.currency),
  }
}

/** An offer in a line; one that is gone for good keeps the price at which it was added. */
export const offerView = (offer: OfferSheet | undefined, priceAtAddTiyin: number, reading: Reading) => ({
  Title: offer ? inLanguage(offer.name, reading.language) : '',
  Price: inCurrency(offer?.priceTiyin ?? priceAtAddTiyin, reading.currency),
  OldPrice: offer ? moneyOrNull(validOldPrice(offer.priceTiyin, offer.oldPriceTiyin), reading) : null,
  Events: (offer?.promotions ?? []).map(({ uuid, title, titleUz, slug }) => ({
    Id: uuid,
    Title: title,
    TitleUz: titleUz,
    Slug: slug,
  })),
  Images: offer
    ? offerImages(offer, reading.origin).map((it) => ({
        LgPath: it.lgPath,
        MdPath: it.mdPath,
        SmPath: it.smPath,
      }))
    : [],
  BnplDetails: {
    HasDailyPayment: offer?.hasDailyPayment ?? false,
    PrepaymentAmount: moneyOrNull(offer?.prepaymentTiyin ?? null, reading),
  },
})

/** A condition of an offer, with what it costs a month; null when the offer does not have it. */
export function conditionOf(
  offer: OfferSheet | undefined,
  loanConditionId: number | null,
  { currency }: Reading,
) {
  const chosen = offer?.conditions.find((it) => it.id === loanConditionId)
  if (!offer || !chosen) return null
  return {
    Id: chosen.id,
    Duration: chosen.duration,
    Commission: chosen.commission,
    MonthlyRepayment: inCurrency(monthlyTiyin(offer.priceTiyin, chosen), currency),
    EventId: chosen.promotionId,
  }
}
