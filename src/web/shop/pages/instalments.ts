// The instalment calculator of an offer: every term with its monthly payment and its charge.

import type { Offer } from '../../../sdk/index.ts'
import { html, type Html } from '../../../http/html.ts'
import { bestTerms, monthlyOf, type Plan, planOf } from '../instalment-plan.ts'
import { fill } from '../texts/index.ts'
import type { Visit } from '../visit.ts'

/** For one unit, in tiyin. */
export const offerPlan = (offer: Offer, terms: Offer['loan_conditions'][number]): Plan =>
  planOf(offer.price.amount, offer.bnpl_details.prepayment_amount?.amount ?? 0, terms)

/** The terms from which a buyer chooses. */
export const offerTerms = (offer: Offer): Offer['loan_conditions'] =>
  bestTerms(offer.loan_conditions, (it) => it)

export function instalments({ texts, format }: Visit, offer: Offer): Html | false {
  const terms = offerTerms(offer)
  if (terms.length === 0) return false
  const { prepayment_amount: prepaid } = offer.bnpl_details
  return html`<section class="instalments">
    <h2>${texts.instalments}</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">${texts.instalmentTerm}</th>
          <th scope="col">${texts.instalmentMonth}</th>
          <th scope="col">${texts.instalmentTotal}</th>
        </tr>
      </thead>
      <tbody>
        ${terms.map((it) => {
          const plan = offerPlan(offer, it)
          const charge = plan.total - offer.price.amount
          return html`<tr>
            <th scope="row">${fill(texts.months, { n: it.duration })}</th>
            <td><b>${format.about(monthlyOf(plan))}</b></td>
            <td>
              ${format.about({ amount: plan.total })}
              <small
                >${it.commission === 0 ? texts.noOverpayment : fill(texts.chargeOf, { amount: format.about({ amount: charge }) })}</small
              >
            </td>
          </tr>`
        })}
      </tbody>
    </table>
    ${prepaid !== null && html`<p class="muted">${fill(texts.prepayment, { amount: format.money(prepaid) })}</p>`}
    ${offer.bnpl_details.has_daily_payment && html`<p class="muted">${texts.dailyPayment}</p>`}
  </section>`
}
