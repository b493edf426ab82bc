// The field for a promotion code, in the cart and in the mini-app.

import { html, type Html } from '../../../http/html.ts'
import type { CartCoupon } from '../../../sdk/index.ts'
import { icon } from '../icons.ts'
import type { Visit } from '../visit.ts'

/** The coupon of the cart, or the field for one. */
export function couponForm(
  visit: Visit,
  { coupon, action }: { coupon: CartCoupon | null; action: string },
): Html {
  const { texts } = visit
  if (coupon)
    return html`<form class="coupon" method="post" action="${visit.at(`${action}/remove`)}" data-swap>
      <span class="coupon-code ${!coupon.IsApplied && 'away'}">${icon('check')}${coupon.Code}</span>
      <button class="quiet-link">${texts.remove}</button>
    </form>`
  return html`<form class="coupon" method="post" action="${visit.at(action)}" data-swap>
    <label class="hidden-title" for="coupon">${texts.coupon}</label>
    <input
      id="coupon"
      type="text"
      name="code"
      placeholder="${texts.coupon}"
      value="${visit.form['code'] ?? ''}"
      autocomplete="off"
      autocapitalize="characters"
      spellcheck="false"
      maxlength="40"
      required
    />
    <button class="button soft">${texts.couponApply}</button>
  </form>`
}
