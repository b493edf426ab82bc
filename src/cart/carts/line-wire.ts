// A line in bodies and replies, in the spelling of the cart's API (`LoanConditionId`) and of `/v1` (`product_id`).

import { type TSchema, Type } from 'typebox'
import { asMoney, type Currency, inCurrency, shownTiyin } from '../../base/money.ts'
import {
  financedTiyin,
  monthlyTiyin,
  type OfferDetails,
  offerImageUrls,
  openConditions,
  validOldPrice,
} from '../../catalog/index.ts'
import { inLanguage, type Language } from '../../http/language.ts'
import { flag, id, idText, instant, integer, list, named, nullable, oneOf } from '../../http/schema.ts'
import {
  type AddItem,
  isAvailable,
  isForSale,
  type Line,
  type LineChange,
  lineDiscountTiyin,
  maxUnits,
  type PricedCart,
  type PricedLine,
  unavailableReasons,
  whyUnavailable,
} from './cart.ts'
import { type Message, messageCodes, messagesOf, messageText } from './messages.ts'
import { quantity } from './request.ts'
import type { Violation } from './rules.ts'

/** Language, currency and base URL of a view. */
export interface ViewOptions {
  language: Language
  currency: Currency
  origin: string
}

/** All fields of bodies that add or change an item. The schema of each route ensures that the fields it reads are present. */
export interface LineBody {
  Quantity: number
  NewQuantity: number
  LoanConditionId?: number | null
}

/** Units and choices to add to a line. */
type Added = Omit<AddItem, 'isModerated' | 'offerId'>

/** In bodies that add an item; the mini-app has the same. */
export const addFields = { Quantity: quantity, LoanConditionId: Type.Optional(id) }

export const addedIn = (body: Omit<LineBody, 'NewQuantity'>): Added => ({
  quantity: body.Quantity,
  loanConditionId: body.LoanConditionId,
})

interface ChangeRoute {
  /** The last part of the path. */
  path: string
  words: string
  description?: string
  fields: Record<string, TSchema>
  changeIn(body: LineBody): LineChange
}

/** The calls that change one field of a line. */
export const changeRoutes: ChangeRoute[] = [
  {
    path: 'quantity',
    words: 'the quantity',
    fields: { NewQuantity: quantity },
    changeIn: ({ NewQuantity }) => ({ quantity: NewQuantity }),
  },
  {
    path: 'condition',
    words: 'the loan condition',
    description: 'A condition that the offer has, or null to clear it.',
    fields: { LoanConditionId: nullable(id) },
    changeIn: ({ LoanConditionId = null }) => ({ loanConditionId: LoanConditionId }),
  },
]

const string = Type.String()
const count = integer(0, Number.MAX_SAFE_INTEGER)
const amount = Type.Number({ minimum: 0, examples: [1_299_000] })

const imageReply = named('CartImage', Type.Object({ LgPath: string, MdPath: string, SmPath: string }))
export const messageReply = named(
  'CartMessage',
  Type.Object({
    Code: oneOf(messageCodes),
    Message: string,
    Severity: oneOf(['info', 'warning']),
  }),
)

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

const conditionReply = named(
  'CartLoanCondition',
  Type.Object({
    Id: id,
    Duration: count,
    Commission: count,
    EarlyCommissionPercent: integer(0, 100, {
      description:
        'How much of the commission is charged for instalments that are repaid before they are due.',
    }),
    MonthlyRepayment: Type.Number({
      minimum: 0,
      description: 'For all units of the line, of what their down payment (`PrepaymentAmount`) leaves.',
      examples: [134_230],
    }),
    EventId: nullable(integer(1, Number.MAX_SAFE_INTEGER, { description: 'The promotion that gives it.' })),
  }),
)

/** Why a line is not available; it then counts in no total, and orders leave it in the cart. */
export const unavailableReason = nullable(oneOf(unavailableReasons))

