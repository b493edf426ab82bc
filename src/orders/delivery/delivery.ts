// How the orders of a checkout can be delivered, and how they will be. Pure.
//
// A partner without delivery methods delivers free of charge. A buyer who chooses no method gets one that is free for the
// order; a method that costs something is never chosen for the buyer.

import { daysAfter } from '../../base/time-zone.ts'
import type { FieldFault } from '../../base/validation.ts'
import * as cart from '../../cart/index.ts'
import * as catalog from '../../catalog/index.ts'
import type { LocalizedText } from '../../http/language.ts'
import { type Address, addressText, pointText } from './address.ts'

/** The delivery of an order, as it was when the order was placed. */
export interface OrderedDelivery {
  /** Null for a partner without delivery methods. */
  methodId: number | null
  kind: catalog.DeliveryKind
  name: LocalizedText
  priceTiyin: number
  /** A business day; null for a partner without delivery methods. */
  promisedOn: string | null
  address: Address | null
  point: catalog.PickupPoint | null
}

/** What one partner delivers. */
export interface Parcel {
  partnerId: number
  amountTiyin: number
}

/** A way in which a parcel can be delivered. */
export interface DeliveryOption extends Omit<OrderedDelivery, 'address' | 'point'> {
  freeFromTiyin: number | null
  daysMin: number | null
  daysMax: number | null
  points: catalog.PickupPoint[]
}

export interface DeliveryChoice {
  partnerId: number
  methodId: number
  pointId?: string | undefined
}

/** What the buyer chose. */
export interface WantedDelivery {
  address: Address | null
  /** An address in one line. */
  text: string | null
  choices: readonly DeliveryChoice[]
}

const byThePartner: DeliveryOption = {
  methodId: null,
  kind: 'courier',
  name: { ru: 'Доставка продавцом', uz: 'Sotuvchi yetkazib beradi', en: 'Delivery by the seller' },
  priceTiyin: 0,
  promisedOn: null,
  freeFromTiyin: null,
  daysMin: null,
  daysMax: null,
  points: [],
}

interface Place {
  methods: readonly catalog.DeliveryMethod[]
  /** Undefined lists all methods; null is an unknown region. */
  region: string | null | undefined
  /** The business day of ordering. */
  day: string
}

/** The ways in which a parcel can be delivered to a region, the cheapest first. Pick-up points are those of the region. */
export function deliveryOptions(
  { partnerId, amountTiyin }: Parcel,
  { methods, region, day }: Place,
): DeliveryOption[] {
  const own = methods.filter((it) => it.partnerId === partnerId)
  if (own.length === 0) return [byThePartner]
  const open = own.filter((it) => it.isActive && (region === undefined || catalog.deliversTo(it, region)))
  const options = open.map((it) => optionOf(it, { amountTiyin, region, day }))
  return options
    .filter((it) => it.kind !== 'pickup' || it.points.length > 0)
    .toSorted((a, b) => a.priceTiyin - b.priceTiyin || a.daysMax! - b.daysMax! || a.methodId! - b.methodId!)
}

const optionOf = (
  it: catalog.DeliveryMethod,
  { amountTiyin, region, day }: { amountTiyin: number; region: string | null | undefined; day: string },
): DeliveryOption => ({
  methodId: it.id,
  kind: it.kind,
  name: it.name,
  priceTiyin: catalog.deliveryPriceTiyin(it, amountTiyin),
  promisedOn: daysAfter(day, it.daysMax),
  freeFromTiyin: it.freeFromTiyin,
  daysMin: it.daysMin,
  daysMax: it.daysMax,
  points: it.pickupPoints.filter((point) => region == null || point.region === region),
})

export interface DecidedDeliveries {
  /** By partner; a partner whose delivery cannot be decided is left out. */
  deliveries: Map<number, OrderedDelivery & { text: string }>
  violations: cart.Violation[]
  faults: FieldFault[]
}

