// Messages about orders, and the reaction to a moved test clock.

import type { Tx } from '../../base/database.ts'
import { type Reaction, reaction, reactionToMany, type StoredEvent } from '../../base/outbox.ts'
import { sumTiyin } from '../../base/money.ts'
import type { EventOf } from '../../events.ts'
import { contactsOfClients } from '../../identity/index.ts'
import { findOrder, type Order } from '../../orders/index.ts'
import { notify, notifyAll } from './notify.ts'
import { makeAllDue } from './store.ts'
import { templatesBySlug } from '../templates/store.ts'
import type { builtInTemplates } from '../templates/templates.ts'
import type { Channel } from '../templates/template.ts'
import type { Item } from '../templates/variables.ts'

export const orderReactions: Reaction[] = [
  // Back to real time: what was created or retried in the future would otherwise wait until then.
  reaction('marketing.make-due', 'TestClockMoved', async (tx, { event }) => {
    if (event.offsetSeconds === 0) makeAllDue(tx, new Date(event.movedAt))
  }),
  reactionToMany('marketing.notify-order-placed', ['OrdersCreated'], sendOrdersPlaced),
  reaction('marketing.notify-order-shipped', 'OrderShipped', async (tx, { event }) => {
    const order = await findOrder(tx, event.orderId)
    if (order?.buyer.kind !== 'client') return
    const channel = (await channelsOf(tx, [order.buyer.clientId], 'order-shipped')).get(order.buyer.clientId)
    if (!channel) return
    const { carrier, trackingNumber: tracking_number } = event
    const lines = unitsOf(order, event.fulfilmentId).map(itemOf)
    await notify(tx, {
      to: { clientId: order.buyer.clientId },
      channel,
      category: 'transactional',
      template: 'order-shipped',
      key: `order-shipped/${event.fulfilmentId}`,
      variables: { order: { ...checkoutVariables([order]), lines, carrier, tracking_number } },
    })
  }),
]

async function sendOrdersPlaced(
  tx: Tx,
  published: readonly StoredEvent<EventOf<'OrdersCreated'>>[],
): Promise<void> {
  const made = published.flatMap(({ event: { clientId, orderIds } }) =>
    clientId === null ? [] : [{ clientId, orderIds }],
  )
  const clientIds = [...new Set(made.map((it) => it.clientId))]
  const channels = await channelsOf(tx, clientIds, 'order-placed')
  const written = made.filter((it) => channels.has(it.clientId))
  const found = await tx.pipeline(() =>
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
      variables: { order: checkoutVariables(orderIds.flatMap((id) => orders.get(id) ?? [])) },
    })),
  )
}

/**
 * E-mail, or SMS for clients without an e-mail address. Unknown clients and inactive templates get no message.
 */
async function channelsOf(
  tx: Tx,
  clientIds: readonly number[],
  template: keyof typeof builtInTemplates,
): Promise<Map<number, Channel>> {
  const contacts = clientIds.length > 0 ? await contactsOfClients(tx, clientIds) : []
  const templates = contacts.length > 0 ? await templatesBySlug(tx, [template]) : []
  const active = new Set(templates.filter((it) => it.isActive).map((it) => it.channel))
  const preferred = contacts.map(({ id, email }): [number, Channel] => [id, email === null ? 'sms' : 'email'])
  return new Map(preferred.filter(([, channel]) => active.has(channel)))
}

/** The order lines of one parcel. */
function unitsOf(order: Order, fulfilmentId: string): Order['lines'] {
  const parcel = order.progress.fulfilments.find((it) => it.id === fulfilmentId)
  const units = new Map(parcel?.lines.map((it) => [it.line, it.quantity]))
  return order.lines.flatMap((it) => {
    const quantity = units.get(it.number)
    return quantity === undefined ? [] : [{ ...it, quantity }]
  })
}

/** The orders of one checkout are one order to the buyer. */
const checkoutVariables = (orders: readonly Order[]) => ({
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
