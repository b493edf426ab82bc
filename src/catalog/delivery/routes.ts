// Delivery methods of partners, and the regions that they can name.

import { Type } from 'typebox'
import { asMoney } from '../../base/money.ts'
import { inLanguage, type Language } from '../../http/language.ts'
import { get, type Route } from '../../http/route.ts'
import { flag, idText, instant, integer, list, named, nullable, oneOf } from '../../http/schema.ts'
import { type EntityRoutes, readRoutes, writeRoutes } from '../entities/crud-routes.ts'
import { money } from '../offers/views.ts'
import { deliveryKinds, type DeliveryMethod, type PickupPoint } from './delivery-method.ts'
import { deliveryMethodForm } from './record-form.ts'
import { regionName, regions } from './regions.ts'

const string = Type.String()
const coordinate = nullable(Type.Number())

const pickupPointReply = named(
  'PickupPoint',
  Type.Object({
    id: string,
    name: string,
    region: string,
    region_name: string,
    city: string,
    address: string,
    hours: nullable(string),
    latitude: coordinate,
    longitude: coordinate,
  }),
)

const pickupPointView = (it: PickupPoint, language: Language) => ({
  id: it.id,
  name: inLanguage(it.name, language),
  region: it.region,
  region_name: regionName(it.region, language),
  city: it.city,
  address: it.address,
  hours: it.hours,
  latitude: it.latitude,
  longitude: it.longitude,
})

const reply = named(
  'DeliveryMethod',
  Type.Object({
    id: idText,
    partner_id: idText,
    kind: oneOf(deliveryKinds),
    name: string,
    regions: list(string, 100),
    price: money,
    free_from: nullable(money),
    days_min: integer(0, 365),
    days_max: integer(0, 365),
    pickup_points: list(pickupPointReply, 500),
    active: flag,
    created_at: instant,
    updated_at: instant,
  }),
)

const methods: EntityRoutes<DeliveryMethod> = {
  form: deliveryMethodForm,
  plural: { path: 'delivery-methods', field: 'delivery_methods' },
  singular: { field: 'delivery_method', words: 'a delivery method' },
  reply,
  show: (_read, entities, { language, currency }) =>
    entities.map((it) => ({
      id: String(it.id),
      partner_id: String(it.partnerId),
      kind: it.kind,
      name: inLanguage(it.name, language),
      regions: it.regions,
      price: asMoney(it.priceTiyin, currency),
      free_from: it.freeFromTiyin === null ? null : asMoney(it.freeFromTiyin, currency),
      days_min: it.daysMin,
      days_max: it.daysMax,
      pickup_points: it.pickupPoints.map((point) => pickupPointView(point, language)),
      active: it.isActive,
      created_at: it.createdAt.toISOString(),
      updated_at: it.updatedAt.toISOString(),
    })),
  sorts: { id: { by: 'id', type: 'int8' }, created_at: { by: 'created_at', type: 'timestamptz' } },
  defaultSort: 'id',
  filters: {
    partner_id: { shape: idText, condition: 'partner_id =', value: (it: string) => Number(it) },
    kind: { shape: oneOf(deliveryKinds), condition: 'kind =' },
    active: { shape: flag, condition: 'is_active =' },
  },
  invalidatedBy: ['DeliveryMethodCreated', 'DeliveryMethodChanged', 'DeliveryMethodDeleted'],
}

export const deliveryRoutes: Route[] = [
  get('/v1/catalog/regions', {
    summary: 'List regions',
    description: 'The regions of Uzbekistan for addresses and delivery methods, by ISO 3166-2 codes.',
    scope: 'catalog:read',
    reply: Type.Object({ regions: list(Type.Object({ code: string, name: string }), 100) }),
    run: async ({ language }) => ({
      data: { regions: regions.map((it) => ({ code: it.code, name: it.name[language] })) },
    }),
  }),
  ...readRoutes(methods),
  ...writeRoutes(methods),
]
