// Every template variable, with its kind, its description and a sample for previews.

import type { LocalizedText } from '../../http/language.ts'

export type VariableKind = 'text' | 'number' | 'money' | 'url' | 'list'

export interface Variable {
  kind: VariableKind
  description: string
  /** As callers pass it: money in tiyin, a text or the same text in several languages. */
  sample: Value
  /** The fields of every item of a list. */
  items?: Record<string, Variable>
}

/** Null means "no value"; a variable that is missing altogether is an error. */
export type Value = string | number | null | LocalizedText | readonly Item[]
export type Item = { readonly [name: string]: Value }
/** Values by group, as `{ client: { name: 'Aziza' } }`. */
export type Variables = { readonly [group: string]: { readonly [name: string]: Value } }

const text = (meaning: string, sample: string | LocalizedText): Variable => ({
  kind: 'text',
  description: meaning,
  sample,
})
const number = (meaning: string, sample: number): Variable => ({
  kind: 'number',
  description: meaning,
  sample,
})
const money = (meaning: string, sumsForExample: number): Variable => ({
  kind: 'money',
  description: meaning,
  sample: sumsForExample * 100,
})
const url = (meaning: string, sample: string): Variable => ({ kind: 'url', description: meaning, sample })
const list = (meaning: string, items: Record<string, Variable>): Variable => {
  const one = Object.fromEntries(Object.entries(items).map(([name, it]) => [name, it.sample]))
  return { kind: 'list', description: meaning, sample: [one, one], items }
}

const phone: LocalizedText = { ru: 'Смартфон Artel X5', uz: 'Artel X5 smartfoni', en: 'Artel X5 smartphone' }
const productFields = {
  name: text('Product name', phone),
  quantity: number('Units', 2),
  price: money('Price of one unit', 2_490_000),
  amount: money('Price of all units', 4_980_000),
  url: url('Product page', 'https://shop.example/p/artel-x5'),
  image: url('Product picture', 'https://shop.example/i/artel-x5.webp'),
}
const { url: _shown, image: _pictured, ...orderedFields } = productFields

// oxfmt-ignore
export const knownVariables: Record<string, Variable> = {
  'client.name':           text('Name of the recipient', 'Aziza Karimova'),
  'shop.url':              url('Address of the shop', 'https://shop.example'),

  'order.id':              text('Order number', '10042'),
  'order.total':           money('Order total', 4_980_000),
  'order.address':         text('Delivery address', 'Toshkent, Amir Temur shoh ko‘chasi, 1'),
  'order.lines':           list('Ordered lines', orderedFields),
  'order.carrier':         text('Carrier', 'Fargo'),
  'order.tracking_number': text('Tracking number', 'FG123456789UZ'),

  'cart.total':            money('Cart total', 4_980_000),
  'cart.url':              url('Cart page', 'https://shop.example/cart'),
  'cart.lines':            list('Lines of the cart', productFields),

  'offer.name':            text('Offer name', phone),
  'offer.price':           money('Price', 2_490_000),
  'offer.old_price':       money('Earlier price', 2_990_000),
  'offer.url':             url('Offer page', 'https://shop.example/p/artel-x5'),
  'offer.image':           url('Offer picture', 'https://shop.example/i/artel-x5.webp'),
  'offers.lines':          list('Several offers', productFields),

  'promotion.title':       text('Promotion title', { ru: 'Скидки к Наврузу', uz: 'Navro‘z chegirmalari' }),
  'promotion.url':         url('Promotion page', 'https://shop.example/promotions/navruz'),

  'password_reset.url':    url('Page for a new password; only in messages about a lost password', 'https://shop.example/reset-password'),

  'unsubscribe.url':       url('Unsubscribe page; only in messages of campaigns', 'https://shop.example/u/token'),
}

/** Callers of the API may pass any name in this group, as a text. */
export const customGroup = 'custom'

/** The variable of a path; any name exists in the custom group. */
export const variableAt = (path: string): Variable | undefined =>
  Object.hasOwn(knownVariables, path)
    ? knownVariables[path]
    : path.startsWith(`${customGroup}.`) && path.split('.').length === 2
      ? text('Passed by the caller', path)
      : undefined
