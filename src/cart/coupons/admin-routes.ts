// Administration of coupons.

import { type Static, Type } from 'typebox'
import type { Tx } from '../../base/database.ts'
import { maxPriceTiyin } from '../../base/money.ts'
import { publish } from '../../base/outbox.ts'
import { conflict } from '../../base/conflict.ts'
import { refuse } from '../../base/refusal.ts'
import { exists } from '../../catalog/index.ts'
import { instantOf, instantText } from '../../http/instant.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { get, patch, post, type Route } from '../../http/route.ts'
import {
  changes,
  flag,
  id,
  idText,
  instant,
  integer,
  list,
  maxInt4,
  named,
  nullable,
  strict,
} from '../../http/schema.ts'
import { type IfMatch, requireVersion } from '../../http/version.ts'
import { codeForm, type CouponTerms, normalCode } from './coupon.ts'
import { createCoupon } from './create-coupon.ts'
import * as store from './store.ts'
import type { StoredCoupon } from './store.ts'

const uses = integer(1, maxInt4)
const tiyin = integer(100, maxPriceTiyin)
const optional = <S extends Parameters<typeof nullable>[0]>(shape: S) => Type.Optional(nullable(shape))

const termsFields = {
  percent: optional(integer(1, 99, { description: 'Either this or `amount_tiyin`.' })),
  amount_tiyin: optional(tiyin),
  max_discount_tiyin: optional(
    integer(100, maxPriceTiyin, { description: 'The largest discount of a coupon in percent.' }),
  ),
  min_amount_tiyin: Type.Optional(
    integer(0, maxPriceTiyin, { description: 'What the lines that it applies to must cost at least.' }),
  ),
  promotion_id: optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,15}$',
      description: 'It then applies only to offers of this promotion, while the promotion runs.',
      examples: ['1'],
    }),
  ),
  starts_at: Type.Optional(instantText),
  ends_at: optional(instantText),
  max_uses: optional(integer(1, maxInt4, { description: 'By all buyers together; null for no limit.' })),
  uses_per_buyer: optional(
    integer(1, maxInt4, {
      description: 'Default 1. With a limit, only clients can use it. Null for no limit.',
    }),
  ),
  active: Type.Optional(flag),
}

const couponCode = Type.String({ pattern: codeForm, examples: ['NAVRUZ10'] })
const body = strict({ code: couponCode, ...termsFields })
type SentTerms = Partial<Omit<Static<typeof body>, 'code'>>

const reply = named(
  'Coupon',
  Type.Object({
    id: idText,
    code: couponCode,
    percent: nullable(integer(1, 99)),
    amount_tiyin: nullable(tiyin),
    max_discount_tiyin: nullable(tiyin),
    min_amount_tiyin: integer(0, maxPriceTiyin),
    promotion_id: nullable(idText),
    starts_at: instant,
    ends_at: nullable(instant),
    max_uses: nullable(uses),
    uses_per_buyer: nullable(uses),
    used: integer(0, maxInt4, { description: 'Uses that were not given back.' }),
    active: flag,
    created_at: instant,
    updated_at: instant,
  }),
)
const oneCoupon = Type.Object({ coupon: reply })
const params = { coupon_id: id }

const view = ({ discount, ...it }: StoredCoupon) => ({
  id: String(it.id),
  code: it.code,
  percent: discount.kind === 'percent' ? discount.percent : null,
  amount_tiyin: discount.kind === 'amount' ? discount.tiyin : null,
  max_discount_tiyin: discount.kind === 'percent' ? discount.maxTiyin : null,
  min_amount_tiyin: it.minAmountTiyin,
  promotion_id: it.promotionId === null ? null : String(it.promotionId),
  starts_at: it.startsAt.toISOString(),
  ends_at: it.endsAt?.toISOString() ?? null,
  max_uses: it.maxUses,
  uses_per_buyer: it.usesPerBuyer,
  used: it.used,
  active: it.isActive,
  created_at: it.createdAt.toISOString(),
  updated_at: it.updatedAt.toISOString(),
})

const versioned = (it: StoredCoupon) => ({ data: { coupon: view(it) }, version: it.version })

const notFound = (couponId: number) => refuse('not_found', { resource: 'coupon', id: String(couponId) })

