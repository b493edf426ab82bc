// What the shop does when a catalog or an order system outside tells it something (SPEC-2 6.1). The events come in any
// order and any number of times; what is older than the last word on its subject changes nothing. What cannot be
// understood throws, and ends as a dead letter.

import { type Static, type TSchema, Type } from 'typebox'
import type { Tx } from '../base/db.ts'
import { inSums, maxPriceTiyin } from '../base/money.ts'
import { publish } from '../base/outbox.ts'
import { type FaultsIn, faultFinder } from '../base/shape.ts'
import * as catalog from '../catalog/index.ts'
import { id, integer, list, text } from '../http/schema.ts'
import type { EventOf } from '../events.ts'
import { removeOffers } from './remove-offers.ts'
import type { Terms } from './shopper.ts'
import { isLastWord } from './store/incoming.ts'

type Received = EventOf<'IntegrationEventReceived'>

interface Hearing {
  faultsIn: FaultsIn
  /** The subject that has a last word; undefined when repeating does no harm. */
  subject?(data: never): string
  act(tx: Tx, data: never, context: { terms: Terms; at: Date }): Promise<unknown>
}

const compile = faultFinder()

const hearing = <S extends TSchema>(
  shape: S,
  how: {
    subject?: (data: Static<S>) => string
    act: (tx: Tx, data: Static<S>, context: { terms: Terms; at: Date }) => Promise<unknown>
  },
): Hearing => ({ faultsIn: compile(shape), ...how }) as Hearing

const mostOffers = 1_000
const price = Type.Number({ minimum: 0.01, maximum: maxPriceTiyin / 100 })
const offer = { OfferId: id }

const hearings: Record<string, Hearing> = {
  OfferActivated: hearing(Type.Object({ ...offer, ActivatedAt: text({ max: 40 }) }), {
    subject: ({ OfferId }) => `offer/${OfferId}/sale`,
    act: (tx, { OfferId }) => catalog.changeOffer(tx, OfferId, { isActive: true }),
  }),
  OfferDeactivated: hearing(Type.Object({ ...offer, Reason: text({ min: 0 }) }), {
    subject: ({ OfferId }) => `offer/${OfferId}/sale`,
    act: (tx, { OfferId }) => catalog.changeOffer(tx, OfferId, { isActive: false }),
  }),
  OfferPriceChanged: hearing(Type.Object({ ...offer, OldPrice: Type.Number(), NewPrice: price }), {
    subject: ({ OfferId }) => `offer/${OfferId}/price`,
    act: async (tx, { OfferId, OldPrice, NewPrice }) => {
      const { ordinary } = await catalog.offersForSale(tx, { ordinaryIds: [OfferId], moderatedIds: [] })
      const before = ordinary.get(OfferId)
      await catalog.changeOffer(tx, OfferId, { priceTiyin: Math.round(NewPrice * 100) })
      const ourPrice = inSums(before!.usualPriceTiyin)
      // Their word counts, but somebody should hear that the two shops had drifted apart.
      if (ourPrice !== OldPrice)
        await publish(tx, { type: 'OutsidePriceDisagreed', offerId: OfferId, theirPrice: OldPrice, ourPrice })
    },
  }),
  OfferQuantityChanged: hearing(Type.Object({ ...offer, NewQuantity: integer(0, 2_000_000_000) }), {
    subject: ({ OfferId }) => `offer/${OfferId}/quantity`,
    act: (tx, { OfferId, NewQuantity }) => catalog.changeOffer(tx, OfferId, { quantity: NewQuantity }),
  }),
  OrdersCreated: hearing(
    Type.Object({
      OrderIds: list(id, mostOffers),
      ClientId: id,
      ProcessedOfferIds: list(id, mostOffers),
    }),
    {
      act: (tx, { ClientId, ProcessedOfferIds }, { terms, at }) =>
        removeOffers(tx, terms, { clientId: ClientId, offerIds: ProcessedOfferIds, addedUntil: at }),
    },
  ),
}

/** Acts on an event from outside. */
export async function hearEvent(tx: Tx, terms: Terms, it: Received): Promise<void> {
  const known = Object.hasOwn(hearings, it.eventType) ? hearings[it.eventType]! : undefined
  if (!known) throw new Error(`nobody here knows an event "${it.eventType.slice(0, 100)}"`)
  const [fault] = known.faultsIn(it.data)
  if (fault) throw new Error(`${it.eventType} is malformed: ${fault.path} breaks "${fault.rule}"`)
  const at = new Date(it.time)
  const data = it.data as never
  const subject = known.subject?.(data)
  const { source, sequence } = it
  if (subject !== undefined && !(await isLastWord(tx, { source, subject, sequence, at }))) return
  await known.act(tx, data, { terms, at })
}

/** What an order system outside says to have sold to a client; undefined for any other event, and for one that is malformed. */
export function readOrdersCreated({
  eventType,
  data,
  time,
}: Pick<Received, 'eventType' | 'data' | 'time'>):
  | { clientId: number; offerIds: number[]; at: Date }
  | undefined {
  if (eventType !== 'OrdersCreated' || hearings['OrdersCreated']!.faultsIn(data).length > 0) return undefined
  const { ClientId, ProcessedOfferIds } = data as { ClientId: number; ProcessedOfferIds: number[] }
  return { clientId: ClientId, offerIds: ProcessedOfferIds, at: new Date(time) }
}
