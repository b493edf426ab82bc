// Checkout: who receives what, where, and how it is paid. The total that the buyer sees is sent with the order, so a
// price that changed meanwhile is confirmed first and never charged unseen.

import { html, type Html } from '../../../http/html.ts'
import { BozorError, type Cart, type Operations } from '../../../sdk/index.ts'
import { dropDraft, keepDraft, withDraft } from '../draft.ts'
import { field } from '../fields.ts'
import { inTiyin } from '../format.ts'
import { page } from '../layout.ts'
import { leaveNote } from '../notes.ts'
import { fieldProblems, reasonText, violationsOf } from '../remedies.ts'
import type { Reply } from '../storefront.ts'
import { fill } from '../texts/index.ts'
import type { Visit } from '../visit.ts'
import { isModeratedLine, type Line, lineId, linesOf, priceOf } from './cart.ts'
import { withSavedAddress } from './addresses.ts'
import { chosenPlan, lineMonths, orderPlan, orderText, planTotals } from './line-plans.ts'
import { addressNames, type Delivery, deliveryFields, loadDelivery, orderedDelivery } from './delivery.ts'

interface Problem {
  error?: BozorError
  /** Texts beside fields, by name. */
  beside?: Map<string, string>
  /** The total that the buyer saw, if it is not the total any more. */
  seen?: number
}

export async function checkoutPage(opened: Visit, problem: Problem = {}): Promise<Reply> {
  keepDraft(opened)
  const visit = await withSavedAddress(withDraft(opened))
  const { texts, bozor } = visit
  const [cart, profile, allowance] = await Promise.all([
    bozor.cart.get(visit.buyer),
    visit.clientName ? bozor.auth.getProfile() : undefined,
    visit.clientName ? bozor.orders.getAllowance() : undefined,
  ])
  const lines = linesOf(cart).filter((it) => it.PurchaseRestrictions.IsAvailable)
  if (lines.length === 0) return { kind: 'redirect', status: 303, to: visit.at('/cart') }
  const chosen = lines.filter((it) => isChosen(visit, it))
  const delivery = await loadDelivery(visit, chosen.length > 0 ? chosen : lines)
  const total = totalOf(chosen, delivery)
  const plan = orderPlan(chosen, delivery)
  const beside = problem.beside ?? besideOf(visit, problem.error)
  const changed = changedTotal(problem, total)
  const isConfirming = changed !== undefined
  const known = {
    name: profile?.client.name,
    phone: profile?.client.phone ?? undefined,
    email: profile?.client.email ?? undefined,
  }
  const content = html`<div class="wrap">
    <h1>${texts.checkoutTitle}</h1>
    ${changed && changedPrice(visit, changed, goneOf(visit, cart))}
    ${problem.error && !isConfirming && beside.size === 0 && violationsOf(visit, problem.error)}
    <form class="checkout" method="post" action="${visit.at('/checkout')}" novalidate data-swap>
      <input type="hidden" name="key" value="${crypto.randomUUID()}" />
      <input type="hidden" name="sent" value="true" />
      ${visit.clientName && html`<input type="hidden" name="signed-in" value="true" />`}
      <input type="hidden" name="expected" value="${total}" />
      <div class="checkout-main">
        ${contactFields(visit, known, beside)} ${deliveryFields(visit, delivery, beside)}
        ${methodFields(visit, cart)}
      </div>
      <aside class="panel summary">
        <h2 class="small-title">${texts.selectLines}</h2>
        ${lines.map((it) => lineChoice(visit, it))}
        <button class="quiet-link no-script" formaction="${visit.at('/checkout/review')}" data-review-button>
          ${texts.updateTotal}
        </button>
        ${checkoutTotals(visit, { chosen, delivery, total })} ${plan && planTotals(visit, plan, total)}
        <button class="button brand wide" ${!cart.CanOrder && html`disabled`}>
          ${isConfirming ? fill(texts.confirmTotal, { amount: visit.format.sums(total) }) : orderText(visit, total, plan)}
        </button>
        ${!visit.clientName && html`<p class="muted">${texts.guestHint}</p>`}
        ${allowance && limits(visit, allowance.allowance)}
      </aside>
    </form>
  </div>`
  const status = problem.error?.status ?? (problem.beside ? 422 : undefined)
  return page(visit, {
    title: texts.checkoutTitle,
    isPrivate: true,
    content,
    ...(status !== undefined && { status }),
  })
}

