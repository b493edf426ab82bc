// Delivery in requests and replies: the same fields in the spelling of the cart's API (`PickupPointId`) and of `/v1`
// (`pickup_point_id`).

import { type TObjectOptions, type TSchema, Type } from 'typebox'
import { asMoney, type Currency, inSums } from '../../base/money.ts'
import * as catalog from '../../catalog/index.ts'
import { inLanguage, type Language } from '../../http/language.ts'
import {
  id,
  idInput,
  idText,
  integer,
  list,
  name,
  nullable,
  oneOf,
  text,
  uuid,
  money,
} from '../../http/schema.ts'
import type { Address } from './address.ts'
import type { DeliveryOption, OrderedDelivery } from './delivery.ts'

/** How a family of calls spells fields, ids and money. */
export interface Spelling {
  field(name: string): string
  idIn: TSchema
  idOut: TSchema
  id(value: number): number | string
  money: TSchema
  amount(tiyin: number, currency?: Currency): unknown
}

const pascal = (it: string): string => it[0]!.toUpperCase() + it.slice(1)
const snake = (it: string): string => it.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const inCartApi: Spelling = {
  field: pascal,
  idIn: id,
  idOut: id,
  id: (it) => it,
  money: Type.Number({ minimum: 0, examples: [25_000] }),
  amount: (tiyin, currency) => {
    if (!currency) return inSums(tiyin)
    const { amount } = asMoney(tiyin, currency)
    return amount / currency.parts
  },
}

export const inV1: Spelling = {
  field: snake,
  idIn: idInput,
  idOut: idText,
  id: String,
  money,
  amount: asMoney,
}

/** An object with its fields in a spelling. */
const objectIn = <T>({ field }: Spelling, fields: Record<string, TSchema>, options: TObjectOptions = {}) =>
  Type.Unsafe<T>(
    Type.Object(
      Object.fromEntries(Object.entries(fields).map(([key, shape]) => [field(key), shape])),
      options,
    ),
  )

/** A value with its fields in a spelling, lists and objects inside it too. */
function spell(spelling: Spelling, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((it) => spell(spelling, it))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, it]) => [spelling.field(key), spell(spelling, it)]),
  )
}

/** The reverse, from either spelling. */
export function camelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [camel(key), camelKeys(it)]))
}

const camel = (it: string): string =>
  it[0]!.toLowerCase() + it.slice(1).replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** A path of the cart's API, such as `Delivery.Methods.0.PartnerId`, as `/v1` spells it. */
export const v1Path = (path: string): string =>
  path
    .split('.')
    .map((it) => snake(camel(it)))
    .join('.')

/** The name of a schema in the OpenAPI document; the cart writes its fields in PascalCase. */
export const titleIn = (spelling: Spelling, title: string) => ({
  title: spelling === inV1 ? title : `Cart${title}`,
})

const strictly = { additionalProperties: false }

const addressFields = {
  region: catalog.regionCode,
  city: name(100, 'Toshkent'),
  street: name(200, 'Amir Temur shoh ko‘chasi'),
  house: name(50, '1'),
  apartment: Type.Optional(nullable(name(50, '12'))),
  landmark: Type.Optional(nullable(name(200, 'Chorsu bozori yonida'))),
  postalCode: Type.Optional(nullable(text({ max: 12, pattern: '^[A-Za-z0-9 -]+$', examples: ['100000'] }))),
  latitude: Type.Optional(nullable(catalog.latitude)),
  longitude: Type.Optional(nullable(catalog.longitude)),
}

export const addressIn = (spelling: Spelling) =>
  objectIn<object>(spelling, addressFields, { ...strictly, ...titleIn(spelling, 'AddressInput') })

/** An address as it is stored, from either spelling. */
export function addressOf(sent: object): Address {
  const it = camelKeys(sent) as Pick<Address, 'region' | 'city' | 'street' | 'house'> & Partial<Address>
  return {
    region: it.region,
    city: it.city.trim(),
    street: it.street.trim(),
    house: it.house.trim(),
    apartment: it.apartment ?? null,
    landmark: it.landmark ?? null,
    postalCode: it.postalCode ?? null,
    latitude: it.latitude ?? null,
    longitude: it.longitude ?? null,
  }
}

const maxPartners = 200

