// The delivery methods of the demo partners. Every partner sends by post free of charge to any place.

import { partners } from './partners.ts'
import type { DeliveryMethodRecord, InThree } from './record.ts'
import type { SeededRandom } from './seeded-random.ts'

const thousandSums = 100_000

/** Ids are stable: ten for each partner. */
const idsPerPartner = 10

type Point = DeliveryMethodRecord['pickup_points'][number]

const point = (id: string, name: InThree, place: Omit<Point, 'id' | 'name' | 'hours'>): Point => ({
  id,
  name,
  hours: '9:00–20:00',
  ...place,
})

// oxfmt-ignore
const points: Point[] = [
  point('chorsu', { ru: 'Пункт «Чорсу»', uz: 'Chorsu punkti', en: 'Chorsu point' }, { region: 'UZ-TK', city: 'Toshkent', address: 'Navoiy ko‘chasi 48', latitude: 41.3267, longitude: 69.2354 }),
  point('chilonzor', { ru: 'Пункт «Чиланзар»', uz: 'Chilonzor punkti', en: 'Chilonzor point' }, { region: 'UZ-TK', city: 'Toshkent', address: 'Bunyodkor shoh ko‘chasi 21', latitude: 41.2758, longitude: 69.2033 }),
  point('yunusobod', { ru: 'Пункт «Юнусабад»', uz: 'Yunusobod punkti', en: 'Yunusobod point' }, { region: 'UZ-TK', city: 'Toshkent', address: 'Amir Temur shoh ko‘chasi 107', latitude: 41.3656, longitude: 69.2889 }),
  point('registon', { ru: 'Пункт «Регистан»', uz: 'Registon punkti', en: 'Registon point' }, { region: 'UZ-SA', city: 'Samarqand', address: 'Registon ko‘chasi 5', latitude: 39.6542, longitude: 66.9758 }),
  point('buxoro-ark', { ru: 'Пункт «Арк»', uz: 'Ark punkti', en: 'Ark point' }, { region: 'UZ-BU', city: 'Buxoro', address: 'Afrosiyob ko‘chasi 2', latitude: 39.7777, longitude: 64.4111 }),
  point('andijon-markaz', { ru: 'Пункт «Центр»', uz: 'Markaz punkti', en: 'City centre point' }, { region: 'UZ-AN', city: 'Andijon', address: 'Bobur shoh ko‘chasi 31', latitude: 40.7821, longitude: 72.3442 }),
  point('nukus-markaz', { ru: 'Пункт «Центр»', uz: 'Markaz punkti', en: 'City centre point' }, { region: 'UZ-QR', city: 'Nukus', address: 'Do‘slik guzari 9', latitude: 42.4611, longitude: 59.6003 }),
]

// oxfmt-ignore
const names = {
  city: { ru: 'Курьер по Ташкенту', uz: 'Toshkent bo‘ylab kuryer', en: 'Courier in Tashkent' },
  country: { ru: 'Курьер по Узбекистану', uz: 'O‘zbekiston bo‘ylab kuryer', en: 'Courier across Uzbekistan' },
  pickup: { ru: 'Пункт выдачи', uz: 'Olib ketish punkti', en: 'Pick-up point' },
  post: { ru: 'Почта', uz: 'Pochta', en: 'Post' },
} satisfies Record<string, InThree>

export const deliveryMethods = (chance: SeededRandom): DeliveryMethodRecord[] =>
  partners.flatMap(({ record: { id, is_recommended: isLarge } }) => {
    const base = { record: 'delivery_method' as const, partner_id: id, pickup_points: [] }
    const first = (id - 1) * idsPerPartner + 1
    const sums = (name: string, from: number, to: number) =>
      chance.whole(`delivery/${id}/${name}`, from, to) * 5 * thousandSums
    const methods: DeliveryMethodRecord[] = [
      {
        ...base,
        id: first,
        kind: 'courier',
        name: names.city,
        regions: ['UZ-TK'],
        price_tiyin: sums('city', 3, 6),
        free_from_tiyin: sums('city-free', 60, 120),
        days_min: isLarge ? 0 : 1,
        days_max: isLarge ? 1 : 2,
      },
      {
        ...base,
        id: first + 1,
        kind: 'post',
        name: names.post,
        regions: [],
        price_tiyin: 0,
        free_from_tiyin: null,
        days_min: 4,
        days_max: 9,
      },
    ]
    if (isLarge)
      methods.push({
        ...base,
        id: first + 2,
        kind: 'courier',
        name: names.country,
        regions: ['UZ'],
        price_tiyin: sums('country', 7, 12),
        free_from_tiyin: sums('country-free', 200, 400),
        days_min: 2,
        days_max: 5,
      })
    if (isLarge || chance.share(`delivery/${id}/pickup`) < 0.5)
      methods.push({
        ...base,
        id: first + 3,
        kind: 'pickup',
        name: names.pickup,
        regions: [],
        price_tiyin: 0,
        free_from_tiyin: null,
        days_min: 1,
        days_max: 3,
        pickup_points: isLarge ? points : points.slice(0, 3),
      })
    return methods
  })