/** The sent terms; what was left out stays as in `before`. */
async function termsOf(
  tx: Tx,
  sent: SentTerms,
  before: ReturnType<typeof view> | undefined,
): Promise<CouponTerms> {
  const defaults = { min_amount_tiyin: 0, starts_at: tx.now.toISOString(), uses_per_buyer: 1, active: true }
  const all: SentTerms = { ...defaults, ...before, ...sent }
  const { percent = null, amount_tiyin = null, max_discount_tiyin = null, promotion_id = null } = all
  const startsAt = instantOf(all.starts_at!, 'starts_at')
  const endsAt = typeof all.ends_at === 'string' ? instantOf(all.ends_at, 'ends_at') : null
  const fields = [
    ...((percent === null) === (amount_tiyin === null) ? [{ path: 'percent', rule: 'one_discount' }] : []),
    ...(percent === null && max_discount_tiyin !== null
      ? [{ path: 'max_discount_tiyin', rule: 'with_percent' }]
      : []),
    ...(endsAt && endsAt <= startsAt
      ? [{ path: 'ends_at', rule: 'after_start', limit: startsAt.toISOString() }]
      : []),
  ]
  if (fields.length > 0) throw refuse('validation_failed', { fields })
  const promotionId = promotion_id === null ? null : Number(promotion_id)
  const isNew = promotionId !== null && promotion_id !== before?.promotion_id
  if (isNew && !(await exists(tx, 'promotion', promotionId)))
    throw refuse('validation_failed', {
      fields: [{ path: 'promotion_id', rule: 'exists', limit: promotion_id }],
    })
  return {
    discount:
      percent === null
        ? { kind: 'amount', tiyin: amount_tiyin! }
        : { kind: 'percent', percent, maxTiyin: max_discount_tiyin },
    minAmountTiyin: all.min_amount_tiyin!,
    promotionId,
    startsAt,
    endsAt,
    maxUses: all.max_uses ?? null,
    usesPerBuyer: all.uses_per_buyer ?? null,
    isActive: all.active!,
  }
}

export async function changeCoupon(
  tx: Tx,
  id: number,
  { sent, ifMatch }: { sent: SentTerms; ifMatch: IfMatch | undefined },
): Promise<StoredCoupon> {
  const before = await store.lockCoupon(tx, id)
  if (!before) throw notFound(id)
  requireVersion(before, ifMatch)
  const coupon = await store.updateCoupon(tx, id, await termsOf(tx, sent, view(before)))
  publish(tx, { type: 'CouponChanged', couponId: id, code: coupon.code })
  return coupon
}

export const couponAdminRoutes: Route[] = [
  get('/v1/admin/coupons', {
    summary: 'List coupons',
    scope: 'admin:read',
    query: listQuery(['id', 'code'], { code: Type.Optional(couponCode) }, '-id'),
    reply: Type.Object({ coupons: list(reply, 100), pagination }),
    run: async ({ read, query }) => {
      const listing = listingOf(query, '-id')
      const code = query.code === undefined ? undefined : normalCode(query.code)
      const page = await store.listCoupons(read, listing, code)
      return { data: { coupons: page.rows.map(view), pagination: paginationView(listing, page) } }
    },
  }),
  post('/v1/admin/coupons', {
    summary: 'Create a coupon',
    description: 'The code cannot be changed later. It is compared without regard to case.',
    scope: 'admin:write',
    body,
    reply: oneCoupon,
    creates: true,
    refusals: ['conflict'],
    run: async ({ tx, body: { code, ...sent } }) => {
      const coupon = await createCoupon(tx, code, await termsOf(tx, sent, undefined))
      if (!coupon) throw conflict('taken', { field: 'code', value: normalCode(code) })
      return versioned(coupon)
    },
  }),
  get('/v1/admin/coupons/{coupon_id}', {
    summary: 'Read a coupon',
    scope: 'admin:read',
    params,
    reply: oneCoupon,
    refusals: ['not_found'],
    run: async ({ read, params: { coupon_id } }) => {
      const coupon = await store.findCoupon(read, coupon_id)
      if (!coupon) throw notFound(coupon_id)
      return versioned(coupon)
    },
  }),
  patch('/v1/admin/coupons/{coupon_id}', {
    summary: 'Change a coupon',
    description:
      'Applies to carts that have it at once. `active: false` ends it. Orders keep the discount that they have.',
    scope: 'admin:write',
    params,
    body: changes(termsFields),
    reply: oneCoupon,
    versioned: true,
    refusals: ['not_found'],
    run: async ({ tx, params: { coupon_id }, body: sent, ifMatch }) =>
      versioned(await changeCoupon(tx, coupon_id, { sent, ifMatch })),
  }),
]
