// One order: its timeline, payments, instalments, returns, and the steps that its buyer may take now.

import { html, type Html } from '../../../http/html.ts'
import { BozorError, type Order } from '../../../sdk/index.ts'
import { page } from '../layout.ts'
import { orderPath, productIdPath } from '../path.ts'
import { plainReasons } from '../remedies.ts'
import type { Reply } from '../storefront.ts'
import { fill } from '../texts/index.ts'
import type { Visit } from '../visit.ts'
import { progress, timeline } from './order-progress.ts'
import { statusTag } from './orders.ts'
import { cardForm, type CardProblem, chargeCard, failureNotice, isPending, pendingNotice } from './pay.ts'

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
        ${returns(visit, order)}
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
      order.delivery.price.amount > 0 &&
      html`<div class="order-line">
        <span>${visit.texts.delivery}</span><b>${visit.format.money(order.delivery.price)}</b>
      </div>`
    }
    <div class="order-line total">
      <span>${visit.texts.total}</span><b>${visit.format.money(order.total)}</b>
    </div>
  </div>`

function payment(visit: Visit, order: Order, problem: CardProblem | undefined): Html {
  const { texts, format } = visit
  const due = order.amounts.open.reduce((sum, it) => sum + it.amount.amount, 0)
  const isCard = order.status === 'awaiting_payment' && order.allowed.includes('pay')
  const paid = order.amounts.paid.amount
  return html`<div class="panel">
      <h2 class="small-title">${texts.payment}: ${visit.say(order.payment_method.name)}</h2>
      ${paid > 0 && html`<p class="stock">${texts.paid}: ${format.money(order.amounts.paid)}</p>`}
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
        label: fill(texts.pay, { amount: format.money({ amount: due }) }),
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
    ${order.total_to_repay && html`<p class="muted">${texts.toRepay}: ${format.money(order.total_to_repay)}</p>`}
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
        <summary class="quiet-link">${texts.payThis}</summary>
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

const returns = (visit: Visit, order: Order): Html | false =>
  order.returns.length > 0 &&
  html`<div class="panel">
    <h2 class="small-title">${visit.texts.returns}</h2>
    ${order.returns.map(
      (it) =>
        html`<p>
          ${visit.texts[`event_return_${it.status}`]}: ${unitsText(visit, order, it.lines)},
          ${visit.format.money(it.amount)}. ${it.reason}
        </p>`,
    )}
  </div>`

const unitsText = (visit: Visit, order: Order, units: Order['returns'][number]['lines']): string =>
  units
    .map(({ line, quantity }) => {
      const found = order.lines.find((it) => it.line === line)
      return `${quantity} × ${visit.nameOf(found?.title ?? '')}`
    })
    .join(', ')

/** The lines with units that were delivered and are in no return yet. */
function returnableLines({ lines: all, fulfilments, returns: asked }: Order) {
  const unitsIn = (parts: readonly Pick<Order['returns'][number], 'lines'>[], line: number): number =>
    parts.flatMap((it) => it.lines).reduce((sum, it) => sum + (it.line === line ? it.quantity : 0), 0)
  const delivered = fulfilments.filter((it) => it.status === 'delivered')
  const open = asked.filter((it) => it.status !== 'rejected')
  return all
    .map((it) => ({ ...it, units: unitsIn(delivered, it.line) - unitsIn(open, it.line) }))
    .filter((it) => it.units > 0)
}

/** What the buyer may do now; the API says which steps are allowed. */
export function steps(visit: Visit, order: Order): Html {
  const { texts } = visit
  const at = (step: string) => visit.at(`${orderPath(order.id)}/${step}`)
  const returnable = returnableLines(order)
  return html`${
    order.allowed.includes('return') &&
    html`<form class="panel" method="post" action="${at('return')}">
      <h2 class="small-title">${texts.returnOrder}</h2>
      ${returnable.map(
        (it) =>
          html`<label class="check">
            <input
              type="number"
              name="line-${it.line}"
              value="${visit.form[`line-${it.line}`] ?? (returnable.length === 1 ? it.units : 0)}"
              min="0"
              max="${it.units}"
            />
            <span>${visit.nameOf(it.title)}</span>
          </label>`,
      )}
      <div class="field">
        <label for="reason">${texts.returnReason}</label>
        <input
          type="text"
          id="reason"
          name="reason"
          value="${visit.form['reason']}"
          required
          maxlength="500"
        />
      </div>
      <button class="button soft wide">${texts.returnSend}</button>
    </form>`
  }
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

export const orderToCart = (visit: Visit): Promise<Reply> =>
  step(visit, (id) => visit.bozor.orders.toCart({ id, ...visit.orderBuyer }), '/cart')
