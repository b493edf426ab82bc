// What a coupon is, when it applies and what it takes off. Pure: no clock, no SQL.

/** Why a coupon gives no discount now. */
export const couponReasons = [
  'coupon_inactive',
  'coupon_expired',
  'coupon_used_up',
  'coupon_already_used',
  'coupon_sign_in_required',
  'coupon_not_applicable',
  'coupon_amount_too_low',
] as const
export type CouponReason = (typeof couponReasons)[number]

export type Discount =
  | { kind: 'percent'; percent: number; maxTiyin: number | null }
  | { kind: 'amount'; tiyin: number }

export interface CouponTerms {
  discount: Discount
  /** What the lines that it applies to must cost at least. */
  minAmountTiyin: number
  /** It then applies only to offers of this promotion, while the promotion runs. */
  promotionId: number | null
  startsAt: Date
  endsAt: Date | null
  /** Null for no limit. */
  maxUses: number | null
  /** Null for no limit. Guests cannot use a coupon that has one: a guest's identity is free to create. */
  usesPerBuyer: number | null
  isActive: boolean
}

export interface Coupon extends CouponTerms {
  id: number
  code: string
  /** Uses that were not given back. */
  used: number
}

/** A coupon in a cart, with all that decides whether the buyer may use it. */
export interface CartCoupon extends Coupon {
  /** Why this buyer cannot use it at all now, whatever the cart holds. */
  blocked: CouponReason | null
}

/** `usedByBuyer` is null for guests. */
export function blockedReason(
  { isActive, startsAt, endsAt, maxUses, usesPerBuyer, used }: CouponTerms & { used: number },
  { usedByBuyer, now }: { usedByBuyer: number | null; now: Date },
): CouponReason | null {
  if (!isActive || startsAt > now) return 'coupon_inactive'
  if (endsAt !== null && endsAt <= now) return 'coupon_expired'
  if (usesPerBuyer !== null && usedByBuyer === null) return 'coupon_sign_in_required'
  if (usesPerBuyer !== null && usedByBuyer! >= usesPerBuyer) return 'coupon_already_used'
  return maxUses !== null && used >= maxUses ? 'coupon_used_up' : null
}

/** A line that can be ordered, as coupons see it. */
export interface DiscountableLine {
  key: string
  amountTiyin: number
  promotionIds: readonly number[]
}

export interface JudgedCoupon {
  coupon: CartCoupon
  /** Undefined when it applies. */
  reason: CouponReason | undefined
  /** What the lines that it applies to cost without it. */
  eligibleTiyin: number
  discountTiyin: number
  /** The part of each line; lines without one have no discount. */
  discounts: ReadonlyMap<string, number>
}

export function judgeCoupon(coupon: CartCoupon, lines: readonly DiscountableLine[]): JudgedCoupon {
  const { promotionId, minAmountTiyin, blocked } = coupon
  const eligible = lines.filter((it) => promotionId === null || it.promotionIds.includes(promotionId))
  const eligibleTiyin = sum(eligible.map((it) => it.amountTiyin))
  const discounts = splitDiscount(eligible, discountOf(coupon.discount, eligibleTiyin))
  const discountTiyin = sum([...discounts.values()])
  const reason =
    blocked ??
    (eligibleTiyin === 0 ? 'coupon_not_applicable' : undefined) ??
    (eligibleTiyin < minAmountTiyin || discountTiyin === 0 ? 'coupon_amount_too_low' : undefined)
  return reason
    ? { coupon, reason, eligibleTiyin, discountTiyin: 0, discounts: new Map() }
    : { coupon, reason, eligibleTiyin, discountTiyin, discounts }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, it) => all + it, 0)

/** Discounts are whole sums, so that a discount never adds a fraction to a price. */
const step = 100

/** The largest part of the price that a coupon takes off: an order of zero could never be paid. */
const maxPercent = 99

function discountOf(discount: Discount, eligibleTiyin: number): number {
  const most = shareOf(eligibleTiyin, maxPercent, 100)
  if (discount.kind === 'amount') return Math.min(discount.tiyin, most)
  return Math.min(shareOf(eligibleTiyin, discount.percent, 100), discount.maxTiyin ?? most, most)
}

/** In whole sums, rounded down. */
const shareOf = (tiyin: number, part: number, whole: number): number =>
  Number((BigInt(tiyin) * BigInt(part)) / BigInt(whole) / BigInt(step)) * step

/** Shares in proportion to the amounts; what rounding leaves goes to the most expensive line. */
function splitDiscount(lines: readonly DiscountableLine[], discountTiyin: number): Map<string, number> {
  const all = sum(lines.map((it) => it.amountTiyin))
  if (all === 0 || discountTiyin === 0 || !Number.isSafeInteger(all)) return new Map()
  const shares = new Map(lines.map((it) => [it.key, shareOf(discountTiyin, it.amountTiyin, all)]))
  const largest = lines.reduce((a, b) => (b.amountTiyin > a.amountTiyin ? b : a))
  const left = discountTiyin - sum([...shares.values()])
  const own = shares.get(largest.key)!
  shares.set(largest.key, Math.min(own + left, Math.max(own, largest.amountTiyin - step)))
  return new Map([...shares].filter(([, it]) => it > 0))
}

export const codeForm = '^\\s*[A-Za-z0-9-]{3,32}\\s*$'

/** Codes are compared without regard to case and surrounding blanks. */
export const normalCode = (code: string): string => code.trim().toUpperCase()
