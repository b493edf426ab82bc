// One order: its timeline, payments, instalments, returns, and the steps that its buyer may take now.

import { html, type Html } from '../../../http/html.ts'
import { BozorError, type Order } from '../../../sdk/index.ts'
import { page } from '../layout.ts'
import { leaveNote } from '../notes.ts'
import { orderPath, productIdPath } from '../path.ts'
import { plainReasons } from '../remedies.ts'
import type { Reply } from '../storefront.ts'
import { fill } from '../texts/index.ts'
import type { Visit } from '../visit.ts'
import { progress, timeline } from './order-progress.ts'
import { returnForm, returnsList } from './order-returns.ts'
import { statusTag } from './orders.ts'
import { cardForm, type CardProblem, chargeCard, failureNotice, isPending, pendingNotice } from './pay.ts'

type Money = Order['total']

/** Why the last step was refused. */
interface Refused {
  card?: CardProblem
  /** Of any other step, in words. */
  step?: string
}

export async function orderPage(visit: Visit, refused: Refused = {}): Promise<Reply> {
  const id = visit.params['id'] ?? ''
  const { texts } = visit
  const [{ order }, { events }] = await Promise.all([
    visit.bozor.orders.get({ id, ...visit.orderBuyer }),
    visit.bozor.orders.listEvents({ id, ...visit.orderBuyer }),
  ])
  const title = fill(texts.order, { id: order.id })
  const isRefused = refused.card !== undefined || refused.step !== undefined
  const content = html`<div class="wrap">
    <h1>${title} ${statusTag(visit, order)}</h1>
    <p class="lead">
      ${visit.format.dateTime(order.created_at)}
      ${order.partner_name !== null && html`· ${fill(texts.orderFrom, { name: order.partner_name })}`}
    </p>
    ${refused.step !== undefined && html`<p class="alert" role="alert">${refused.step}</p>`}
    ${progress(visit, order, events)}
    <div class="cart order ${order.status === 'awaiting_payment' && 'unpaid'}">
      <section class="cart-lines">
        ${lines(visit, order)} ${schedule(visit, order, refused.card)} ${timeline(visit, events)}
        ${returnsList(visit, order)}
      </section>
      <aside class="order-side">
        ${payment(visit, order, refused.card)} ${delivery(visit, order)} ${steps(visit, order)}
      </aside>
    </div>
  </div>`
  return page(visit, { title, isPrivate: true, content, ...(isRefused && { status: 422 }) })
}

/** Prices before the discount, so that lines, discount and delivery add up to the total. */
export const lines = (visit: Visit, order: Order): Html =>
  html`<div class="panel">
    ${order.lines.map(
      (it) =>
        html`<div class="order-line">
          <img src="${visit.picture(it.image?.sm_path ?? '')}" alt="" width="64" height="64" />
          <span
            ><a href="${visit.at(productIdPath(it.product_id))}">${visit.nameOf(it.title)}</a>
            <small>${it.quantity} × ${visit.format.money(it.unit_price)}</small></span
          >
          <b>${visit.format.money({ amount: it.total.amount + it.discount.amount })}</b>
        </div>`,
    )}
    ${
      order.discount.amount > 0 &&
      html`<div class="order-line deal">
        <span>${visit.texts.couponDiscount} ${order.coupon_code}</span>
        <b>−${visit.format.money(order.discount)}</b>
      </div>`
    }
    ${
      order.delivery &&
      html`<div class="order-line">
        <span>${visit.texts.delivery}</span><b>${priceText(visit, order.delivery)}</b>
      </div>`
    }
    <div class="order-line total">
      <span>${visit.texts.total}</span><b>${visit.format.money(order.total)}</b>
    </div>
  </div>`

const priceText = ({ texts, format }: Visit, { price }: NonNullable<Order['delivery']>): string =>
  price.amount > 0 ? format.money(price) : texts.free

const openOf = ({ amounts }: Order): number => amounts.open.reduce((sum, it) => sum + it.amount.amount, 0)