/** Products, delivery and coupon add up to the total. */
export const checkoutTotals = (
  { texts, format }: Visit,
  { chosen, delivery, total }: { chosen: readonly Line[]; delivery: Delivery; total: number },
): Html =>
  html`<dl>
    <div>
      <dt>${fill(texts.unitsCount, { n: chosen.reduce((sum, it) => sum + it.Quantity, 0) })}</dt>
      <dd>${format.sums(priceOf(chosen))}</dd>
    </div>
    <div>
      <dt>${texts.delivery}</dt>
      <dd>${delivery.price === 0 ? texts.free : format.sums(delivery.price)}</dd>
    </div>
    ${
      delivery.discount > 0 &&
      html`<div class="deal">
        <dt>${texts.couponDiscount}</dt>
        <dd>−${format.sums(delivery.discount)}</dd>
      </div>`
    }
    <div class="total">
      <dt>${texts.total}</dt>
      <dd>${format.sums(total)}</dd>
    </div>
  </dl>`

type Allowance = Operations['orders.getAllowance']['reply']['allowance']

/** What a client may still buy. */
const limits = ({ texts, format }: Visit, { daily_amount: day, credit }: Allowance): Html =>
  html`<h2 class="small-title">${texts.limitsTitle}</h2>
    <dl>
      <div>
        <dt>${texts.limitDay}</dt>
        <dd>${format.money(day.left)}</dd>
      </div>
      <div>
        <dt>${texts.limitCredit}</dt>
        <dd>${format.money(credit.left)}</dd>
      </div>
    </dl>`

/** The page again with the chosen lines and their total. */
export const reviewCheckout = (visit: Visit): Promise<Reply> => checkoutPage(visit)

const fieldOf = (line: Line): string => `${isModeratedLine(line) ? 'moderated' : 'item'}-${lineId(line)}`

/** At first all lines are chosen; afterwards those that were sent. */
const isChosen = ({ form }: Visit, line: Line): boolean => !form['sent'] || form[fieldOf(line)] === 'true'

const totalOf = (lines: readonly Line[], { price, discount }: Delivery): number =>
  inTiyin(priceOf(lines) + price - discount) / 100

const lineChoice = (visit: Visit, line: Line): Html =>
  html`<label class="check line-choice">
    <input
      type="checkbox"
      id="${fieldOf(line)}"
      name="${fieldOf(line)}"
      value="true"
      ${isChosen(visit, line) && html`checked`}
      data-review
    />
    <img src="${visit.picture(line.Images[0]?.SmPath ?? '')}" alt="" width="44" height="44" />
    <span
      >${visit.nameOf(line.Title)}
      <small>${line.Quantity} × ${visit.format.sums(line.Price)}</small>
      ${lineMonths(visit, chosenPlan(line))}</span
    >
  </label>`

interface Changed {
  before: number
  after: number
}

const changedTotal = ({ error, seen }: Problem, total: number): Changed | undefined => {
  if (error?.code === 'price_changed') return { before: error.details.expected, after: error.details.actual }
  return seen === undefined || seen === total ? undefined : { before: seen, after: total }
}

/** Lines that the buyer chose and that can no longer be ordered. */
const goneOf = (visit: Visit, cart: Cart): Line[] =>
  linesOf(cart).filter(
    (it) => !it.PurchaseRestrictions.IsAvailable && visit.form[fieldOf(it)] === 'true' && visit.form['sent'],
  )

function changedPrice(visit: Visit, { before, after }: Changed, gone: readonly Line[]): Html {
  const { texts, format } = visit
  const values = { before: format.sums(before), after: format.sums(after) }
  return html`<section class="alert" role="alert">
    <p><b>${fill(gone.length > 0 ? texts.totalChanged : texts.priceChanged, values)}</b></p>
    ${gone.map((it) => html`<p>${fill(texts.goneNamed, { name: visit.nameOf(it.Title) })}</p>`)}
    <p>${texts.priceChangedHint}</p>
  </section>`
}

function contactFields(
  visit: Visit,
  known: { name?: string | undefined; phone?: string | undefined; email?: string | undefined },
  beside: Map<string, string>,
): Html {
  const { texts, form } = visit
  return html`<fieldset class="panel contact">
    <legend>${texts.contact}</legend>
    ${field(visit, { name: 'name', label: texts.name, autocomplete: 'name', value: form['name'] ?? known.name, problem: beside.get('name') })}
    ${field(visit, {
      name: 'phone',
      label: texts.phone,
      type: 'tel',
      autocomplete: 'tel',
      value: form['phone'] ?? known.phone,
      placeholder: '+998 90 123 45 67',
      problem: beside.get('phone'),
    })}
    ${field(visit, {
      name: 'email',
      label: texts.email,
      type: 'email',
      autocomplete: 'email',
      isOptional: true,
      value: form['email'] ?? known.email,
      problem: beside.get('email'),
    })}
  </fieldset>`
}

const hasTerm = (cart: Cart): boolean => linesOf(cart).some((it) => it.LoanCondition !== null)

