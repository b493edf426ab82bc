// The cart: lines with what may be changed, what is wrong with them and how to solve it, and how it can be paid.

import { html, type Html } from '../../../http/html.ts'
import type { BozorError, Cart, CartItem, ModeratedCartItem } from '../../../sdk/index.ts'
import { row } from '../cards.ts'
import { couponForm } from './coupon.ts'
import { inTiyin } from '../format.ts'
import { icon } from '../icons.ts'
import { monthlyOf } from '../instalment-plan.ts'
import { page } from '../layout.ts'
import { recommended } from '../recommend.ts'
import { reasonText, violationsOf } from '../remedies.ts'
import type { Reply } from '../storefront.ts'
import { fill } from '../texts/index.ts'
import { signInAddress, type Visit } from '../visit.ts'
import { linePlan, planView, termsOf } from './line-plans.ts'

export type Line = CartItem | ModeratedCartItem

export const linesOf = (cart: Pick<Cart, 'Items' | 'ModeratedItems'>): Line[] => [
  ...cart.Items,
  ...cart.ModeratedItems,
]

/** What names the offer of a line. */
export type Offered = { OfferId: number } | { ModeratedOfferId: number }

export const lineId = (line: Offered): number => ('OfferId' in line ? line.OfferId : line.ModeratedOfferId)
export const isModeratedLine = (line: Offered): boolean => 'ModeratedOfferId' in line

export async function cartPage(visit: Visit, refused?: BozorError): Promise<Reply> {
  const { texts } = visit
  const cart = await visit.bozor.cart.get(visit.buyer)
  const lines = linesOf(cart)
  const together = await recommended(
    visit,
    lines.length > 0 ? 'cart_page' : 'main_page',
    cart.Items.map((it) => String(it.OfferId)).slice(0, 50),
  )
  const content = html`<div class="wrap">
    <h1>${texts.cart}</h1>
    ${refused && violationsOf(visit, refused)}
    ${
      lines.length === 0
        ? html`<section class="empty">
            ${icon('cart')}
            <h2>${texts.cartEmpty}</h2>
            <p>${texts.cartEmptyHint}</p>
            <a class="button brand" href="${visit.at('')}">${texts.toCatalog}</a>
          </section>`
        : html`<div class="cart">
            <section class="cart-lines">${lines.map((it) => lineView(visit, it))}</section>
            ${summary(visit, cart)} ${cart.CanOrder && goBar(visit, cart)}
          </div>`
    }
    ${row(visit, {
      title: lines.length > 0 ? texts.boughtTogether : texts.forYou,
      cards: together.slice(0, 12),
    })}
  </div>`
  return page(visit, {
    title: texts.cart,
    isPrivate: true,
    content,
    ...(refused && { status: refused.status }),
  })
}

const goBar = ({ texts, format, at }: Visit, { TotalAmount: total }: Cart): Html =>
  html`<div class="cart-bar">
    <p><small>${texts.total}</small><b>${format.sums(total)}</b></p>
    <a class="button brand" href="${at('/checkout')}">${texts.checkout}</a>
  </div>`

function lineView(visit: Visit, line: Line): Html {
  const { texts, format } = visit
  const name = visit.nameOf(line.Title)
  const { IsAvailable: isAvailable, ReservedUntil: heldUntil } = line.PurchaseRestrictions
  return html`<article class="line ${!isAvailable && 'away'}">
    <img src="${visit.picture(line.Images[0]?.SmPath ?? '')}" alt="" width="112" height="112" />
    <div class="line-main">
      <h2 class="line-name">
        ${isModeratedLine(line) ? name : html`<a href="${visit.at(`/o/${lineId(line)}`)}">${name}</a>`}
      </h2>
      ${isModeratedLine(line) && html`<span class="tag">${texts.moderated}</span>`}
      ${!isAvailable && html`<p class="away-mark">${texts.unavailable}</p>`} ${messages(visit, line)}
      ${heldUntil !== null && html`<p class="muted">${fill(texts.reservedUntil, { time: format.dateTime(heldUntil) })}</p>`}
      ${line.LoanConditions.length > 0 && isAvailable && conditionForm(visit, line, name)}
      ${planView(visit, line)}
    </div>
    <div class="line-side">
      <p class="line-price">
        <b>${format.sums(line.Price * line.Quantity)}</b>
        ${line.OldPrice !== null && html`<s>${format.sums(line.OldPrice * line.Quantity)}</s>`}
        ${
          line.PriceAtAdd !== line.Price &&
          html`<small>${fill(texts.priceWas, { amount: format.sums(line.PriceAtAdd) })}</small>`
        }
      </p>
      ${quantityForm(visit, line, name)} ${limitHint(visit, line)}
    </div>
  </article>`
}

