// The record formats of all entity kinds: lines of an import and bodies of writes. Schemas, defaults, and conversion to and
// from entities.

import { type TSchema, Type } from 'typebox'
import { maxPriceTiyin } from '../../base/money.ts'
import {
  flag,
  idInput,
  integer,
  list,
  name,
  nullable,
  oneOf,
  slug,
  text,
  localizedText,
} from '../../http/schema.ts'
import type {
  Brand,
  Entity,
  LoanCondition,
  ModeratedOffer,
  Offer,
  Partner,
  Product,
  EntityInput,
  Variant,
} from './entities.ts'
import { moderationStatuses } from './entities.ts'
import type { EntityKind } from './entity-kinds.ts'
import * as kinds from './entity-kinds.ts'
import { maxUnits } from '../stock/stock.ts'

/** The record format of an entity kind. */
export interface RecordForm<G extends Entity> {
  kind: EntityKind<G>
  required: Record<string, TSchema>
  /** Optional fields with their defaults. */
  optional: Record<string, { shape: TSchema; otherwise: unknown }>
  entityOf(record: Record<string, unknown>): EntityInput<G>
  recordOf(entity: G): Record<string, unknown>
}

export const recordId = idInput
export const recordIdOrNull = Type.Unsafe<number | string | null>({
  ...recordId,
  type: ['integer', 'string', 'null'],
})

export const price = integer(1, maxPriceTiyin, { description: 'In tiyin; 100 tiyin are one sum.' })
const path = text({ max: 2_000, examples: ['https://example.com/a.png'] })
const rating = Type.Number({ minimum: 0, maximum: 5, examples: [4.8] })
export const optionalTexts = Type.Object(
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

/** Checked against the definitions when a product is saved. */
const productAttributes = Type.Unsafe<Product['attributes']>({
  type: 'object',
  propertyNames: { pattern: '^[a-z][a-z0-9_]{0,49}$' },
  additionalProperties: {
    type: ['string', 'number', 'boolean'],
    minLength: 1,
    maxLength: 200,
    minimum: -1e12,
    maximum: 1e12,
  },
  maxProperties: 50,
  description: 'Values of attributes by code; `/v1/catalog/attributes` has the definitions.',
  examples: [{ screen: 6.7, color: 'black' }],
})

export const idOf = (value: unknown): number => Number(value)
export const idOrNull = (value: unknown): number | null => (value === null ? null : Number(value))
const camel = (name: string): string => name.replace(/_([a-z])/g, (_, it: string) => it.toUpperCase())
const snake = (field: string): string => field.replace(/[A-Z]/g, (it) => `_${it.toLowerCase()}`)

/** Most fields have the same name in records and entities; `special` handles the others. */
export function form<G extends Entity>(
  kind: EntityKind<G>,
  declared: Pick<RecordForm<G>, 'required' | 'optional'>,
  special: {
    fromRecord?: Record<string, (value: never) => Record<string, unknown>>
    toRecord?: (entity: G) => Record<string, unknown>
    hides?: readonly string[]
  } = {},
): RecordForm<G> {
  const optional = { id: { shape: recordId, otherwise: undefined }, ...declared.optional }
  const shapes = {
    ...declared.required,
    ...Object.fromEntries(Object.entries(optional).map(([at, it]) => [at, it.shape])),
  }
  const fields = Object.keys(shapes)
  const names = new Map(fields.map((it) => [it, camel(it)]))
  const ids = new Set(fields.filter((it) => shapes[it] === recordId || shapes[it] === recordIdOrNull))
  const take = (entity: Record<string, unknown>, field: string, value: unknown): void => {
    const own = special.fromRecord?.[field]
    if (own) Object.assign(entity, own(value as never))
    else entity[names.get(field)!] = ids.has(field) ? idOrNull(value) : value
  }
  const usual: Record<string, unknown> = {}
  for (const [field, { otherwise }] of Object.entries(optional))
    if (otherwise !== undefined) take(usual, field, otherwise)
  return {
    kind,
    required: declared.required,
    optional,
    entityOf: (record) => {
      const entity = { ...usual }
      for (const [field, value] of Object.entries(record)) if (value !== undefined) take(entity, field, value)
      return entity as EntityInput<G>
    },
    recordOf: (entity) => {
      const plain = ['id', ...kind.table.fields]
        .filter((it) => !special.hides?.includes(it))
        .map((it) => [snake(it), entity[it as keyof G]])
      return { ...Object.fromEntries(plain), ...special.toRecord?.(entity) }
    },
  }
}

export const brandForm: RecordForm<Brand> = form(kinds.brandKind, {
  required: { slug, name: name(200, 'Sample brand') },
  optional: {},
})

export const partnerForm: RecordForm<Partner> = form(kinds.partnerKind, {
  required: { slug, name: name(200, 'Sample partner') },
  optional: {
    rating: { shape: rating, otherwise: 0 },
    is_recommended: { shape: flag, otherwise: false },
    credit_active: { shape: flag, otherwise: false },
    logo_path: { shape: nullable(path), otherwise: null },
  },
})

export const loanConditionForm: RecordForm<LoanCondition> = form(
  kinds.loanConditionKind,
  {
    required: { partner_id: recordId, duration: integer(1, 120, { description: 'Months.' }) },
    optional: {
      commission: { shape: integer(0, 1_000, { description: 'Percent of the price.' }), otherwise: 0 },
      early_commission_percent: {
        shape: integer(0, 100, {
          description:
            'How much of the commission is charged for instalments that are not due yet when everything is repaid early.',
        }),
        otherwise: 100,
      },
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

/** A missing size is replaced by the next larger one. */
const image = Type.Object(
  { lg_path: path, md_path: Type.Optional(path), sm_path: Type.Optional(path) },
  { additionalProperties: false },
)

export const productForm: RecordForm<Product> = form(
  kinds.productKind,
  {
    required: { category_id: recordId, slug, name: localizedText(500) },
    optional: {
      brand_id: { shape: recordIdOrNull, otherwise: null },
      description: { shape: optionalTexts, otherwise: {} },
      images: { shape: list(image, 20), otherwise: [] },
      attributes: { shape: productAttributes, otherwise: {} },
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

export const variantForm: RecordForm<Variant> = form(kinds.variantKind, {
  required: { product_id: recordId, name: localizedText(300) },
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
  required: {
    product_id: recordId,
    partner_id: recordId,
    price_tiyin: price,
    quantity: integer(0, maxUnits),
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

export const offerForm: RecordForm<Offer> = form(kinds.offerKind, offerDeclared, offerSpecial)

export const givenUuid = text({
  max: 36,
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  examples: ['7f0c3c1e-5a8b-4c83-9a63-0d3c1f4a2b5d'],
})

export const moderatedOfferForm: RecordForm<ModeratedOffer> = form(
  kinds.moderatedOfferKind,
  {
    required: offerDeclared.required,
    optional: {
      uuid: { shape: givenUuid, otherwise: undefined },
      // Omitted, they stay as they are: a price update does not decide a moderation.
      status: { shape: oneOf(moderationStatuses), otherwise: undefined },
      reason: { shape: nullable(text({ max: 1_000 })), otherwise: undefined },
      ...offerDeclared.optional,
    },
  },
  offerSpecial,
)
