// What campaigns do when others speak: they hear of occasions, of orders, and of what became of their messages.

import type { Tx } from '../../base/db.ts'
import { type Reaction, reaction, reactionToMany, type Told } from '../../base/outbox.ts'
import type { EventOf } from '../../events.ts'
import { amountsOf, findOrder } from '../../orders/index.ts'
import { noteActivity } from '../store/activity.ts'
import { addHeard, type Heard, insertLook, runningWithCue } from '../store/campaigns.ts'
import { clientsReached, countPurchases, forgetPurchase } from '../store/purchases.ts'
import { insertTargets } from '../store/targets.ts'
import { orderOccasion, promotionOccasion } from './cues.ts'

const dayMs = 86_400_000
const clientForm = /^[1-9]\d{0,15}$/

export const campaignReactions: Reaction[] = [
  reaction('marketing.await-after-delivery', 'OrderDelivered', async (tx, { event, occurredAt }) => {
    const campaigns = await runningWithCue(tx, 'order_delivered')
    const order = campaigns.length > 0 ? await findOrder(tx, event.orderId) : undefined
    if (order?.buyer.kind !== 'client') return
    const found = [{ clientId: order.buyer.clientId, occasion: orderOccasion(event.orderId) }]
    for (const { id, when } of campaigns)
      await insertTargets(tx, id, {
        found,
        dueAt: new Date(occurredAt.getTime() + when.order_delivered!.days * dayMs),
      })
  }),
  reaction('marketing.tell-promotion', 'PromotionStarted', async (tx, { event, occurredAt }) => {
    const occasion = promotionOccasion(event.promotionId, new Date(event.startsAt))
    for (const { id, when } of await runningWithCue(tx, 'promotion_started')) {
      const { promotion } = when.promotion_started!
      if (promotion === undefined || Number(promotion) === event.promotionId)
        await insertLook(tx, { campaignId: id, occasion, fromAt: occurredAt, untilAt: occurredAt })
    }
  }),
  reactionToMany('marketing.count-orders', ['OrdersCreated'], countOrders),
  reaction('marketing.uncount-orders', 'OrderCancelled', (tx, { event }) =>
    forgetPurchase(tx, event.orderId),
  ),
  reactionToMany(
    'marketing.count-echoes',
    ['NotificationFailed', 'NotificationOpened', 'NotificationClicked'],
    async (tx, told) => {
      const heard = new Map<number, Heard>()
      for (const { event } of told) {
        if (event.campaignId === null) continue
        const counts = heard.get(event.campaignId) ?? {
          campaignId: event.campaignId,
          failed: 0,
          opened: 0,
          clicked: 0,
        }
        counts[heardAs[event.type]]++
        heard.set(event.campaignId, counts)
      }
      await addHeard(tx, [...heard.values()])
    },
  ),
  reactionToMany('marketing.note-activity', ['BehaviourReported'], async (tx, told) => {
    const clients = told.flatMap(({ event }) => event.buyers).filter((it) => clientForm.test(it))
    if (clients.length > 0) await noteActivity(tx, clients.map(Number), told.at(-1)!.occurredAt)
  }),
]

async function countOrders(tx: Tx, told: readonly Told<EventOf<'OrdersCreated'>>[]): Promise<void> {
  const made = told.flatMap(({ event: { clientId, orderIds }, occurredAt: at }) =>
    clientId === null ? [] : orderIds.map((orderId) => ({ clientId, orderId, at })),
  )
  if (made.length === 0) return
  const clients = await clientsReached(tx, [...new Set(made.map((it) => it.clientId))])
  const theirs = new Map(made.filter((it) => clients.has(it.clientId)).map((it) => [it.orderId, it]))
  if (theirs.size === 0) return
  const amounts = await amountsOf(tx, [...theirs.keys()])
  countPurchases(
    tx,
    amounts.map((it) => ({ ...theirs.get(it.orderId)!, ...it })),
  )
}

const heardAs = {
  NotificationFailed: 'failed',
  NotificationOpened: 'opened',
  NotificationClicked: 'clicked',
} as const
