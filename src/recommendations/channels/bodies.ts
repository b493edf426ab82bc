// Request bodies (SPEC-1 4.2). Fields that a call does not declare are ignored, whatever their value.

import { type TSchema, Type } from 'typebox'
import { text } from '../../http/schema.ts'
import { layers } from '../serving/request.ts'

const maxPageItems = 200

/** Description and example of each text field. */
// oxfmt-ignore
const textFields = {
  user_id:          ['The buyer: a client id, a guest’s session id, or any external id.', '17'],
  mobi_user_id:     ['The buyer’s id in the mobile app.', 'm-17'],
  mini_app_user_id: ['The buyer’s id in the mini-app; takes precedence over `user_id`.', 'mini-17'],
  phone:            ['The buyer’s phone number.', '+998901234567'],
  from_app:         ['The calling application; web clients send `WebAndMobile`. It biases popularity.', 'WebAndMobile'],
  device_brand:     ['The manufacturer of the device; it biases popularity.', 'Samsung'],
  device_os:        ['`Android` or `iOS`; it biases popularity.', 'Android'],
  region:           ['A place name: it biases popularity and filters nothing.', 'Tashkent'],
  exp_id:           ['The experiment’s group: `group`, or `experiment:group`.', 'new-ranker:b'],
} as const
type TextField = keyof typeof textFields
type Fields = Record<string, TSchema>

const textFieldOf = (name: TextField, min: number) =>
  text({ min, description: textFields[name][0], examples: [textFields[name][1]] })
const each = (names: TextField[], shape: (name: TextField) => TSchema): Fields =>
  Object.fromEntries(names.map((it) => [it, shape(it)]))

const required = (...names: TextField[]): Fields => each(names, (it) => textFieldOf(it, 1))
/** Applications send null or an empty string for unknown values. */
const orNull = (schema: TSchema): TSchema => {
  const { type } = schema as unknown as { type: string | string[] }
  return Type.Optional(Type.Unsafe({ ...schema, type: [type, 'null'].flat() }))
}
const optional = (...names: TextField[]): Fields => each(names, (it) => orNull(textFieldOf(it, 0)))

const uuid = text({
  max: 36,
  description: 'The buyer’s UUID.',
  examples: ['3f8e0d8a-0f1c-4b56-8a1b-6b1d7f0c2a11'],
  pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
})
const layer = { from_layer: Type.Unsafe({ type: 'string', enum: [...layers], description: 'The page.' }) }
const group = (description: string): Fields => ({
  test_group_value: Type.Optional(Type.Unsafe({ type: ['string', 'null'], maxLength: 1_000, description })),
})
const ownGroup = group('`prod` or `mod_offers` in any letter case; null and unknown values mean `prod`.')
const secondGroup = group(
  '`cf` or `prod` in any letter case; any other value means the configured default, `cf` unless changed.',
)
const offerIds = {
  offer_ids: orNull(
    Type.Array(text({ examples: ['1000'] }), {
      maxItems: maxPageItems,
      description:
        'Offer ids, UUIDs for moderated offers: the one on the page, or all in the cart. Absent on the main page.',
    }),
  ),
}
const productIds = {
  product_ids: orNull(
    Type.Array(
      Type.Unsafe({
        type: ['integer', 'string'],
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        minLength: 1,
        maxLength: 1_000,
      }),
      { maxItems: maxPageItems, description: 'The products on the page.' },
    ),
  ),
}
const number = (description: string) =>
  orNull(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description }))

export const generalBody = Type.Object({
  ...required('user_id', 'from_app'),
  ...layer,
  ...ownGroup,
  ...offerIds,
  ...optional('phone', 'device_brand', 'device_os', 'mobi_user_id', 'region'),
})
export const secondBody = Type.Object({
  ...required('user_id', 'from_app'),
  ...layer,
  ...secondGroup,
  ...productIds,
  ...optional('phone', 'device_brand', 'device_os', 'mobi_user_id', 'region'),
})
export const firstBody = Type.Object({
  ...required('mobi_user_id', 'phone'),
  ...optional('user_id', 'device_brand', 'device_os', 'region'),
  auth_id: number('The client id.'),
})
export const mobileBody = Type.Object({
  ...required('user_id', 'from_app'),
  ...layer,
  ...ownGroup,
  ...offerIds,
  ...optional('phone', 'device_brand', 'device_os', 'region'),
})
const cfFields = { ...required('from_app'), ...layer, ...offerIds, ...optional('user_id', 'device_os') }
export const cfBody = Type.Object(cfFields)
export const cfSecondBody = Type.Object({ ...cfFields, ...optional('phone', 'device_brand', 'region') })
export const categoryBody = Type.Object({
  ...required('from_app'),
  ...optional('user_id', 'exp_id', 'phone', 'device_brand', 'device_os', 'region'),
  category_id: number('The deepest of the three categories that exists applies.'),
  sub_category_id: number('A category below `category_id`.'),
  third_category_id: number('A category below `sub_category_id`.'),
})
export const webBody = Type.Object({
  ...required('from_app'),
  ...layer,
  ...offerIds,
  user_id: orNull(uuid),
  ...optional('phone', 'device_brand', 'region'),
})
export const miniAppBody = Type.Object({
  user_id: uuid,
  ...layer,
  ...offerIds,
  ...optional('phone', 'device_brand', 'region', 'mini_app_user_id'),
})

/** The fields of all calls. */
export interface RequestBody {
  user_id?: string
  auth_id?: number
  mobi_user_id?: string
  mini_app_user_id?: string
  phone?: string
  from_layer?: string
  test_group_value?: string
  exp_id?: string
  offer_ids?: string[]
  product_ids?: (string | number)[]
  region?: string
  device_os?: string
  device_brand?: string
  from_app?: string
  category_id?: number
  sub_category_id?: number
  third_category_id?: number
}

/** The fields that a call declares, without nulls: null means "not given". The others were not validated. */
export function declaredFields(body: TSchema, received: object): RequestBody {
  const { properties } = body as unknown as { properties: Fields }
  return Object.fromEntries(
    Object.entries(received).filter(([name, value]) => value !== null && Object.hasOwn(properties, name)),
  )
}
