// The instalment plans of chosen lines: of one line in the cart, of all lines at checkout.

import { html, type Html } from '../../../http/html.ts'
import type { CartItem, ModeratedCartItem } from '../../../sdk/index.ts'
import { inTiyin } from '../format.ts'
import {
  bestTerms,
  jointPlan,
  type JointPlan,
  monthsText,
  type Plan,
  planOf,
  smallerParts,
} from '../instalment-plan.ts'
import { fill } from '../texts/index.ts'
import type { Visit } from '../visit.ts'

type Line = CartItem | ModeratedCartItem

/** The chosen term stays among them. */
export const termsOf = ({ LoanConditions: terms, LoanCondition: chosen }: Line): Line['LoanConditions'] => {
  const best = bestTerms(terms, ({ Duration: duration, Commission: commission }) => ({
    duration,
    commission,
  }))
  return chosen && !best.some((it) => it.Id === chosen.Id)
    ? [...best, ...terms.filter((it) => it.Id === chosen.Id)].toSorted((a, b) => a.Duration - b.Duration)
    : best
}

/** The plan of the chosen term; undefined for a line that is paid at once. */
export const chosenPlan = (line: Line): Plan | undefined =>
  line.LoanCondition ? linePlan(line, line.LoanCondition) : undefined

/** What the chosen term costs: now, each month, and in total. */
export function planView({ texts, format }: Visit, line: Line): Html | false {
  const plan = chosenPlan(line)
  if (!plan) return false
  const charge = plan.total - inTiyin(line.Price * line.Quantity - line.DiscountAmount)
  const [smaller] = smallerParts(plan)
  const rest = smaller && fill(texts.planSmaller, { n: smaller.count, amount: format.money(smaller) })
  return html`<dl class="repayment">
    ${plan.prepaid > 0 && planRow(texts.planNow, format.money({ amount: plan.prepaid }))}
    ${plan.parts.length > 0 && planRow(texts.instalmentMonth, html`<b>${monthsText(format, plan)}</b>`, rest)}
    ${planRow(texts.instalmentTotal, format.money({ amount: plan.total }), charge > 0 ? fill(texts.chargeOf, { amount: format.money({ amount: charge }) }) : texts.noOverpayment)}
  </dl>`
}

const planRow = (name: string, value: string | Html, note?: string): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}${note !== undefined && html` <small>${note}</small>`}</dd>
  </div>`

export const linePlan = (
  line: Line,
  { Duration: duration, Commission: commission }: Line['LoanConditions'][number],
): Plan =>
  planOf(
    inTiyin(line.Price * line.Quantity - line.DiscountAmount),
    inTiyin((line.BnplDetails.PrepaymentAmount ?? 0) * line.Quantity),
    { duration, commission },
  )

/** For the list of lines: the payments alone. */
export const lineMonths = ({ texts, format }: Visit, plan: Plan | undefined): Html | false =>
  plan !== undefined &&
  plan.parts.length > 0 &&
  html`<small class="repayment">${fill(texts.repayment, { months: monthsText(format, plan) })}</small>`

/** The plan of an order; undefined if a line has no term, or if its coupon gives another discount than in the cart. */
export function orderPlan(
  chosen: readonly Line[],
  { price, discount }: { price: number; discount: number },
): JointPlan | undefined {
  const plans = chosen.map(chosenPlan).filter((it) => it !== undefined)
  const inCart = chosen.reduce((sum, it) => sum + inTiyin(it.DiscountAmount), 0)
  if (plans.length === 0 || plans.length < chosen.length || inCart !== inTiyin(discount)) return undefined
  const { prepaid, months, total } = jointPlan(plans)
  // The delivery is paid at once and has no charge.
  return { prepaid: prepaid + inTiyin(price), months, total: total + inTiyin(price) }
}

/** Shown while a method with instalments is chosen. */
export function planTotals({ texts, format }: Visit, plan: JointPlan, total: number): Html {
  const charge = plan.total - inTiyin(total)
  return html`<dl class="plan-totals">
    ${
      plan.prepaid > 0 &&
      html`<div>
        <dt>${texts.planNow}</dt>
        <dd>${format.money({ amount: plan.prepaid })}</dd>
      </div>`
    }
    ${plan.months.map(
      (it) =>
        html`<div class="monthly-row">
          <dt>${texts.instalmentMonth}</dt>
          <dd>${it.count}&nbsp;× ${format.money(it)}</dd>
        </div>`,
    )}
    <div>
      <dt>${texts.overpayment}</dt>
      <dd>${charge > 0 ? format.money({ amount: charge }) : texts.noOverpayment}</dd>
    </div>
    <div class="total">
      <dt>${texts.planTotal}</dt>
      <dd>${format.money({ amount: plan.total })}</dd>
    </div>
  </dl>`
}

/** The amount that is paid in the end: with instalments another one. */
export function orderText({ texts, format }: Visit, total: number, plan: JointPlan | undefined): Html {
  const atOnce = fill(texts.placeOrder, { amount: format.sums(total) })
  if (!plan) return html`${atOnce}`
  const repaid = fill(texts.placeOrder, { amount: format.money({ amount: plan.total }) })
  return html`<span class="paid-at-once">${atOnce}</span><span class="paid-monthly">${repaid}</span>`
}
