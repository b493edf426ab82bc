// The schema and the view of an order line.

import { Type } from 'typebox'
import { asMoney } from '../base/money.ts'
import { type LeftLine, unavailableReasons } from '../cart/index.ts'
import { inLanguage, type Language } from '../http/language.ts'
import { id, idText, integer, money, named, nullable, oneOf } from '../http/schema.ts'
import { amountOf, type OrderLine } from './order.ts'

const count = integer(0, Number.MAX_SAFE_INTEGER)
const string = Type.String()
export { money }

export const lineReply = named(
  'OrderLine',
  Type.Object({
    line: id,
    offer_id: nullable(idText),
    moderated_offer_id: nullable(idText),
    product_id: idText,
    title: string,
    quantity: integer(1, 9_999),
    unit_price: money,
    discount: money,
    total: { ...money, description: 'After the discount.' } as typeof money,
    image: nullable(Type.Object({ lg_path: string, md_path: string, sm_path: string })),
    loan_condition: nullable(
      Type.Object({ id: idText, duration: count, commission: count, early_commission_percent: count }),
    ),
  }),
)

/** A line that was left out because it cannot be bought now. */
export const skippedReply = Type.Object({
  offer_id: nullable(idText),
  moderated_offer_id: nullable(idText),
  quantity: integer(1, 9_999),
  reason: oneOf(unavailableReasons),
})

export const skippedView = (
  it: Pick<OrderLine, 'isModerated' | 'offerId' | 'quantity'>,
  reason: LeftLine['reason'],
) => ({
  offer_id: it.isModerated ? null : String(it.offerId),
  moderated_offer_id: it.isModerated ? String(it.offerId) : null,
  quantity: it.quantity,
  reason,
})

/** What a view depends on besides the order. */
export interface ViewOptions {
  language: Language
  /** Own pictures are shown under it. */
  origin: string
  unpaidOrderMinutes: number
}

/** Own pictures and pages are stored as paths. */
export const urlOf = (path: string, origin: string): string => (path.startsWith('/') ? origin + path : path)

export const lineView = (it: OrderLine, { language, origin }: ViewOptions) => ({
  line: it.number,
  offer_id: it.isModerated ? null : String(it.offerId),
  moderated_offer_id: it.isModerated ? String(it.offerId) : null,
  product_id: String(it.productId),
  title: inLanguage(it.name, language),
  quantity: it.quantity,
  unit_price: asMoney(it.priceTiyin),
  discount: asMoney(it.discountTiyin),
  total: asMoney(amountOf(it)),
  image: it.image && {
    lg_path: urlOf(it.image.lgPath, origin),
    md_path: urlOf(it.image.mdPath, origin),
    sm_path: urlOf(it.image.smPath, origin),
  },
  loan_condition: it.loan && {
    id: String(it.loan.conditionId),
    duration: it.loan.duration,
    commission: it.loan.commission,
    early_commission_percent: it.loan.earlyCommissionPercent ?? 100,
  },
})