/** Methods that are closed show why. */
function methodFields(visit: Visit, cart: Cart): Html {
  const open = cart.AvailablePaymentMethods.filter((it) => it.IsAvailable)
  // A term that was chosen for a line opens the methods with instalments, so they are meant.
  const usual = open.find((it) => it.IsInstallment && hasTerm(cart)) ?? open[0]
  const chosen = visit.form['method'] ?? String(usual?.Id ?? '')
  return html`<fieldset class="panel">
    <legend>${visit.texts.payment}</legend>
    ${cart.AvailablePaymentMethods.map(
      (it) =>
        html`<label class="check method ${!it.IsAvailable && 'muted'}">
          <input
            type="radio"
            name="method"
            value="${it.Id}"
            ${it.IsInstallment && html`data-instalments="${it.Code}"`}
            ${!it.IsAvailable && html`disabled`}
            ${it.IsAvailable && chosen === String(it.Id) && html`checked`}
          />
          <span
            >${visit.say(it.Name)}${it.Reason !== null && html`<small>${reasonText(visit, it.Reason)}</small>`}</span
          >
        </label>`,
    )}
  </fieldset>`
}

/** The client was signed in when the page was opened and is not any more. */
function signInAgain(visit: Visit): Reply {
  keepDraft(visit, 'fields-and-lines')
  leaveNote(visit, 'signInAgain')
  const back = new URLSearchParams({ back: visit.at('/checkout') })
  return { kind: 'redirect', status: 303, to: `${visit.at('/sign-in')}?${back}` }
}

const fieldNames: Record<string, string> = {
  'Contact.Name': 'name',
  'Contact.Phone': 'phone',
  'Contact.Email': 'email',
  'Delivery.Address.City': 'city',
  'Delivery.Address.Street': 'street',
  'Delivery.Address.House': 'building',
  'Delivery.Address.Apartment': 'apartment',
  'Delivery.Address.Landmark': 'landmark',
}

/** Problems of fields that the form has; none if there is another one, which needs the whole answer. */
function besideOf(visit: Visit, error: BozorError | undefined): Map<string, string> {
  const found = [...fieldProblems(error)].map(([path, message]) => [fieldNames[path], visit.say(message)])
  return new Map(found.every(([name]) => name !== undefined) ? (found as [string, string][]) : [])
}

export async function placeOrder(visit: Visit): Promise<Reply> {
  const { form, bozor } = visit
  if (form['signed-in'] && !visit.clientName) return signInAgain(visit)
  const cart = await bozor.cart.get(visit.buyer)
  const lines = linesOf(cart).filter((it) => it.PurchaseRestrictions.IsAvailable)
  const chosen = lines.filter((it) => isChosen(visit, it))
  // Sent twice, or again after the way back: the order is there already.
  if (linesOf(cart).length === 0) return { kind: 'redirect', status: 303, to: visit.at('/orders') }
  if (chosen.length === 0) return checkoutPage(visit)
  const delivery = await loadDelivery(visit, chosen)
  const needed = ['name', 'phone', ...(delivery.needsAddress ? addressNames : [])]
  const missing = needed.filter((it) => !form[it]?.trim())
  if (missing.length > 0)
    return checkoutPage(visit, {
      beside: new Map(missing.map((it) => [it, visit.texts.fillIn])),
      ...(Number(form['expected']) > 0 && { seen: Number(form['expected']) }),
    })
  const email = form['email']?.trim()
  const order = {
    ...visit.buyer,
    PaymentMethodId: Number(form['method']) || 1,
    ExpectedTotalAmount: Number(form['expected']),
    ...orderedDelivery(visit, delivery),
    Contact: { Name: form['name']!.trim(), Phone: form['phone']!.trim(), ...(email && { Email: email }) },
  }
  const options = form['key'] ? { idempotencyKey: form['key'] } : {}
  try {
    const placed =
      chosen.length === lines.length
        ? await bozor.cart.order(order, options)
        : await bozor.cart.orderItems({ ...order, ...idsOf(chosen) }, options)
    if (placed.Skipped.length > 0) leaveNote(visit, 'skipped', { n: placed.Skipped.length })
    dropDraft(visit)
    const to = placed.OrderIds.join(',')
    return { kind: 'redirect', status: 303, to: visit.at(`/placed?orders=${to}`) }
  } catch (error) {
    if (!(error instanceof BozorError) || error.status === 401) throw error
    return checkoutPage(visit, { error })
  }
}

const idsOf = (lines: readonly Line[]) => ({
  OfferIds: lines.filter((it) => !isModeratedLine(it)).map(lineId),
  ModeratedOfferIds: lines.filter(isModeratedLine).map(lineId),
})
