// Refusals of the API in front of a visitor: the message, and for every broken rule the remedy that the API gives.

import { html, type Html } from '../../http/html.ts'
import type { BozorError, Violation } from '../../sdk/index.ts'
import { fill } from './texts/index.ts'
import { signInAddress, type Visit } from './visit.ts'

interface Remedy {
  action: string
  quantity?: number
}

/** The page whose forms carry the remedies out: the visitor stays in the mini-app. */
type Place = '/cart' | '/mini'

export function violationsOf(visit: Visit, error: BozorError, place: Place = '/cart'): Html {
  const remedies = new Map(error.violations.map((it) => [JSON.stringify([it['offer_id'], it['remedy']]), it]))
  return html`<section class="alert" role="alert">
    ${plainReasons(error).map((it) => html`<p><b>${visit.say(it)}</b></p>`)}
    <div class="alert-actions">${[...remedies.values()].map((it) => remedyOf(visit, it, place))}</div>
  </section>`
}

/** Without the names of the API's fields, which a visitor does not know. */
export const plainReasons = (error: BozorError): string[] => {
  const reasons = [...fieldProblems(error).values()].map((it) => it.charAt(0).toUpperCase() + it.slice(1))
  return reasons.length > 0 ? reasons : [error.message]
}

function remedyOf(visit: Visit, violation: Violation, place: Place): Html | false {
  const { texts } = visit
  const { action, quantity } = violation['remedy'] as Remedy
  if (action === 'sign_in')
    return html`<a class="button brand" href="${signInAddress(visit, visit.at(place))}">${texts.signIn}</a>`
  if (action === 'remove_coupon')
    return html`<form method="post" action="${visit.at(`${place}/coupon/remove`)}" data-swap>
      <button class="button soft">${texts.couponRemove}</button>
    </form>`
  const offer = violation['offer_id'] as number | undefined
  if (offer === undefined) return false
  // The mini-app adds single units and has no field for their number.
  if (action === 'set_quantity' && place === '/mini') return false
  if (action === 'set_quantity')
    return html`<form method="post" action="${visit.at('/cart/quantity')}" data-swap>
      <input type="hidden" name="offer" value="${offer}" />
      <input type="hidden" name="quantity" value="${quantity}" />
      <button class="button soft">${fill(texts.setQuantity, { n: quantity ?? 1 })}</button>
    </form>`
  return (
    action === 'remove' &&
    html`<form method="post" action="${visit.at(`${place}/remove`)}" data-swap>
      <input type="hidden" name="offer" value="${offer}" />
      <button class="button soft">${texts.remove}</button>
    </form>`
  )
}

/** Why a payment method is closed. */
export const reasonText = ({ texts, clientName }: Visit, code: string): string =>
  clientName !== undefined && code === 'payment_method_not_allowed'
    ? texts.reason_not_offered
    : (texts[`reason_${code}` as keyof typeof texts] ?? texts.reason_other)

/** Messages of refused fields by their path. */
export const fieldProblems = (error: BozorError | undefined): Map<string, string> => {
  const fields = error?.code === 'validation_failed' ? error.details.fields : []
  return new Map(fields.map((it) => [it.path, it.message ?? error!.message]))
}
