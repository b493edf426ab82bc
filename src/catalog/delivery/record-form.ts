// The record format of a delivery method.

import { Type } from 'typebox'
import { maxPriceTiyin } from '../../base/money.ts'
import {
  flag,
  integer,
  list,
  localizedText,
  name,
  nullable,
  oneOf,
  strict,
  text,
  named,
} from '../../http/schema.ts'
import { deliveryMethodKind } from '../entities/entity-kinds.ts'
import { form, type RecordForm, recordId } from '../entities/record-forms.ts'
import { deliveryKinds, type DeliveryMethod, type PickupPoint } from './delivery-method.ts'

export const regionCode = text({
  max: 6,
  pattern: '^[A-Z]{2}-[A-Z0-9]{1,3}$',
  description: 'ISO 3166-2 code; `/v1/catalog/regions` lists those of Uzbekistan.',
  examples: ['UZ-TK'],
})

const countryOrRegion = text({ max: 6, pattern: '^[A-Z]{2}(-[A-Z0-9]{1,3})?$', examples: ['UZ-TK'] })

const maxPoints = 500
export const latitude = Type.Number({ minimum: -90, maximum: 90, examples: [41.3111] })
export const longitude = Type.Number({ minimum: -180, maximum: 180, examples: [69.2797] })

const point = named(
  'PickupPointInput',
  strict({
    id: text({ max: 50, pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$', examples: ['chorsu'] }),
    name: localizedText(200),
    region: regionCode,
    city: name(100, 'Toshkent'),
    address: name(300, 'Navoiy ko‘chasi 12'),
    hours: Type.Optional(nullable(name(100, '9:00–20:00'))),
    latitude: Type.Optional(nullable(latitude)),
    longitude: Type.Optional(nullable(longitude)),
  }),
)

type SentPoint = Omit<PickupPoint, 'hours' | 'latitude' | 'longitude'> & Partial<PickupPoint>

const pointOf = (it: SentPoint): PickupPoint => ({
  ...it,
  hours: it.hours ?? null,
  latitude: it.latitude ?? null,
  longitude: it.longitude ?? null,
})

export const deliveryMethodForm: RecordForm<DeliveryMethod> = form(
  deliveryMethodKind,
  {
    required: {
      partner_id: recordId,
      kind: oneOf(deliveryKinds),
      name: localizedText(200),
      price_tiyin: integer(0, maxPriceTiyin, { description: 'In tiyin; 0 is free of charge.' }),
    },
    optional: {
      regions: {
        shape: Type.Array(countryOrRegion, {
          maxItems: 100,
          uniqueItems: true,
          description:
            'ISO 3166 codes: `UZ-TK` is a region, `UZ` a whole country. Everywhere when it is empty.',
        }),
        otherwise: [],
      },
      free_from_tiyin: {
        shape: nullable(
          integer(1, maxPriceTiyin, {
            description: 'Orders at the partner of at least this amount are delivered free of charge.',
          }),
        ),
        otherwise: null,
      },
      days_min: { shape: integer(0, 365), otherwise: 1 },
      days_max: { shape: integer(0, 365, { description: 'The promised day of delivery.' }), otherwise: 7 },
      pickup_points: { shape: list(point, maxPoints), otherwise: [] },
      active: { shape: flag, otherwise: true },
    },
  },
  {
    fromRecord: {
      active: (it: boolean) => ({ isActive: it }),
      pickup_points: (them: SentPoint[]) => ({ pickupPoints: them.map(pointOf) }),
    },
    hides: ['isActive'],
    toRecord: (it) => ({ active: it.isActive }),
  },
)