/** Decides how each parcel is delivered. Paths of faults are written as in the cart's API. */
export function decideDeliveries(
  parcels: readonly Parcel[],
  wanted: WantedDelivery,
  { methods, day }: Pick<Place, 'methods' | 'day'>,
): DecidedDeliveries {
  const decided: DecidedDeliveries = {
    deliveries: new Map(),
    violations: [],
    faults: unusedChoices(parcels, wanted),
  }
  for (const parcel of parcels) {
    const at = wanted.choices.findIndex((it) => it.partnerId === parcel.partnerId)
    const choice = wanted.choices[at]
    const found = choice
      ? chosen(parcel, choice, { wanted, methods, day })
      : unchosen(parcel, { wanted, methods, day })
    if (typeof found === 'string') {
      const region = wanted.address?.region
      const ids = deliveryOptions(parcel, { methods, region, day }).flatMap((it) => it.methodId ?? [])
      decided.violations.push(undelivered(found, parcel, ids))
    } else if ('rule' in found) decided.faults.push({ ...found, path: found.path.replace('*', String(at)) })
    else decided.deliveries.set(parcel.partnerId, found)
  }
  return decided
}

/** Without a method to choose from, the products of the partner cannot be delivered at all. */
const undelivered = (
  code: 'delivery_unavailable' | 'delivery_method_required',
  { partnerId }: Parcel,
  ids: number[],
): cart.Violation =>
  ids.length > 0
    ? { code, partner_id: partnerId, remedy: { action: 'choose_delivery', delivery_method_ids: ids } }
    : { code: 'delivery_unavailable', partner_id: partnerId, available: 0, remedy: { action: 'remove' } }

type Decision =
  | (OrderedDelivery & { text: string })
  | FieldFault
  | 'delivery_unavailable'
  | 'delivery_method_required'

type Deciding = Pick<Place, 'methods' | 'day'> & { wanted: WantedDelivery }

function chosen(parcel: Parcel, choice: DeliveryChoice, { wanted, methods, day }: Deciding): Decision {
  const options = deliveryOptions(parcel, { methods, region: undefined, day })
  const option = options.find((it) => it.methodId === choice.methodId)
  const method = methods.find((it) => it.id === choice.methodId)
  if (!option || !method) return 'delivery_unavailable'
  if (option.kind === 'pickup') {
    const ids = option.points.map((it) => it.id)
    const point = option.points.find((it) => it.id === choice.pointId)
    const path = 'Delivery.Methods.*.PickupPointId'
    if (point) return { ...deliveryOf(option), address: null, point, text: pointText(point) }
    return choice.pointId === undefined ? { path, rule: 'required' } : { path, rule: 'choice', limit: ids }
  }
  if (method.regions.length > 0 && !wanted.address) return { path: 'Delivery.Address', rule: 'required' }
  return catalog.deliversTo(method, wanted.address?.region ?? null)
    ? toAddress(option, wanted)
    : 'delivery_unavailable'
}

/** The first method that costs nothing and needs no choice of a pick-up point. */
function unchosen(parcel: Parcel, { wanted, methods, day }: Deciding): Decision {
  const options = deliveryOptions(parcel, { methods, region: wanted.address?.region ?? null, day })
  const free = options.find((it) => it.priceTiyin === 0 && it.kind !== 'pickup')
  return free ? toAddress(free, wanted) : 'delivery_method_required'
}

function toAddress(option: DeliveryOption, { address, text }: WantedDelivery): Decision {
  const line = address ? addressText(address) : text
  if (line === null) return { path: 'DeliveryAddress', rule: 'required' }
  return { ...deliveryOf(option), address, point: null, text: line }
}

const deliveryOf = ({ methodId, kind, name, priceTiyin, promisedOn }: DeliveryOption) => ({
  methodId,
  kind,
  name,
  priceTiyin,
  promisedOn,
})

/** A choice for a partner of whom nothing is ordered, and the second choice for one partner, are mistakes. */
const unusedChoices = (parcels: readonly Parcel[], { choices }: WantedDelivery): FieldFault[] =>
  choices.flatMap(({ partnerId }, at) => {
    const path = `Delivery.Methods.${at}.PartnerId`
    const isSecond = choices.findIndex((it) => it.partnerId === partnerId) < at
    if (isSecond) return [{ path, rule: 'unique' }]
    return parcels.some((it) => it.partnerId === partnerId) ? [] : [{ path, rule: 'in_cart' }]
  })
