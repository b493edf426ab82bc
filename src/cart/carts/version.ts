// The version of a cart as callers see it. The stored version counts changes of the cart itself. Prices, promotions and
// availability of its lines change without it, so a digest of them is added: `If-Match` then refuses a cart whose terms
// are not the ones that the buyer has seen. Without deviations the version is the stored one.

import { sha256 } from '../../base/random.ts'
import { keyOf, type PricedCart, type PricedLine, whyUnavailable } from './cart.ts'

/** Stored versions stay below it. */
const digestUnit = 2 ** 27
/** With it, a version has at most 15 digits, as `If-Match` accepts. */
const digests = 2 ** 22

/** `stored` is the version of the row that the caller has seen; by default that of the cart. */
export function versionOf({ cart, lines, coupon }: PricedCart, stored = cart?.version ?? 0): number {
  const terms: unknown[] = lines.flatMap(changedTerms)
  if (coupon) terms.push([coupon.coupon.id, coupon.discountTiyin, coupon.reason ?? null])
  if (terms.length === 0) return stored
  const digest = sha256(JSON.stringify(terms)).readUInt32BE()
  return stored + digestUnit * (1 + (digest % (digests - 1)))
}

/** What differs from an available line at the price at which it was added. */
function changedTerms(it: PricedLine): unknown[] {
  const { line, offer } = it
  const terms = {
    ...(offer && offer.priceTiyin !== line.priceAtAddTiyin && { priceTiyin: offer.priceTiyin }),
    ...(whyUnavailable(it) && { unavailable: whyUnavailable(it) }),
    ...(offer && line.quantity > it.availableUnits && { isShort: true }),
    ...(offer && offer.promotions.length > 0 && { promotions: offer.promotions.map(({ uuid }) => uuid) }),
    ...(offer &&
      line.loanConditionId !== null &&
      !offer.conditions.some(({ id }) => id === line.loanConditionId) && { hasNoCondition: true }),
  }
  return Object.keys(terms).length > 0 ? [[keyOf(line), terms]] : []
}