/** The fields of a form that name the offer of a line. */
export const namedOffer = (line: Offered): Html =>
  html`<input type="hidden" name="offer" value="${lineId(line)}" />
    ${isModeratedLine(line) && html`<input type="hidden" name="moderated" value="true" />`}`

/** The buttons change by one; the field takes any number; the last button removes the line. */
function quantityForm(visit: Visit, line: Line, name: string): Html {
  const { texts } = visit
  const { MaxQuantity: most, IsAvailable: isAvailable } = line.PurchaseRestrictions
  const id = `${isModeratedLine(line) ? 'm' : 'o'}${lineId(line)}`
  return html`<form class="stepper" method="post" action="${visit.at('/cart/quantity')}" data-swap="change">
    ${namedOffer(line)}
    <button
      class="round"
      id="less-${id}"
      name="step"
      value="-1"
      aria-label="${fill(texts.less, { name })}"
      ${(line.Quantity <= 1 || !isAvailable) && html`disabled`}
    >
      −
    </button>
    <input
      type="number"
      id="units-${id}"
      name="quantity"
      value="${line.Quantity}"
      min="1"
      max="9999"
      aria-label="${texts.quantity}: ${name}"
      ${!isAvailable && html`disabled`}
    />
    <button
      class="round"
      id="more-${id}"
      name="step"
      value="1"
      aria-label="${fill(texts.more, { name })}"
      ${(line.Quantity >= most || !isAvailable) && html`disabled`}
    >
      +
    </button>
    <button
      class="round"
      formaction="${visit.at('/cart/remove')}"
      aria-label="${fill(texts.removeNamed, { name })}"
    >
      ${icon('trash')}
    </button>
  </form>`
}

/** Why one more unit cannot be added. */
function limitHint(visit: Visit, line: Line): Html | false {
  const { texts } = visit
  const { MaxQuantity: most, AvailableQuantity: left, IsAvailable: isAvailable } = line.PurchaseRestrictions
  if (!isAvailable || most < 1 || line.Quantity !== most) return false
  if (left <= most) return html`<p class="muted">${fill(texts.limitStock, { n: most })}</p>`
  return visit.clientName === undefined
    ? html`<p class="muted">
        ${fill(texts.limitGuest, { n: most })}
        <a href="${signInAddress(visit, visit.at('/cart'))}">${texts.signIn}</a>
      </p>`
    : html`<p class="muted">${fill(texts.limitClient, { n: most })}</p>`
}

const conditionForm = (visit: Visit, line: Line, name: string): Html =>
  html`<form class="condition" method="post" action="${visit.at('/cart/condition')}" data-swap="change">
    ${namedOffer(line)}
    <select name="condition" id="condition-${lineId(line)}" aria-label="${visit.texts.paidBy}: ${name}">
      <option value="">${visit.texts.payAtOnce}</option>
      ${termsOf(line).map(
        (it) =>
          html`<option value="${it.Id}" ${it.Id === line.LoanCondition?.Id && html`selected`}>
            ${fill(visit.texts.months, { n: it.Duration })}:
            ${fill(visit.texts.perMonth, { amount: visit.format.about(monthlyOf(linePlan(line, it))) })}
          </option>`,
      )}
    </select>
    <button class="button soft no-script">${visit.texts.change}</button>
  </form>`