const isPaidNow = ({ status, allowed }: Order): boolean =>
  status === 'awaiting_payment' && allowed.includes('pay')

/** The amount that is due at once is on the button of the card form. */
export const leftToPay = ({ texts, format }: Visit, order: Order): Html | false =>
  openOf(order) > 0 &&
  !isPaidNow(order) &&
  order.status !== 'cancelled' &&
  html`<p>${fill(texts.leftToPay, { amount: format.money({ amount: openOf(order) }) })}</p>`

function payment(visit: Visit, order: Order, problem: CardProblem | undefined): Html {
  const { texts, format } = visit
  const isCard = isPaidNow(order)
  const paid = order.amounts.paid.amount
  return html`<div class="panel">
      <h2 class="small-title">${texts.payment}: ${visit.say(order.payment_method.name)}</h2>
      ${paid > 0 && html`<p class="stock">${texts.paid}: ${format.money(order.amounts.paid)}</p>`}
      ${leftToPay(visit, order)}
      ${order.amounts.refunded.amount > 0 && html`<p>${texts.event_refunded}: ${format.money(order.amounts.refunded)}</p>`}
      ${
        isCard &&
        order.pay_until !== null &&
        html`<p class="message warning">
          ${fill(texts.payUntil, { time: format.dateTime(order.pay_until) })}
        </p>`
      }
      ${failureNotice(visit, [order])}
    </div>
    ${isPending(order) && pendingNotice(visit, [order])}
    ${
      isCard &&
      !isPending(order) &&
      cardForm(visit, {
        action: visit.at(`${orderPath(order.id)}/pay`),
        label: fill(texts.pay, { amount: format.money({ amount: openOf(order) }) }),
        problem,
      })
    }`
}

export function schedule(visit: Visit, order: Order, problem: CardProblem | undefined): Html | false {
  const { texts, format } = visit
  const { instalments } = order
  if (instalments.length === 0) return false
  const open = instalments.filter((it) => !it.paid)
  const [next] = open
  return html`<div class="panel">
    <h2 class="small-title">${texts.schedule}</h2>
    ${order.total_to_repay && toRepay(visit, order.total_to_repay, instalments)}
    <ol class="schedule">
      ${instalments.map(
        (it) =>
          html`<li class="${it.status}">
            <span>${fill(texts.instalmentNo, { n: it.number })}</span>
            <small
              >${it.paid ? texts.paid : fill(texts.dueOn, { date: format.date(it.due_on) })}${it.status === 'overdue' && `, ${texts.overdue}`}</small
            >
            <b>${format.money(it.amount)}</b>
          </li>`,
      )}
    </ol>
    ${
      next &&
      order.allowed.includes('pay') &&
      order.status !== 'awaiting_payment' &&
      !isPending(order) &&
      html`<details class="pay-instalment" open>
        <summary class="quiet-link">${fill(texts.payInstalment, { n: next.number })}</summary>
        ${cardForm(visit, {
          action: visit.at(`${orderPath(order.id)}/pay`),
          label: fill(texts.pay, { amount: format.money(next.amount) }),
          hidden: { instalment: next.number },
          problem,
          ...(open.length > 1 &&
            order.early_repayment && {
              restLabel: fill(texts.payRest, { amount: format.money(order.early_repayment) }),
            }),
        })}
      </details>`
    }
  </div>`
}

/** Everything that is paid, and why it is more than the total. */
function toRepay({ texts, format }: Visit, repaid: Money, instalments: Order['instalments']): Html {
  const charge = instalments.reduce((sum, it) => sum + it.commission.amount, 0)
  const charged = charge > 0 ? `. ${texts.overpayment}: ${format.money({ amount: charge })}` : ''
  return html`<p class="muted">${texts.toRepay}: ${format.money(repaid)}${charged}</p>`
}

