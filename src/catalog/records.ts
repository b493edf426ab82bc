// What a shop says of its goods: the lines of an import, which are also the bodies of writes. Here stand their shapes,
// what is meant when a field is left out, and how they become goods and come back.

import { type TSchema, Type } from 'typebox'
import { maxPriceTiyin } from '../base/money.ts'
import { flag, givenId, integer, list, name, nullable, oneOf, slug, text, words } from '../http/schema.ts'
import type {
  Brand,
  Kept,
  LoanCondition,
  ModeratedOffer,
  Offer,
  Partner,
  Product,
  Said,
  Variant,
} from './goods.ts'
import { moderationStatuses } from './goods.ts'
import type { Kind } from './kinds.ts'
import * as kinds from './kinds.ts'
import { mostUnits } from './stock.ts'

/** How records of a kind look, and what they mean. */
export interface Form<G extends Kept> {
  kind: Kind<G>
  /** Fields that must be there. */
  needed: Record<string, TSchema>
  /** Fields that may be left out, and what they are then. */
  optional: Record<string, { shape: TSchema; otherwise: unknown }>
  goodOf(record: Record<string, unknown>): Said<G>
  recordOf(good: G): Record<string, unknown>
}

export const recordId = givenId
export const recordIdOrNull = Type.Unsafe<number | string | null>({
  ...recordId,
  type: ['integer', 'string', 'null'],
})

export const price = integer(1, maxPriceTiyin, { description: 'In tiyin; a sum has a hundred.' })
const path = text({ max: 2_000, examples: ['https://example.com/a.png'] })
const rating = Type.Number({ minimum: 0, maximum: 5, examples: [4.8] })
export const noWords = Type.Object(
  {
    ru: Type.Optional(text({ max: 10_000 })),
    uz: Type.Optional(text({ max: 10_000 })),
    en: Type.Optional(text({ max: 10_000 })),
  },
  { additionalProperties: false },
)
const attributes = Type.Unsafe<Record<string, string>>({
  type: 'object',
  propertyNames: { pattern: '^[a-z][a-z0-9_]{0,49}$' },
  additionalProperties: { type: 'string', minLength: 1, maxLength: 200 },
  maxProperties: 50,
  examples: [{ color: 'black' }],
})

export const idOf = (value: unknown): number => Number(value)
export const idOrNull = (value: unknown): number | null => (value === null ? null : Number(value))
const camel = (name: string): string => name.replace(/_([a-z])/g, (_, it: string) => it.toUpperCase())
const snake = (field: string): string => field.replace(/[A-Z]/g, (it) => `_${it.toLowerCase()}`)

/** Most fields are called alike on both sides; those that are not are given. */
export function form<G extends Kept>(
  kind: Kind<G>,
  declared: Pick<Form<G>, 'needed' | 'optional'>,
  special: {
    fromRecord?: Record<string, (value: never) => Record<string, unknown>>
    toRecord?: (good: G) => Record<string, unknown>
    hides?: readonly string[]
  } = {},
): Form<G> {
  const optional = { id: { shape: recordId, otherwise: undefined }, ...declared.optional }
  const shapes = {
    ...declared.needed,
    ...Object.fromEntries(Object.entries(optional).map(([at, it]) => [at, it.shape])),
  }
  const fields = Object.keys(shapes)
  const names = new Map(fields.map((it) => [it, camel(it)]))
  const ids = new Set(fields.filter((it) => shapes[it] === recordId || shapes[it] === recordIdOrNull))
  const take = (good: Record<string, unknown>, field: string, value: unknown): void => {
    const own = special.fromRecord?.[field]
    if (own) Object.assign(good, own(value as never))
    else good[names.get(field)!] = ids.has(field) ? idOrNull(value) : value
  }
  const usual: Record<string, unknown> = {}
  for (const [field, { otherwise }] of Object.entries(optional))
    if (otherwise !== undefined) take(usual, field, otherwise)
  return {
    kind,
    needed: declared.needed,
    optional,
    goodOf: (record) => {
      const good = { ...usual }
      for (const [field, value] of Object.entries(record)) if (value !== undefined) take(good, field, value)
      return good as Said<G>
    },
    recordOf: (good) => {
      const plain = ['id', ...kind.table.fields]
        .filter((it) => !special.hides?.includes(it))
        .map((it) => [snake(it), good[it as keyof G]])
      return { ...Object.fromEntries(plain), ...special.toRecord?.(good) }
    },
  }
}

export const brandForm: Form<Brand> = form(kinds.brandKind, {
  needed: { slug, name: name(200, 'Sample brand') },
  optional: {},
})

export const partnerForm: Form<Partner> = form(kinds.partnerKind, {
  needed: { slug, name: name(200, 'Sample partner') },
  optional: {
    rating: { shape: rating, otherwise: 0 },
    is_recommended: { shape: flag, otherwise: false },
    credit_active: { shape: flag, otherwise: false },
    logo_path: { shape: nullable(path), otherwise: null },
  },
})

