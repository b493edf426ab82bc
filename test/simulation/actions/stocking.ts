// Actions of operators and external catalogs on offers.

import { adjustStock } from '../../../src/catalog/stock/move-stock.ts'
import { changeOffer } from '../../../src/catalog/index.ts'
import { keyOf } from '../../../src/cart/index.ts'
import { receiveEvent } from '../../../src/cart/integration/receive-event.ts'
import { offerIds, reservableIds, type InjectFault, type World } from '../world.ts'
import { someKey } from './buying.ts'
import type { Acknowledge, Action, Focus, Plan } from './action.ts'

export const adjust: Plan = (world, focus) => {
  const key = focus?.key ?? someKey(world)
  const change = world.chance.below(9) - 3 || 4
  const kind = key.isModerated ? 'moderated' : 'offer'
  return async (injectFault) => {
    const move = { kind, offerId: key.offerId, change } as const
    const done = await world.risky(injectFault, async (tx) => {
      await adjustStock(tx, move, 'counted')
      return true
    })
    return () => void (done && change < 0 && world.expected.lowered.add(keyOf(key)))
  }
}

const somePrice = ({ chance }: World): number => 1_000_000 * (1 + chance.below(30)) + chance.below(100)

const someOffer = ({ chance }: World, focus: Focus | undefined): number =>
  focus && !focus.key.isModerated ? focus.key.offerId : chance.pick(offerIds)

async function changed(
  world: World,
  { offerId, ...change }: Change,
  injectFault: InjectFault,
): Promise<Acknowledge> {
  await world.risky(injectFault, (tx) => changeOffer(tx, offerId, change))
  return () => {}
}

interface Change {
  offerId: number
  priceTiyin?: number
  isActive?: boolean
}

export const reprice: Plan = (world, focus) => {
  const offerId = someOffer(world, focus)
  const priceTiyin = somePrice(world)
  return (injectFault) => changed(world, { offerId, priceTiyin }, injectFault)
}

export const showOrHide: Plan = (world, focus) => {
  const offerId = someOffer(world, focus)
  const isActive = world.chance.percent(70)
  return (injectFault) => changed(world, { offerId, isActive }, injectFault)
}

/** A message of an external catalog: new, repeated or outdated. It takes effect when events are delivered. */
export const receiveMessage: Action = async (world) => {
  const { chance, expected } = world
  const { messages } = expected
  if (messages.length === 0 || chance.percent(60)) {
    // Not for reservable offers: this action does not know when the stock would be lowered.
    const OfferId = chance.pick(offerIds.filter((it) => !reservableIds.includes(it)))
    const at = new Date(world.now()).toISOString()
    const [type, data] = chance.pick([
      ['OfferPriceChanged', { OfferId, OldPrice: 1, NewPrice: somePrice(world) / 100 }],
      ['OfferQuantityChanged', { OfferId, NewQuantity: chance.below(30) }],
      ['OfferDeactivated', { OfferId, Reason: 'simulated' }],
      ['OfferActivated', { OfferId, ActivatedAt: at }],
      ['OfferActivated', { OfferId, ActivatedAt: at }],
    ] as [string, unknown][])
    const sequence = messages.length + 1
    messages.push({ id: `${sequence}`, source: 'outside', type, data, time: at, sequence })
  }
  const message = chance.percent(60) ? messages.at(-1)! : chance.pick(messages)
  await world.risky(world.fate(), (tx) => receiveEvent(tx, message))
}
