// The returns of an order, and the form for another one.

import { html, type Html } from '../../../http/html.ts'
import type { Order } from '../../../sdk/index.ts'
import { unitsToReturn } from '../../units-to-return.ts'
import { orderPath } from '../path.ts'
import { fill } from '../texts/index.ts'
import type { Visit } from '../visit.ts'

type Return = Order['returns'][number]

export const returnsList = (visit: Visit, order: Order): Html | false =>
  order.returns.length > 0 &&
  html`<div class="panel">
    <h2 class="small-title">${visit.texts.returns}</h2>
    <ul class="returns">
      ${order.returns.map(
        (it) =>
          html`<li>
            <div class="order-line">
              <b>${visit.texts[`event_return_${it.status}`]}</b><b>${visit.format.money(it.amount)}</b>
            </div>
            ${it.lines.map((units) => html`<p>${unitsText(visit, order, units)}</p>`)}
            <p class="muted">${it.reason}</p>
          </li>`,
      )}
    </ul>
  </div>`

function unitsText(visit: Visit, order: Order, { line, quantity }: Return['lines'][number]): string {
  const found = order.lines.find((it) => it.line === line)
  return `${quantity}\u00a0× ${visit.nameOf(found?.title ?? '')}`
}

export function returnForm(visit: Visit, order: Order): Html {
  const { texts, form } = visit
  const returnable = unitsToReturn(order)
  const titleOf = (line: number) => visit.nameOf(order.lines.find((it) => it.line === line)!.title)
  return html`<form class="panel" method="post" action="${visit.at(`${orderPath(order.id)}/return`)}">
    <h2 class="small-title">${texts.returnOrder}</h2>
    ${returnable.map(
      (it) =>
        html`<label class="return-line">
          <span>${titleOf(it.line)} <small>${fill(texts.returnMost, { n: it.quantity })}</small></span>
          <input
            type="number"
            name="line-${it.line}"
            value="${form[`line-${it.line}`] ?? (returnable.length === 1 ? it.quantity : 0)}"
            min="0"
            max="${it.quantity}"
          />
        </label>`,
    )}
    <div class="field">
      <label for="reason">${texts.returnReason}</label>
      <input type="text" id="reason" name="reason" value="${form['reason']}" required maxlength="500" />
    </div>
    <button class="button soft wide">${texts.returnSend}</button>
  </form>`
}
