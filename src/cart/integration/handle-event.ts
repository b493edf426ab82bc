// Handles events of external catalogs and order systems (SPEC-2 6.1). Events arrive in any order and more than once; an
// event older than the latest of its subject is ignored. Unknown and malformed events throw and end as dead letters.

import { type Static, type TSchema, Type } from 'typebox'
import type { Tx } from '../../base/database.ts'
import { inSums, maxPriceTiyin } from '../../base/money.ts'
import { publish } from '../../base/outbox.ts'
import { type FieldFault, type Validator, validatorCompiler } from '../../base/validation.ts'
import * as catalog from '../../catalog/index.ts'
import { id, integer, list, text } from '../../http/schema.ts'
import type { EventOf } from '../../events.ts'
import { removeOffers } from '../carts/change-items.ts'
import type { CartSettings } from '../carts/shopper.ts'
import { eventTime, instantIn, timeExample } from './event-time.ts'
import { recordIfLatest } from './store.ts'

type Received = EventOf<'IntegrationEventReceived'>

interface Handler {
  faultsIn: Validator
  /** The subject whose latest event counts; undefined when handling is idempotent in any order. */
  subject?(data: never): { offerId: number; field: catalog.SetField }
  /** Rules beyond the schema. */
  faults?(data: never): FieldFault[]
  act(tx: Tx, data: never, context: { settings: CartSettings; at: Date }): Promise<unknown>
}

const compile = validatorCompiler()

const handler = <S extends TSchema>(
  shape: S,
  how: {
    subject?: (data: Static<S>) => { offerId: number; field: catalog.SetField }
    faults?: (data: Static<S>) => FieldFault[]
    act: (tx: Tx, data: Static<S>, context: { settings: CartSettings; at: Date }) => Promise<unknown>
  },
): Handler => ({ faultsIn: compile(shape), ...how }) as Handler

const maxOffers = 1_000
const price = Type.Number({ minimum: 0.01, maximum: maxPriceTiyin / 100 })
const offer = { OfferId: id }

/** Prices have at most two decimals; others would have to be rounded. */
const isWholeTiyin = (sums: number): boolean => Math.abs(sums * 100 - Math.round(sums * 100)) < 1e-4

const handlers: Record<string, Handler> = {
  OfferActivated: handler(Type.Object({ ...offer, ActivatedAt: eventTime }), {
    subject: ({ OfferId }) => ({ offerId: OfferId, field: 'sale' }),
    faults: ({ ActivatedAt }) =>
      instantIn(ActivatedAt) ? [] : [{ path: 'ActivatedAt', rule: 'format', limit: timeExample }],
    act: (tx, { OfferId, ActivatedAt }) =>
      catalog.changeOffer(tx, OfferId, {
        isActive: true,
        report: { activatedAt: instantIn(ActivatedAt)! },
      }),
  }),
  OfferDeactivated: handler(Type.Object({ ...offer, Reason: text({ min: 0 }) }), {
    subject: ({ OfferId }) => ({ offerId: OfferId, field: 'sale' }),
    act: (tx, { OfferId, Reason }) =>
      catalog.changeOffer(tx, OfferId, { isActive: false, report: { reason: Reason } }),
  }),
  OfferPriceChanged: handler(Type.Object({ ...offer, OldPrice: Type.Number(), NewPrice: price }), {
    subject: ({ OfferId }) => ({ offerId: OfferId, field: 'price' }),
    faults: ({ NewPrice }) =>
      isWholeTiyin(NewPrice) ? [] : [{ path: 'NewPrice', rule: 'format', limit: '1299000.50' }],
    act: async (tx, { OfferId, OldPrice, NewPrice }) => {
      const { ordinary } = await catalog.loadOffers(tx, { ordinaryIds: [OfferId], moderatedIds: [] })
      const before = ordinary.get(OfferId)
      await catalog.changeOffer(tx, OfferId, { priceTiyin: Math.round(NewPrice * 100) })
      const ourPrice = inSums(before!.usualPriceTiyin)
      // The external price is applied; the event reports that both systems had different prices before.
      if (ourPrice !== OldPrice)
        publish(tx, {
          type: 'ExternalPriceMismatched',
          offerId: OfferId,
          theirPrice: OldPrice,
          ourPrice,
        })
    },
  }),
  OfferQuantityChanged: handler(Type.Object({ ...offer, NewQuantity: integer(0, 2_000_000_000) }), {
    subject: ({ OfferId }) => ({ offerId: OfferId, field: 'quantity' }),
    act: (tx, { OfferId, NewQuantity }) => catalog.changeOffer(tx, OfferId, { quantity: NewQuantity }),
  }),
  OrdersCreated: handler(
    Type.Object({
      OrderIds: list(id, maxOffers),
      ClientId: id,
      ProcessedOfferIds: list(id, maxOffers),
    }),
    {
      act: (tx, { ClientId, ProcessedOfferIds }, { settings, at }) =>
        removeOffers(tx, settings, { clientId: ClientId, offerIds: ProcessedOfferIds, addedUntil: at }),
    },
  ),
}

/** What is wrong with the type or the data of an event. */
export function faultsInData({ type, data }: { type: string; data: unknown }): FieldFault[] {
  const known = Object.hasOwn(handlers, type) ? handlers[type]! : undefined
  if (!known) return [{ path: 'type', rule: 'choice', limit: Object.keys(handlers) }]
  const faults = known.faultsIn(data)
  const all = faults.length > 0 ? faults : (known.faults?.(data as never) ?? [])
  return all.map((it) => ({ ...it, path: it.path ? `data.${it.path}` : 'data' }))
}

/** Handles an external event. */
export async function handleEvent(tx: Tx, settings: CartSettings, it: Received): Promise<void> {
  const [fault] = faultsInData({ type: it.eventType, data: it.data })
  if (fault)
    throw new Error(`${it.eventType.slice(0, 100)} is malformed: ${fault.path} breaks "${fault.rule}"`)
  const known = handlers[it.eventType]!
  const at = new Date(it.time)
  const data = it.data as never
  const target = known.subject?.(data)
  const { source, sequence } = it
  if (target) {
    const subject = `offer/${target.offerId}/${target.field}`
    if (!(await recordIfLatest(tx, { source, subject, sequence, at }))) return
    if (await catalog.isSetAfter(tx, { ...target, at })) return
  }
  await known.act(tx, data, { settings, at })
}

/** What an external order system sold to a client; undefined for other events and for malformed ones. */
export function readOrdersCreated({
  eventType,
  data,
  time,
}: Pick<Received, 'eventType' | 'data' | 'time'>):
  | { clientId: number; offerIds: number[]; at: Date }
  | undefined {
  if (eventType !== 'OrdersCreated' || handlers['OrdersCreated']!.faultsIn(data).length > 0) return undefined
  const { ClientId, ProcessedOfferIds } = data as { ClientId: number; ProcessedOfferIds: number[] }
  return { clientId: ClientId, offerIds: ProcessedOfferIds, at: new Date(time) }
}
