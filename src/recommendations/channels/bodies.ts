// What callers may send (SPEC-1 4.2). Fields that a call does not list are ignored, whatever they hold.

import { type TSchema, Type } from 'typebox'
import { text } from '../../http/schema.ts'
import { layers } from '../ask.ts'

const maxContext = 200

/** What the texts mean, and how they look. */
// oxfmt-ignore
const words = {
  user_id:          ['The buyer: a client’s number, a guest’s session, or any outside id.', '17'],
  mobi_user_id:     ['The buyer’s id in the mobile app.', 'm-17'],
  mini_app_user_id: ['The buyer’s id in the mini-app; comes before `user_id`.', 'mini-17'],
  phone:            ['The buyer’s telephone.', '+998901234567'],
  from_app:         ['The application that asks; web clients say `WebAndMobile`.', 'WebAndMobile'],
  device_brand:     ['Who made the device.', 'Samsung'],
  device_os:        ['`Android` or `iOS`.', 'Android'],
  region:           ['A place by its name: biases trends and hides nothing.', 'Tashkent'],
  exp_id:           ['The experiment’s group: `group`, or `experiment:group`.', 'new-ranker:b'],
} as const
type Word = keyof typeof words
type Fields = Record<string, TSchema>

const wordOf = (name: Word, min: number) =>
  text({ min, description: words[name][0], examples: [words[name][1]] })
const each = (names: Word[], shape: (name: Word) => TSchema): Fields =>
  Object.fromEntries(names.map((it) => [it, shape(it)]))

const needed = (...names: Word[]): Fields => each(names, (it) => wordOf(it, 1))
/** Applications send an empty text for what they do not know. */
const optional = (...names: Word[]): Fields => each(names, (it) => Type.Optional(wordOf(it, 0)))
const optionalOrNull = (...names: Word[]): Fields =>
  each(names, (it) => Type.Optional(Type.Unsafe({ ...wordOf(it, 0), type: ['string', 'null'] })))

const uuid = text({
  max: 36,
  description: 'The buyer, by a UUID.',
  examples: ['3f8e0d8a-0f1c-4b56-8a1b-6b1d7f0c2a11'],
  pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
})
const layer = { from_layer: Type.Unsafe({ type: 'string', enum: [...layers], description: 'The page.' }) }
const group = (description: string): Fields => ({
  test_group_value: Type.Optional(Type.Unsafe({ type: ['string', 'null'], maxLength: 1_000, description })),
})
const ownGroup = group('`prod` or `mod_offers`, in any case; null and anything unknown are `prod`.')
const secondGroup = group('`cf` or `prod`; anything else is what the shop has configured, `cf` by itself.')
const offerIds = {
  offer_ids: Type.Optional(
    Type.Array(text({ examples: ['1000'] }), {
      maxItems: maxContext,
      description:
        'Offers by their numbers, moderated ones by their UUIDs: the one on the page, or all in the cart. Left out on the main page, never null.',
    }),
  ),
}
const productIds = {
  product_ids: Type.Optional(
    Type.Array(
      Type.Unsafe({
        type: ['integer', 'string'],
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        minLength: 1,
        maxLength: 1_000,
      }),
      { maxItems: maxContext, description: 'The products that the page is about.' },
    ),
  ),
}
const number = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description }))

export const generalBody = Type.Object({
  ...needed('user_id', 'from_app'),
  ...layer,
  ...ownGroup,
  ...offerIds,
  ...optional('phone', 'device_brand', 'device_os', 'mobi_user_id', 'region'),
})
export const secondBody = Type.Object({
  ...needed('user_id', 'from_app'),
  ...layer,
  ...secondGroup,
  ...productIds,
  ...optional('phone', 'device_brand', 'device_os', 'mobi_user_id', 'region'),
})
export const firstBody = Type.Object({
  ...needed('mobi_user_id', 'phone'),
  ...optional('user_id', 'device_brand', 'device_os', 'region'),
  auth_id: number('The buyer’s number as a client.'),
})
export const mobileBody = Type.Object({
  ...needed('user_id', 'from_app'),
  ...layer,
  ...ownGroup,
  ...offerIds,
  ...optionalOrNull('phone', 'device_brand', 'device_os', 'region'),
})
const cfFields = { ...needed('from_app'), ...layer, ...offerIds, ...optional('user_id', 'device_os') }
export const cfBody = Type.Object(cfFields)
export const cfSecondBody = Type.Object({ ...cfFields, ...optional('phone', 'device_brand', 'region') })
export const categoryBody = Type.Object({
  ...needed('from_app'),
  ...optional('user_id', 'exp_id', 'phone', 'device_brand', 'device_os', 'region'),
  category_id: number('Of the three categories the deepest decides.'),
  sub_category_id: number('A category below `category_id`.'),
  third_category_id: number('A category below `sub_category_id`.'),
})
export const webBody = Type.Object({
  ...needed('from_app'),
  ...layer,
  ...offerIds,
  user_id: Type.Optional(uuid),
  ...optional('phone', 'device_brand', 'region'),
})
export const miniAppBody = Type.Object({
  user_id: uuid,
  ...layer,
  ...offerIds,
  ...optional('phone', 'device_brand', 'region', 'mini_app_user_id'),
})

/** Every field that some call has, as a call may have sent it. */
export interface Sent {
  user_id?: string
  auth_id?: number
  mobi_user_id?: string
  mini_app_user_id?: string
  phone?: string | null
  from_layer?: string
  test_group_value?: string | null
  exp_id?: string
  offer_ids?: string[]
  product_ids?: (string | number)[]
  region?: string | null
  category_id?: number
  sub_category_id?: number
  third_category_id?: number
}

/** What a call lists of what came: the rest was not looked at, and may be anything. */
export function listed(body: TSchema, came: object): Sent {
  const { properties } = body as unknown as { properties: Fields }
  return Object.fromEntries(Object.entries(came).filter(([name]) => Object.hasOwn(properties, name)))
}
