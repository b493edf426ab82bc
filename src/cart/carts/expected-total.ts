import type { Currency } from '../../base/money.ts'
import { refuse } from '../../base/refusal.ts'
import { isAvailable, type PricedCart, type PricedLine, whyUnavailable } from './priced-cart.ts'
import { named } from './rules.ts'
import { inCurrency, payableTiyin } from './view.ts'

/** The total that the buyer has agreed to, in the currency in which the cart was shown. */
export interface ExpectedTotal {
  amount: number
  currency: Currency
}

/** Refuses with `price_changed` when ordering these lines would charge another total than the expected one. */
export function requireTotal(
  priced: Pick<PricedCart, 'lines' | 'coupon'>,
  expected: ExpectedTotal | undefined,
  deliveryTiyin: number,
): void {
  if (!expected) return
  const { amount, currency } = expected
  const { lines, coupon } = priced
  const actual = inCurrency(payableTiyin(priced) + deliveryTiyin, currency)
  const isSame = Math.round(amount * currency.parts) === Math.round(actual * currency.parts)
  if (isSame) return
  // The lines that explain the difference; when none does, quantities or lines have changed: all of them.
  const changed = lines.filter((it) => !isAvailable(it) || it.offer.priceTiyin !== it.line.priceAtAddTiyin)
  throw refuse('price_changed', {
    expected: amount,
    actual,
    currency: currency.code,
    delivery: inCurrency(deliveryTiyin, currency),
    ...(coupon && { discount: inCurrency(coupon.discountTiyin, currency) }),
    lines: (changed.length > 0 ? changed : lines).map((it) => lineOf(it, currency)),
  })
}

function lineOf(it: PricedLine, currency: Currency) {
  const { line, offer } = it
  const priceTiyin = offer?.priceTiyin ?? line.priceAtAddTiyin
  return {
    ...named(line),
    quantity: line.quantity,
    price_at_add: inCurrency(line.priceAtAddTiyin, currency),
    price: inCurrency(priceTiyin, currency),
    amount: isAvailable(it) ? inCurrency(priceTiyin * line.quantity, currency) : 0,
    reason: whyUnavailable(it) ?? null,
  }
}
