// What templates may show, on one page: every variable with its kind, its meaning and a sample for previews.

import type { Words } from '../../http/language.ts'

export type VariableKind = 'text' | 'number' | 'money' | 'url' | 'list'

export interface Variable {
  kind: VariableKind
  meaning: string
  /** As it is given: money in tiyin, a text perhaps in three languages. */
  sample: Value
  /** Of a list, what every item has. */
  items?: Record<string, Variable>
}

/** Null says that there is none; what is left out altogether is a mistake of whoever sends. */
export type Value = string | number | null | Words | readonly Item[]
export type Item = { readonly [name: string]: Value }
/** Values in groups, as `{ client: { name: 'Aziza' } }`. */
export type Variables = { readonly [group: string]: { readonly [name: string]: Value } }

const text = (meaning: string, sample: string | Words): Variable => ({ kind: 'text', meaning, sample })
const number = (meaning: string, sample: number): Variable => ({ kind: 'number', meaning, sample })
const money = (meaning: string, sumsForExample: number): Variable => ({
  kind: 'money',
  meaning,
  sample: sumsForExample * 100,
})
const url = (meaning: string, sample: string): Variable => ({ kind: 'url', meaning, sample })
const list = (meaning: string, items: Record<string, Variable>): Variable => {
  const one = Object.fromEntries(Object.entries(items).map(([name, it]) => [name, it.sample]))
  return { kind: 'list', meaning, sample: [one, one], items }
}

const phone: Words = { ru: 'Смартфон Artel X5', uz: 'Artel X5 smartfoni', en: 'Artel X5 smartphone' }
const goods = {
  name: text('The name of the goods', phone),
  quantity: number('How many units', 2),
  price: money('The price of one unit', 2_490_000),
  amount: money('The price of all units', 4_980_000),
  url: url('Where the goods are shown', 'https://shop.example/p/artel-x5'),
  image: url('A picture of the goods', 'https://shop.example/i/artel-x5.webp'),
}
const { url: _shown, image: _pictured, ...ordered } = goods

// oxfmt-ignore
export const knownVariables: Record<string, Variable> = {
  'client.name':           text('The name of whom it is written to', 'Aziza Karimova'),
  'shop.url':              url('The shop', 'https://shop.example'),

  'order.id':              text('The number of an order', '10042'),
  'order.total':           money('What the order costs', 4_980_000),
  'order.address':         text('Where the order goes', 'Toshkent, Amir Temur shoh ko‘chasi, 1'),
  'order.lines':           list('What was ordered', ordered),
  'order.carrier':         text('Who brings it', 'Fargo'),
  'order.tracking_number': text('The number under which it travels', 'FG123456789UZ'),

  'cart.total':            money('What the cart costs', 4_980_000),
  'cart.url':              url('Where the cart is shown', 'https://shop.example/cart'),
  'cart.lines':            list('What is in the cart', goods),

  'offer.name':            text('The name of an offer', phone),
  'offer.price':           money('Its price', 2_490_000),
  'offer.old_price':       money('Its price before', 2_990_000),
  'offer.url':             url('Where it is shown', 'https://shop.example/p/artel-x5'),
  'offer.image':           url('A picture of it', 'https://shop.example/i/artel-x5.webp'),
  'offers.lines':          list('Several offers', goods),

  'promotion.title':       text('The name of a promotion', { ru: 'Скидки к Наврузу', uz: 'Navro‘z chegirmalari' }),
  'promotion.url':         url('Where it is shown', 'https://shop.example/promotions/navruz'),

  'unsubscribe.url':       url('Where one says that one wants no more of this', 'https://shop.example/u/token'),
}

/** What callers of the API bring along themselves: any name in this group is a text. */
export const ownGroup = 'custom'

/** The variable of a path; of one's own, any name will do. */
export const variableAt = (path: string): Variable | undefined =>
  Object.hasOwn(knownVariables, path)
    ? knownVariables[path]
    : path.startsWith(`${ownGroup}.`) && path.split('.').length === 2
      ? text('Brought along by the caller', path)
      : undefined
