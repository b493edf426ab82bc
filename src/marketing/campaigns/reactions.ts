// Reactions of campaigns to events: occasions, orders, and deliveries, opens and clicks of their messages.

import { dayMs } from '../../base/clock.ts'
import type { Tx } from '../../base/database.ts'
import { type Reaction, reaction, reactionToMany, type StoredEvent } from '../../base/outbox.ts'
import type { EventOf } from '../../events.ts'
import { amountsOf, findOrder } from '../../orders/index.ts'
import { addMessageCounts, type MessageCounts, insertScan, runningWithTrigger } from './store.ts'
import { clientsDecidedOn, countPurchases, deletePurchase, insertTargets } from './targets-store.ts'
import { recordActivity } from './activity-store.ts'
import { orderOccasion, promotionOccasion } from './occasion.ts'
import { isAboutPromotion } from './triggers.ts'

const clientPattern = /^[1-9]\d{0,15}$/

export const campaignReactions: Reaction[] = [
  reaction('marketing.schedule-after-delivery', 'OrderDelivered', async (tx, { event, occurredAt }) => {
    const campaigns = await runningWithTrigger(tx, 'order_delivered')
    const order = campaigns.length > 0 ? await findOrder(tx, event.orderId) : undefined
    if (order?.buyer.kind !== 'client') return
    const found = [{ clientId: order.buyer.clientId, occasion: orderOccasion(event.orderId) }]
    for (const { id, trigger } of campaigns)
      insertTargets(tx, id, {
        found,
        dueAt: new Date(occurredAt.getTime() + trigger.order_delivered!.days * dayMs),
      })
  }),
  reaction('marketing.scan-for-promotion', 'PromotionStarted', async (tx, { event, occurredAt }) => {
    const occasion = promotionOccasion(event.promotionId, new Date(event.startsAt))
    for (const { id, trigger } of await runningWithTrigger(tx, 'promotion_started'))
      if (isAboutPromotion(trigger, event.promotionId))
        insertScan(tx, { campaignId: id, occasion, fromAt: occurredAt, untilAt: occurredAt })
  }),
  reactionToMany('marketing.count-orders', ['OrdersCreated'], countOrders),
  reaction('marketing.uncount-orders', 'OrderCancelled', async (tx, { event }) =>
    deletePurchase(tx, event.orderId),
  ),
  reactionToMany(
    'marketing.count-messages',
    ['NotificationFailed', 'NotificationOpened', 'NotificationClicked'],
    async (tx, published) => {
      const counts = new Map<number, MessageCounts>()
      for (const { event } of published) {
        if (event.campaignId === null) continue
        const own = counts.get(event.campaignId) ?? {
          campaignId: event.campaignId,
          failed: 0,
          opened: 0,
          clicked: 0,
        }
        own[countedAs[event.type]]++
        counts.set(event.campaignId, own)
      }
      addMessageCounts(tx, [...counts.values()])
    },
  ),
  reactionToMany('marketing.record-activity', ['InteractionsReported'], async (tx, published) => {
    const clients = published.flatMap(({ event }) => event.buyers).filter((it) => clientPattern.test(it))
    if (clients.length > 0) recordActivity(tx, clients.map(Number), published.at(-1)!.occurredAt)
  }),
]

async function countOrders(
  tx: Tx,
  published: readonly StoredEvent<EventOf<'OrdersCreated'>>[],
): Promise<void> {
  const created = published.flatMap(({ event: { clientId, orderIds }, occurredAt: at }) =>
    clientId === null ? [] : orderIds.map((orderId) => ({ clientId, orderId, at })),
  )
  if (created.length === 0) return
  const clients = await clientsDecidedOn(tx, [...new Set(created.map((it) => it.clientId))])
  const theirs = new Map(created.filter((it) => clients.has(it.clientId)).map((it) => [it.orderId, it]))
  if (theirs.size === 0) return
  const amounts = await amountsOf(tx, [...theirs.keys()])
  countPurchases(
    tx,
    amounts.map((it) => ({ ...theirs.get(it.orderId)!, ...it })),
  )
}

const countedAs = {
  NotificationFailed: 'failed',
  NotificationOpened: 'opened',
  NotificationClicked: 'clicked',
} as const