/** What the API says about a line, with the change that solves it. */
function messages(visit: Visit, line: Line): Html {
  const { texts } = visit
  const { Messages: all, AvailableQuantity: left, IsAvailable: isAvailable } = line.PurchaseRestrictions
  const isTooMany = isAvailable && left > 0 && left < line.Quantity
  return html`${all.map(
    (it) => html`<p class="message ${it.Severity === 'warning' && 'warning'}">${visit.say(it.Message)}</p>`,
  )}
  ${
    isTooMany &&
    html`<form method="post" action="${visit.at('/cart/quantity')}" data-swap>
      ${namedOffer(line)}<input type="hidden" name="quantity" value="${left}" />
      <button class="button soft">${fill(texts.setQuantity, { n: left })}</button>
    </form>`
  }
  ${
    !isAvailable &&
    html`<p>
      <a
        class="button soft"
        href="${visit.at('/search')}?${new URLSearchParams({ q: line.Title.split(/[,(]/)[0]!.slice(0, 80) }).toString()}"
        >${texts.findSimilar}</a
      >
    </p>`
  }`
}

/** What the lines cost before the coupon and without delivery, in sums: the products of a total. */
export const priceOf = (lines: readonly Line[]): number =>
  inTiyin(lines.reduce((sum, it) => sum + it.Price * it.Quantity, 0)) / 100

/** Products and coupon add up to the total. What is saved is a note below, because the prices are lowered already. */
export function cartTotals({ texts, format }: Visit, cart: Cart): Html {
  const available = linesOf(cart).filter((it) => it.PurchaseRestrictions.IsAvailable)
  const saved = available.reduce(
    (sum, it) => sum + ((it.OldPrice ?? it.Price) - it.Price) * it.Quantity,
    cart.DiscountAmount,
  )
  return html`<dl>
      <div>
        <dt>${fill(texts.unitsCount, { n: available.reduce((sum, it) => sum + it.Quantity, 0) })}</dt>
        <dd>${format.sums(priceOf(available))}</dd>
      </div>
      ${
        cart.DiscountAmount > 0 &&
        html`<div class="deal">
          <dt>${texts.couponDiscount}</dt>
          <dd>−${format.sums(cart.DiscountAmount)}</dd>
        </div>`
      }
      <div>
        <dt>${texts.delivery}</dt>
        <dd class="muted">${texts.atCheckout}</dd>
      </div>
      <div class="total">
        <dt>${texts.total}</dt>
        <dd>${format.sums(cart.TotalAmount)}</dd>
      </div>
    </dl>
    ${saved > 0 && html`<p class="deal">${texts.youSave}: ${format.sums(saved)}</p>`}`
}

/** Signing in is all that the order needs. */
const needsSignIn = (
  { clientName }: Visit,
  { CanOrder: canOrder, AvailablePaymentMethods: methods }: Cart,
): boolean =>
  !canOrder && clientName === undefined && methods.some((it) => it.Reason === 'authorization_required')

function summary(visit: Visit, cart: Cart): Html {
  const { texts } = visit
  return html`<aside class="panel summary">
    ${cartTotals(visit, cart)} ${couponForm(visit, { coupon: cart.Coupon, action: '/cart/coupon' })}
    ${cart.Messages.map((it) => html`<p class="message ${it.Severity}">${visit.say(it.Message)}</p>`)}
    ${
      cart.CanOrder
        ? html`<a class="button brand wide" href="${visit.at('/checkout')}">${texts.checkout}</a>`
        : needsSignIn(visit, cart)
          ? html`<a class="button brand wide" href="${signInAddress(visit, visit.at('/cart'))}"
              >${texts.signInToCheckout}</a
            >`
          : html`<p class="message warning">${texts.cannotOrder}</p>`
    }
    <h2 class="small-title">${texts.paymentMethods}</h2>
    <ul class="methods">
      ${cart.AvailablePaymentMethods.map(
        (it) =>
          html`<li class="${!it.IsAvailable && 'muted'}">
            ${it.IsAvailable ? icon('check') : html`<span class="icon">—</span>`}
            <span
              >${visit.say(it.Name)}${it.Reason !== null && html`<small>${reasonText(visit, it.Reason)}</small>`}</span
            >
          </li>`,
      )}
    </ul>
    ${!visit.clientName && !needsSignIn(visit, cart) && html`<p class="muted">${texts.signInToOrder} <a href="${signInAddress(visit, visit.at('/cart'))}">${texts.signIn}</a></p>`}
    <form method="post" action="${visit.at('/shared/create')}">
      <button class="button soft wide">${icon('people')}<span>${texts.share}</span></button>
    </form>
    <form method="post" action="${visit.at('/cart/clear')}" data-swap>
      <button class="quiet-link">${texts.clearCart}</button>
    </form>
  </aside>`
}
