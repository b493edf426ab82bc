// What is written to buyers because something happened elsewhere.

import type { Tx } from '../base/db.ts'
import { type Reaction, reaction, reactionToMany, type Told } from '../base/outbox.ts'
import { sumTiyin } from '../base/money.ts'
import type { EventOf } from '../events.ts'
import { contactsOfClients } from '../identity/index.ts'
import { findOrder, type Order } from '../orders/index.ts'
import { notify, notifyAll } from './notifications/notify.ts'
import { hastenAll } from './store/sending.ts'
import { templatesBySlug } from './store/templates.ts'
import type { houseTemplates } from './templates/house.ts'
import type { Channel } from './templates/template.ts'
import type { Item } from './templates/variables.ts'

export const reactions: Reaction[] = [
  // Set back to the real one: what was written or tried in the future of before would else wait until it comes again.
  reaction('marketing.send-now', 'TestClockMoved', async (tx, { event }) => {
    if (event.offsetSeconds === 0) await hastenAll(tx, new Date(event.movedAt))
  }),
  reactionToMany('marketing.tell-order-placed', ['OrdersCreated'], tellOrdersPlaced),
  reaction('marketing.tell-order-shipped', 'OrderShipped', async (tx, { event }) => {
    const order = await findOrder(tx, event.orderId)
    if (order?.buyer.kind !== 'client') return
    const channel = (await channelsTo(tx, [order.buyer.clientId], 'order-shipped')).get(order.buyer.clientId)
    if (!channel) return
    const { carrier, trackingNumber: tracking_number } = event
    const lines = unitsOf(order, event.fulfilmentId).map(itemOf)
    await notify(tx, {
      to: { clientId: order.buyer.clientId },
      channel,
      category: 'transactional',
      template: 'order-shipped',
      key: `order-shipped/${event.fulfilmentId}`,
      variables: { order: { ...placed([order]), lines, carrier, tracking_number } },
    })
  }),
]

async function tellOrdersPlaced(tx: Tx, told: readonly Told<EventOf<'OrdersCreated'>>[]): Promise<void> {
  const made = told.flatMap(({ event: { clientId, orderIds } }) =>
    clientId === null ? [] : [{ clientId, orderIds }],
  )
  const clientIds = [...new Set(made.map((it) => it.clientId))]
  const channels = await channelsTo(tx, clientIds, 'order-placed')
  const written = made.filter((it) => channels.has(it.clientId))
  const found = await tx.together(() =>
    Promise.all(written.flatMap((it) => it.orderIds).map((id) => findOrder(tx, id))),
  )
  const orders = new Map(found.flatMap((it) => (it ? [[it.id, it]] : [])))
  await notifyAll(
    tx,
    written.map(({ clientId, orderIds }) => ({
      to: { clientId },
      channel: channels.get(clientId)!,
      category: 'transactional',
      template: 'order-placed',
      key: `order-placed/${orderIds[0]}`,
      variables: { order: placed(orderIds.flatMap((id) => orders.get(id) ?? [])) },
    })),
  )
}

/**
 * By e-mail, or by telephone where there is no e-mail. Whom we do not know, the shop knows elsewhere, and writes to from
 * there; and a template that an operator has switched off says that he wants nothing written.
 */
async function channelsTo(
  tx: Tx,
  clientIds: readonly number[],
  template: keyof typeof houseTemplates,
): Promise<Map<number, Channel>> {
  const contacts = clientIds.length > 0 ? await contactsOfClients(tx, clientIds) : []
  const templates = contacts.length > 0 ? await templatesBySlug(tx, [template]) : []
  const active = new Set(templates.filter((it) => it.isActive).map((it) => it.channel))
  const wished = contacts.map(({ id, email }): [number, Channel] => [id, email === null ? 'sms' : 'email'])
  return new Map(wished.filter(([, channel]) => active.has(channel)))
}

/** What of an order is in a parcel. */
function unitsOf(order: Order, fulfilmentId: string): Order['lines'] {
  const parcel = order.story.fulfilments.find((it) => it.id === fulfilmentId)
  const units = new Map(parcel?.lines.map((it) => [it.line, it.quantity]))
  return order.lines.flatMap((it) => {
    const quantity = units.get(it.number)
    return quantity === undefined ? [] : [{ ...it, quantity }]
  })
}

/** The orders of one checkout, as its buyer sees them: as one. */
const placed = (orders: readonly Order[]) => ({
  id: orders.map((it) => it.id).join(', '),
  total: sumTiyin(orders.map((it) => it.amountTiyin)),
  address: orders[0]!.address,
  lines: orders.flatMap((it) => it.lines.map(itemOf)),
  carrier: null,
  tracking_number: null,
})

const itemOf = ({ name, quantity, priceTiyin }: Order['lines'][number]): Item => ({
  name,
  quantity,
  price: priceTiyin,
  amount: priceTiyin * quantity,
})
