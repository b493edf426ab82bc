// Delivery at checkout: the methods of every partner with their prices and days, and the address or pick-up point.

import { html, type Html } from '../../../http/html.ts'
import type { Operations } from '../../../sdk/index.ts'
import { field } from '../fields.ts'
import { fill } from '../texts/index.ts'
import type { Visit } from '../visit.ts'
import { isModeratedLine, type Line, lineId } from './cart.ts'

type Listed = Operations['cart.listDeliveryMethods']['reply']['Deliveries'][number]
type Method = Listed['Methods'][number]
type Order = Operations['cart.order']['input']

export interface Delivery {
  regions: { code: string; name: string }[]
  region: string
  partners: { listed: Listed; chosen: Choice | undefined }[]
  /** In sums, of all partners. */
  price: number
  /** What the coupon takes off the chosen lines, in sums. */
  discount: number
  needsAddress: boolean
}

interface Choice {
  method: Method
  pointId: string | undefined
}

const defaultRegion = 'UZ-TK'

/** The methods for the chosen lines in the chosen region. */
export async function loadDelivery(visit: Visit, lines: readonly Line[]): Promise<Delivery> {
  const { bozor, form } = visit
  const { regions } = await bozor.regions.list()
  const region = regions.find((it) => it.code === form['region'])?.code ?? regions[0]?.code ?? defaultRegion
  const idsOf = (isModerated: boolean) =>
    lines.filter((it) => isModeratedLine(it) === isModerated).map((it) => String(lineId(it)))
  const { Deliveries, Discount } = await bozor.cart.listDeliveryMethods({
    ...visit.buyer,
    Region: region,
    ...(idsOf(false).length > 0 && { OfferIds: idsOf(false) }),
    ...(idsOf(true).length > 0 && { ModeratedOfferIds: idsOf(true) }),
  })
  const partners = Deliveries.map((listed) => ({ listed, chosen: choiceOf(visit, listed) }))
  return {
    regions,
    region,
    partners,
    discount: Number(Discount),
    price: partners.reduce((sum, it) => sum + (it.chosen?.method.Price ?? 0), 0),
    needsAddress: partners.some((it) => it.chosen?.method.Kind !== 'pickup'),
  }
}

const fieldOf = ({ PartnerId }: Listed): string => `delivery-${PartnerId}`
const valueOf = ({ DeliveryMethodId: id }: Method, pointId?: string): string =>
  pointId === undefined ? String(id) : `${id}:${pointId}`

/** What was chosen, if it is still there; otherwise the first method, to an address if there is one. */
function choiceOf({ form }: Visit, listed: Listed): Choice | undefined {
  const choices = listed.Methods.flatMap((method): Choice[] =>
    method.Kind === 'pickup' && method.PickupPoints.length > 0
      ? method.PickupPoints.map((it) => ({ method, pointId: it.Id }))
      : [{ method, pointId: undefined }],
  )
  const sent = form[fieldOf(listed)]
  return (
    choices.find((it) => valueOf(it.method, it.pointId) === sent) ??
    choices.find((it) => it.pointId === undefined) ??
    choices[0]
  )
}

export function deliveryFields(visit: Visit, delivery: Delivery, beside: Map<string, string>): Html {
  const { texts, form } = visit
  const text = (name: 'city' | 'street' | 'building' | 'apartment' | 'landmark', isOptional = false) =>
    field(visit, { name, label: texts[name], value: form[name], isOptional, problem: beside.get(name) })
  return html`<fieldset class="panel address">
      <legend>${texts.address}</legend>
      <div class="field">
        <label for="region">${texts.region}</label>
        <select id="region" name="region" autocomplete="address-level1" data-review>
          ${delivery.regions.map(
            ({ code, name }) =>
              html`<option value="${code}" ${code === delivery.region && html`selected`}>
                ${visit.say(name)}
              </option>`,
          )}
        </select>
      </div>
      ${
        delivery.needsAddress &&
        html`${text('city')} ${text('street')} ${text('building')} ${text('apartment', true)}
        ${text('landmark', true)}`
      }
    </fieldset>
    ${delivery.partners.map((it) => partnerFields(visit, it.listed, it.chosen))}`
}

const partnerFields = (visit: Visit, listed: Listed, chosen: Choice | undefined): Html =>
  html`<fieldset class="panel">
    <legend>${visit.texts.deliveryMethod}: ${listed.PartnerName}</legend>
    ${listed.Methods.length === 0 && html`<p class="message warning">${visit.texts.noDelivery}</p>`}
    ${listed.Methods.flatMap((method) =>
      method.Kind === 'pickup' && method.PickupPoints.length > 0
        ? method.PickupPoints.map((point) =>
            option(visit, {
              listed,
              method,
              chosen,
              pointId: point.Id,
              name: point.Name,
              more: [point.City, point.Address, point.Hours].filter(Boolean).join(', '),
            }),
          )
        : [option(visit, { listed, method, chosen, name: method.Name, more: '' })],
    )}
  </fieldset>`

function option(
  visit: Visit,
  it: {
    listed: Listed
    method: Method
    chosen: Choice | undefined
    pointId?: string
    /** Of the pick-up point or of the method. */
    name: string
    more: string
  },
): Html {
  const { texts, format } = visit
  const { method, pointId } = it
  const value = valueOf(method, pointId)
  const isChosen = it.chosen !== undefined && value === valueOf(it.chosen.method, it.chosen.pointId)
  const details = [
    it.more,
    method.PromisedOn !== null && fill(texts.byDate, { date: format.date(method.PromisedOn) }),
    method.FreeFrom !== null &&
      method.Price > 0 &&
      fill(texts.freeFrom, { amount: format.sums(method.FreeFrom) }),
  ]
  return html`<label class="check method">
    <input
      type="radio"
      id="${fieldOf(it.listed)}-${value}"
      name="${fieldOf(it.listed)}"
      value="${value}"
      ${isChosen && html`checked`}
      data-review
    />
    <span>${visit.say(it.name)} <small>${visit.say(details.filter(Boolean).join(' · '))}</small></span>
    <b class="method-price">${method.Price === 0 ? texts.free : format.sums(method.Price)}</b>
  </label>`
}

export const addressNames = ['city', 'street', 'building']

/** The delivery of the order as the API takes it. */
export function orderedDelivery({ form }: Visit, delivery: Delivery): Pick<Order, 'Delivery'> {
  const text = (name: string) => form[name]?.trim() ?? ''
  const methods = delivery.partners.flatMap(({ listed, chosen }) =>
    chosen?.method.DeliveryMethodId == null
      ? []
      : [
          {
            PartnerId: listed.PartnerId,
            DeliveryMethodId: chosen.method.DeliveryMethodId,
            ...(chosen.pointId !== undefined && { PickupPointId: chosen.pointId }),
          },
        ],
  )
  return {
    Delivery: {
      ...(delivery.needsAddress && {
        Address: {
          Region: delivery.region,
          City: text('city'),
          Street: text('street'),
          House: text('building'),
          ...(text('apartment') && { Apartment: text('apartment') }),
          ...(text('landmark') && { Landmark: text('landmark') }),
        },
      }),
      ...(methods.length > 0 && { Methods: methods }),
    },
  }
}