function delivery(visit: Visit, order: Order): Html {
  const { delivery_address: address, contact, fulfilments, delivery: chosen } = order
  return html`<div class="panel">
    <h2 class="small-title">${visit.texts.deliverTo}</h2>
    ${
      chosen &&
      html`<p>
        <b>${visit.say(chosen.name)}</b>
        ${chosen.price.amount > 0 && html`· ${visit.format.money(chosen.price)}`}<br />
        ${chosen.promised_on !== null && html`<small>${fill(visit.texts.byDate, { date: visit.format.date(chosen.promised_on) })}</small>`}
      </p>`
    }
    <p>${address}</p>
    ${contact && html`<p class="muted">${contact.name}${contact.phone !== null && `, ${contact.phone}`}</p>`}
    ${fulfilments
      .filter((it) => it.carrier !== null || it.tracking_number !== null)
      .map((it) => html`<p>${[it.carrier, it.tracking_number].filter(Boolean).join(' ')}</p>`)}
  </div>`
}

/** What the buyer may do now; the API says which steps are allowed. */
export function steps(visit: Visit, order: Order): Html {
  const { texts } = visit
  const at = (step: string) => visit.at(`${orderPath(order.id)}/${step}`)
  return html`${order.allowed.includes('return') && returnForm(visit, order)}
  ${
    order.allowed.includes('cancel') &&
    html`<form method="post" action="${at('cancel')}">
      <button class="button plain wide">${texts.cancelOrder}</button>
    </form>`
  }
  ${
    order.allowed.includes('to_cart') &&
    html`<form method="post" action="${at('to-cart')}">
      <button class="button soft wide">${texts.buyAgain}</button>
    </form>`
  }`
}

const backTo = (visit: Visit): Reply => ({
  kind: 'redirect',
  status: 303,
  to: visit.at(orderPath(visit.params['id'] ?? '')),
})

export async function payOrder(visit: Visit): Promise<Reply> {
  const { instalment: number, everything } = visit.form
  const instalment = everything ? 'all' : number === undefined ? undefined : Number(number)
  const problem = await chargeCard(visit, visit.params['id'] ?? '', instalment)
  return problem === undefined ? backTo(visit) : orderPage(visit, { card: problem })
}

/** A refused step shows the order with the reason. */
async function step(
  visit: Visit,
  run: (id: string) => Promise<unknown>,
  next = orderPath(visit.params['id'] ?? ''),
): Promise<Reply> {
  try {
    await run(visit.params['id'] ?? '')
    return { kind: 'redirect', status: 303, to: visit.at(next) }
  } catch (error) {
    if (!(error instanceof BozorError) || error.status === 401 || error.status === 404) throw error
    return orderPage(visit, { step: visit.say(plainReasons(error).join('. ')) })
  }
}

export const cancelOrder = (visit: Visit): Promise<Reply> =>
  step(visit, (id) => visit.bozor.orders.cancel({ id, ...visit.orderBuyer }))

export async function returnOrder(visit: Visit): Promise<Reply> {
  const { texts } = visit
  const lines = Object.entries(visit.form).flatMap(([name, value]) => {
    const line = Number(/^line-(\d+)$/.exec(name)?.[1])
    return line > 0 && Number(value) > 0 ? [{ line, quantity: Number(value) }] : []
  })
  const reason = visit.form['reason']?.trim()
  // The API would return the whole order, which the buyer did not choose.
  if (lines.length === 0) return orderPage(visit, { step: texts.returnNothing })
  if (!reason) return orderPage(visit, { step: texts.returnNoReason })
  return step(visit, (id) => visit.bozor.orders.createReturn({ id, ...visit.orderBuyer, reason, lines }))
}

export function orderToCart(visit: Visit): Promise<Reply> {
  const run = async (id: string) => {
    const { skipped } = await visit.bozor.orders.toCart({ id, ...visit.orderBuyer })
    if (skipped.length > 0) leaveNote(visit, 'notAdded', { n: skipped.length })
  }
  return step(visit, run, '/cart')
}
