// Orders after checkout: the thank-you page, the list, and finding a guest's order by its number.

import { html, type Html } from '../../../http/html.ts'
import { BozorError, type Order, type OrderSummary } from '../../../sdk/index.ts'
import { field } from '../fields.ts'
import { icon } from '../icons.ts'
import { page } from '../layout.ts'
import { orderPath } from '../path.ts'
import type { Reply } from '../storefront.ts'
import { fill } from '../texts/index.ts'
import type { Visit } from '../visit.ts'
import { pageOf, pager } from './listing.ts'
import { cardForm, type CardProblem, chargeCard, failureNotice, isPending, pendingNotice } from './pay.ts'

const maxOrders = 20
const idForm = /^[1-9]\d{0,15}$/

const placedIds = ({ query, form }: Visit): string[] =>
  (form['orders'] ?? query.get('orders') ?? '')
    .split(',')
    .filter((it) => idForm.test(it))
    .slice(0, maxOrders)

/** All orders of one checkout; one card pays them together. */
export async function placedPage(visit: Visit, problem?: CardProblem): Promise<Reply> {
  const { texts, format } = visit
  const ids = placedIds(visit)
  const orders = await Promise.all(
    ids.map(async (id) => (await visit.bozor.orders.get({ id, ...visit.orderBuyer })).order),
  )
  if (orders.length === 0) return { kind: 'redirect', status: 303, to: visit.at('/orders') }
  const unpaid = orders.filter((it) => it.allowed.includes('pay') && it.status === 'awaiting_payment')
  const due = unpaid.reduce((sum, it) => sum + dueOf(it), 0)
  const isWaiting = orders.some(isPending)
  const content = html`<div class="wrap">
    <section class="thanks">
      <h1>${texts.thanks}</h1>
      <p class="lead">${texts.thanksHint}</p>
    </section>
    <div class="cart">
      <section class="cart-lines">${orders.map((it) => orderCard(visit, it))}</section>
      <div>
        ${isWaiting && pendingNotice(visit, orders)} ${failureNotice(visit, orders)}
        ${
          due > 0 &&
          !isWaiting &&
          cardForm(visit, {
            action: visit.at('/placed/pay'),
            label: fill(texts.pay, { amount: format.money({ amount: due }) }),
            hidden: { orders: ids.join(',') },
            problem,
          })
        }
      </div>
    </div>
  </div>`
  return page(visit, { title: texts.thanks, isPrivate: true, content, ...(problem && { status: 422 }) })
}

const dueOf = (order: Order): number => order.amounts.open.reduce((sum, it) => sum + it.amount.amount, 0)

export async function payPlaced(visit: Visit): Promise<Reply> {
  const ids = placedIds(visit)
  for (const id of ids) {
    const { order } = await visit.bozor.orders.get({ id, ...visit.orderBuyer })
    if (!order.allowed.includes('pay') || order.status !== 'awaiting_payment') continue
    const problem = await chargeCard(visit, id)
    if (problem !== undefined) return placedPage(visit, problem)
  }
  // One order has a page of its own, with the outcome of the payment.
  const to = ids.length === 1 ? orderPath(ids[0]!) : `/placed?orders=${ids.join(',')}`
  return { kind: 'redirect', status: 303, to: visit.at(to) }
}

export async function ordersPage(visit: Visit, isMissing = false): Promise<Reply> {
  const { texts } = visit
  const { items, pagination } = await visit.bozor.orders.list({
    ...visit.orderBuyer,
    sort: '-created_at',
    page: pageOf(visit),
    per_page: maxOrders,
  })
  const content = html`<div class="wrap">
    <h1>${texts.orders}</h1>
    ${
      items.length === 0
        ? html`<section class="empty">
            ${icon('truck')}
            <h2>${texts.ordersEmpty}</h2>
            <a class="button brand" href="${visit.at('')}">${texts.toCatalog}</a>
          </section>`
        : html`<section class="cart-lines">${items.map((it) => orderCard(visit, it))}</section>`
    }
    ${!isMissing && pager(visit, pagination.pages ?? 1)}
    ${
      !visit.clientName &&
      html`<form class="panel track" action="${visit.at('/orders/find')}">
        <h2 class="small-title">${texts.trackOrder}</h2>
        <p class="muted">${texts.trackHint}</p>
        ${field(visit, {
          name: 'number',
          label: texts.trackNumber,
          inputmode: 'numeric',
          value: visit.query.get('number') ?? '',
          ...(isMissing && { problem: texts.trackMissing }),
        })}
        <button class="button brand">${texts.trackOpen}</button>
        <a class="quiet-link" href="${visit.at('/sign-in')}">${texts.signIn}</a>
      </form>`
    }
  </div>`
  return page(visit, { title: texts.orders, isPrivate: true, content, ...(isMissing && { status: 404 }) })
}

export async function findOrder(visit: Visit): Promise<Reply> {
  const id = (visit.query.get('number') ?? '').replaceAll(/\D/g, '')
  if (!idForm.test(id)) return ordersPage(visit, true)
  try {
    await visit.bozor.orders.get({ id, ...visit.orderBuyer })
    return { kind: 'redirect', to: visit.at(orderPath(id)) }
  } catch (error) {
    if (error instanceof BozorError && error.status === 404) return ordersPage(visit, true)
    throw error
  }
}

export const statusTag = (visit: Visit, { status }: Pick<OrderSummary, 'status'>): Html =>
  html`<span class="tag status-${status}">${visit.texts[`status_${status}`]}</span>`

const orderCard = (visit: Visit, order: OrderSummary): Html =>
  html`<article class="panel order-card">
    <div class="order-head">
      <h2 class="small-title">
        <a href="${visit.at(orderPath(order.id))}">${fill(visit.texts.order, { id: order.id })}</a>
      </h2>
      ${statusTag(visit, order)}
    </div>
    <p class="muted">
      ${visit.format.dateTime(order.created_at)}
      ${order.partner_name !== null && html`· ${fill(visit.texts.orderFrom, { name: order.partner_name })}`}
    </p>
    <div class="order-pictures">
      ${order.lines
        .slice(0, 6)
        .map(
          (it) =>
            html`<img
              src="${visit.picture(it.image?.sm_path ?? '')}"
              alt="${visit.nameOf(it.title)}"
              width="56"
              height="56"
            />`,
        )}
      <b>${visit.format.money(order.total)}</b>
    </div>
  </article>`