/** The fields of an order about its delivery. */
export const deliveryFields = (spelling: Spelling) => {
  const { idIn } = spelling
  const method = objectIn<object>(
    spelling,
    { partnerId: idIn, deliveryMethodId: idIn, pickupPointId: Type.Optional(text({ max: 50 })) },
    strictly,
  )
  return {
    [spelling.field('deliveryAddress')]: Type.Optional(
      text({
        max: 500,
        pattern: '\\S',
        description: 'The address in one line. A structured address in the delivery replaces it.',
        examples: ['Toshkent, Amir Temur 1'],
      }),
    ),
    [spelling.field('delivery')]: Type.Optional(
      objectIn<object>(
        spelling,
        {
          address: Type.Optional(addressIn(spelling)),
          addressId: Type.Optional({ ...uuid, description: 'A saved address of the client.' }),
          methods: Type.Optional(list(method, maxPartners)),
        },
        {
          ...strictly,
          description:
            'Where to and how. One method per partner; a partner without a choice delivers by a method that costs nothing for the order, if there is one. An order that the buyer collects needs no address.',
        },
      ),
    ),
  }
}

const string = Type.String()
const stringOrNull = nullable(string)
const numberOrNull = nullable(Type.Number())
const dayOrNull = nullable(Type.String({ format: 'date', examples: ['2026-11-20'] }))

const addressOut = (spelling: Spelling) =>
  objectIn<object>(
    spelling,
    {
      region: string,
      regionName: string,
      city: string,
      street: string,
      house: string,
      apartment: stringOrNull,
      landmark: stringOrNull,
      postalCode: stringOrNull,
      latitude: numberOrNull,
      longitude: numberOrNull,
    },
    titleIn(spelling, 'Address'),
  )

const pointOut = (spelling: Spelling) =>
  objectIn<object>(
    spelling,
    {
      id: string,
      name: string,
      region: string,
      regionName: string,
      city: string,
      address: string,
      hours: stringOrNull,
      latitude: numberOrNull,
      longitude: numberOrNull,
    },
    titleIn(spelling, 'DeliveryPoint'),
  )

export const addressReply = addressOut(inV1)
export const addressView = (it: Address, language: Language, spelling: Spelling = inV1): object =>
  spell(spelling, { ...it, regionName: catalog.regionName(it.region, language) }) as object

const pointView = (it: catalog.PickupPoint, language: Language, spelling: Spelling): object =>
  spell(spelling, {
    ...it,
    name: inLanguage(it.name, language),
    regionName: catalog.regionName(it.region, language),
  }) as object

const methodFields = ({ idOut, money }: Spelling) => ({
  deliveryMethodId: nullable(idOut),
  kind: oneOf(catalog.deliveryKinds),
  name: string,
  price: money,
  promisedOn: dayOrNull,
})

/** The delivery of an order in a reply. */
export const deliveryReply = (spelling: Spelling) =>
  nullable(
    objectIn<object>(
      spelling,
      {
        ...methodFields(spelling),
        address: nullable(addressOut(spelling)),
        pickupPoint: nullable(pointOut(spelling)),
      },
      titleIn(spelling, 'OrderDelivery'),
    ),
  )

export function deliveryView(
  it: OrderedDelivery | null,
  language: Language,
  spelling: Spelling,
): object | null {
  if (!it) return null
  const { field } = spelling
  return {
    ...methodView(it, { language, spelling }),
    [field('address')]: it.address && addressView(it.address, language, spelling),
    [field('pickupPoint')]: it.point && pointView(it.point, language, spelling),
  }
}

export interface DeliveryViewOptions {
  language: Language
  spelling: Spelling
  currency?: Currency
}

const methodView = (
  it: Pick<OrderedDelivery, 'methodId' | 'kind' | 'name' | 'priceTiyin' | 'promisedOn'>,
  { language, spelling, currency }: DeliveryViewOptions,
) => ({
  [spelling.field('deliveryMethodId')]: it.methodId === null ? null : spelling.id(it.methodId),
  [spelling.field('kind')]: it.kind,
  [spelling.field('name')]: inLanguage(it.name, language),
  [spelling.field('price')]: spelling.amount(it.priceTiyin, currency),
  [spelling.field('promisedOn')]: it.promisedOn,
})

/** A way in which a parcel can be delivered, in a reply. */
export const optionReply = (spelling: Spelling) =>
  objectIn<object>(
    spelling,
    {
      ...methodFields(spelling),
      freeFrom: nullable(spelling.money),
      daysMin: nullable(integer(0, 365)),
      daysMax: nullable(integer(0, 365)),
      pickupPoints: list(pointOut(spelling), 500),
    },
    titleIn(spelling, 'DeliveryOption'),
  )

export const optionView = (it: DeliveryOption, options: DeliveryViewOptions): object => {
  const { spelling, language, currency } = options
  const { field } = spelling
  return {
    ...methodView(it, options),
    [field('freeFrom')]: it.freeFromTiyin === null ? null : spelling.amount(it.freeFromTiyin, currency),
    [field('daysMin')]: it.daysMin,
    [field('daysMax')]: it.daysMax,
    [field('pickupPoints')]: it.points.map((point) => pointView(point, language, spelling)),
  }
}
