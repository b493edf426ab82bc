// What callers may send (SPEC-1 4.2). Fields that a call does not list are ignored, whatever they hold.

import { type TSchema, Type } from 'typebox'
import { text } from '../../http/schema.ts'
import { layers } from '../ask.ts'

const maxOfferIds = 200

const said = text({ max: 256, examples: ['1'] })
const saidOrNull = Type.Unsafe<string | null>({ ...said, type: ['string', 'null'] })
const uuid = text({
  max: 36,
  examples: ['3f8e0d8a-0f1c-4b56-8a1b-6b1d7f0c2a11'],
  pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
})
const layer = Type.Unsafe<string>({ type: 'string', enum: [...layers] })
const group = Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 256 })
const number = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const offerIds = Type.Array(said, { maxItems: maxOfferIds })
const productIds = Type.Array(
  Type.Unsafe<string | number>({
    type: ['integer', 'string'],
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    minLength: 1,
    maxLength: 256,
  }),
  { maxItems: maxOfferIds },
)

/** A field, and whether it must be there. */
const fields = <N extends Record<string, TSchema>, O extends Record<string, TSchema>>(
  needed: N,
  optional: O,
) =>
  Type.Object({
    ...needed,
    ...Object.fromEntries(Object.entries(optional).map(([name, shape]) => [name, Type.Optional(shape)])),
  })

const device = { device_brand: said, device_os: said }

export const generalBody = fields(
  { user_id: said, from_layer: layer, from_app: said },
  { test_group_value: group, phone: said, ...device, mobi_user_id: said, offer_ids: offerIds, region: said },
)
export const secondBody = fields(
  { user_id: said, from_layer: layer, from_app: said },
  {
    test_group_value: group,
    phone: said,
    ...device,
    mobi_user_id: said,
    region: said,
    product_ids: productIds,
  },
)
export const firstBody = fields(
  { mobi_user_id: said, phone: said },
  { user_id: said, auth_id: number, ...device, region: said },
)
export const mobileBody = fields(
  { user_id: said, from_layer: layer, from_app: said },
  {
    offer_ids: offerIds,
    phone: saidOrNull,
    device_brand: saidOrNull,
    device_os: saidOrNull,
    region: saidOrNull,
    test_group_value: group,
  },
)
export const cfBody = fields(
  { from_layer: layer, from_app: said },
  { user_id: said, offer_ids: offerIds, device_os: said, phone: said, device_brand: said, region: said },
)
export const categoryBody = fields(
  { from_app: said },
  {
    user_id: said,
    exp_id: said,
    phone: said,
    ...device,
    region: said,
    category_id: number,
    sub_category_id: number,
    third_category_id: number,
  },
)
export const webBody = fields(
  { from_layer: layer, from_app: said },
  { user_id: uuid, offer_ids: offerIds, phone: said, device_brand: said, region: said },
)
export const miniAppBody = fields(
  { user_id: uuid, from_layer: layer },
  { offer_ids: offerIds, phone: said, device_brand: said, region: said, mini_app_user_id: said },
)

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