export const loanConditionForm: Form<LoanCondition> = form(
  kinds.loanConditionKind,
  {
    needed: { partner_id: recordId, duration: integer(1, 120, { description: 'Months.' }) },
    optional: {
      commission: { shape: integer(0, 1_000, { description: 'Percent of the price.' }), otherwise: 0 },
      active: { shape: flag, otherwise: true },
      promotion_id: { shape: recordIdOrNull, otherwise: null },
    },
  },
  {
    fromRecord: { active: (it: boolean) => ({ isActive: it }) },
    hides: ['isActive'],
    toRecord: (it) => ({ active: it.isActive }),
  },
)

interface ImageRecord {
  lg_path: string
  md_path?: string
  sm_path?: string
}

/** A picture in one size stands for those that were not given. */
const image = Type.Object(
  { lg_path: path, md_path: Type.Optional(path), sm_path: Type.Optional(path) },
  { additionalProperties: false },
)

export const productForm: Form<Product> = form(
  kinds.productKind,
  {
    needed: { category_id: recordId, slug, name: words(500) },
    optional: {
      brand_id: { shape: recordIdOrNull, otherwise: null },
      description: { shape: noWords, otherwise: {} },
      images: { shape: list(image, 20), otherwise: [] },
    },
  },
  {
    fromRecord: {
      images: (them: ImageRecord[]) => ({
        images: them.map((it) => ({
          lgPath: it.lg_path,
          mdPath: it.md_path ?? it.lg_path,
          smPath: it.sm_path ?? it.md_path ?? it.lg_path,
        })),
      }),
    },
    toRecord: ({ images }) => ({
      images: images.map((it) => ({ lg_path: it.lgPath, md_path: it.mdPath, sm_path: it.smPath })),
    }),
  },
)

export const variantForm: Form<Variant> = form(kinds.variantKind, {
  needed: { product_id: recordId, name: words(300) },
  optional: { attributes: { shape: attributes, otherwise: {} } },
})

const regions = ['home', 'global'] as const
const bnpl = Type.Object(
  {
    has_daily_payment: Type.Optional(flag),
    prepayment_tiyin: Type.Optional(nullable(integer(0, maxPriceTiyin))),
  },
  { additionalProperties: false },
)

const offerDeclared = {
  needed: {
    product_id: recordId,
    partner_id: recordId,
    price_tiyin: price,
    quantity: integer(0, mostUnits),
  },
  optional: {
    variant_id: { shape: recordIdOrNull, otherwise: null },
    old_price_tiyin: { shape: nullable(price), otherwise: null },
    is_visible: { shape: flag, otherwise: true },
    is_active: { shape: flag, otherwise: true },
    regions: {
      shape: Type.Array(oneOf(regions), { maxItems: 2, uniqueItems: true }),
      otherwise: [...regions],
    },
    loan_condition_ids: { shape: Type.Array(recordId, { maxItems: 100, uniqueItems: true }), otherwise: [] },
    bnpl: { shape: bnpl, otherwise: {} },
    reservation_minutes: { shape: nullable(integer(1, 43_200)), otherwise: null },
    rating: { shape: nullable(rating), otherwise: null },
  },
}

const offerSpecial = {
  fromRecord: {
    loan_condition_ids: (ids: unknown[]) => ({ loanConditionIds: ids.map(idOf) }),
    bnpl: (it: { has_daily_payment?: boolean; prepayment_tiyin?: number | null }) => ({
      hasDailyPayment: it.has_daily_payment ?? false,
      prepaymentTiyin: it.prepayment_tiyin ?? null,
    }),
  },
  hides: ['hasDailyPayment', 'prepaymentTiyin'],
  toRecord: (it: Offer) => ({
    bnpl: { has_daily_payment: it.hasDailyPayment, prepayment_tiyin: it.prepaymentTiyin },
  }),
}

export const offerForm: Form<Offer> = form(kinds.offerKind, offerDeclared, offerSpecial)

export const givenUuid = text({
  max: 36,
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  examples: ['7f0c3c1e-5a8b-4c83-9a63-0d3c1f4a2b5d'],
})

export const moderatedOfferForm: Form<ModeratedOffer> = form(
  kinds.moderatedOfferKind,
  {
    needed: offerDeclared.needed,
    optional: {
      uuid: { shape: givenUuid, otherwise: undefined },
      // Left out, they are as they were: whoever tells of prices decides nothing.
      status: { shape: oneOf(moderationStatuses), otherwise: undefined },
      reason: { shape: nullable(text({ max: 1_000 })), otherwise: undefined },
      ...offerDeclared.optional,
    },
  },
  offerSpecial,
)