const titleAndPrice = {
  Title: Type.String({ examples: ['Смартфон Artel Nova, чёрный'] }),
  Price: amount,
  OldPrice: nullable(amount),
  Events: list(eventReply, 1_000),
}

const terms = {
  Images: list(imageReply, 20),
  BnplDetails: Type.Object({
    HasDailyPayment: flag,
    PrepaymentAmount: nullable({ ...amount, description: 'The down payment of one unit.' } as typeof amount),
  }),
  LoanCondition: nullable(conditionReply),
  LoanConditions: Type.Array(conditionReply, {
    description:
      'The conditions that can be chosen for the line; empty when it cannot be paid in instalments.',
  }),
  PurchaseRestrictions: named(
    'PurchaseRestrictions',
    Type.Object({
      IsAvailable: flag,
      Reason: unavailableReason,
      AvailableQuantity: count,
      MaxQuantity: count,
      ReservedUntil: nullable(instant),
      Messages: list(messageReply, 20),
    }),
  ),
  PriceAtAdd: amount,
}

/** What a wishlist shows of an offer too. */
export const shownOfferFields = { ...titleAndPrice, ...terms }

export const itemFields = {
  ...titleAndPrice,
  Quantity: integer(1, 9_999),
  ...terms,
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

export const messageView = (it: Message, { language }: ViewOptions) => ({
  Code: it.code,
  Message: messageText(it, language),
  Severity: it.severity,
})

const moneyOrNull = (tiyin: number | null, { currency }: ViewOptions) =>
  tiyin === null ? null : inCurrency(tiyin, currency)

/** `violations` are the broken rules of the cart: each line shows its own. */
interface LineViewOptions extends ViewOptions {
  violations?: readonly Violation[]
}

export const itemView = (it: PricedLine, priced: PricedCart, reading: LineViewOptions) => ({
  OfferId: it.line.offerId,
  ...lineView(it, priced, reading),
})

export const moderatedItemView = (it: PricedLine, priced: PricedCart, reading: LineViewOptions) => ({
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
  const financed = offer
    ? financedTiyin(offer.priceTiyin * quantity - discountTiyin, (offer.prepaymentTiyin ?? 0) * quantity)
    : 0
  const view = (it: OfferDetails['conditions'][number]) => ({
    Id: it.id,
    Duration: it.duration,
    Commission: it.commission,
    EarlyCommissionPercent: it.earlyCommissionPercent ?? 100,
    MonthlyRepayment: inCurrency(monthlyTiyin(financed, it), currency),
    EventId: it.promotionId,
  })
  const chosen = offer?.conditions.find((it) => it.id === loanConditionId)
  return {
    LoanCondition: chosen ? view(chosen) : null,
    LoanConditions: offer ? openConditions(offer).map(view) : [],
  }
}

/** In bodies that add a product to a cart by `/v1`. */
export const addFieldsV1 = {
  product_id: idText,
  variant_id: Type.Optional(nullable(idText)),
  quantity,
}

export const addedInV1 = (body: { quantity: number }): Added => ({ quantity: body.quantity })

export const moneyV1 = Type.Object({
  amount: integer(0, Number.MAX_SAFE_INTEGER),
  currency: Type.String({ examples: ['UZS'] }),
})

export const itemFieldsV1 = {
  product_id: nullable(idText),
  variant_id: nullable(idText),
  quantity: integer(1, 9_999),
  unit_price: moneyV1,
  total: moneyV1,
  is_available: flag,
  reason: unavailableReason,
}

export function lineViewV1(it: PricedLine, currency: Currency) {
  const { line, offer } = it
  const known = offer ?? it.deleted
  const unit = offer?.priceTiyin ?? line.priceAtAddTiyin
  return {
    product_id: known ? String(known.productId) : null,
    variant_id: known && known.variantId !== null ? String(known.variantId) : null,
    quantity: line.quantity,
    unit_price: asMoney(unit, currency),
    total: asMoney(shownTiyin(unit * line.quantity), currency),
    is_available: isAvailable(it),
    reason: whyUnavailable(it) ?? null,
  }
}
