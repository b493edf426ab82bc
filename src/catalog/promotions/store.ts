// SQL of promotions and of the promotion schedule's version. Statements shared by all entity kinds are in
// entities/store.ts.

import type { Reader, Tx } from '../../base/database.ts'
import { type ListRequest, loadPage, type ListPage } from '../../base/listing.ts'
import { type Effect, type OfferMembership, PromotionSchedule, type ScheduledPromotion } from './schedule.ts'
import type { MemberField, Promotion, Stage } from './promotion.ts'
import { pathsFrom } from '../offers/store.ts'
import { columnsOf } from '../entities/store.ts'
import { promotions } from '../entities/tables.ts'

type PlannedRow = Promotion & {
  scheduleVersion: number
  terms: [id: number, partnerId: number, duration: number, commission: number, earlyPercent: number][] | null
}

/** The promotions that have not ended, with the schedule version that was read before them. */
export async function loadSchedule(read: Reader): Promise<PromotionSchedule> {
  const rows = await read.all<PlannedRow>(
    `select schedule.version as "scheduleVersion", ${columnsOf(promotions, 'promotion')},
       (select json_agg(json_build_array(terms.id, terms.partner_id, terms.duration, terms.commission,
          terms.early_commission_percent))
        from catalog_loan_conditions terms
        where terms.id = any(promotion.loan_condition_ids) and terms.is_active
          and coalesce(terms.promotion_id, promotion.id) = promotion.id) as terms
     from catalog_promotion_schedule schedule left join catalog_promotions promotion
       on promotion.ends_at > $1 or promotion.ends_at is null
     order by promotion.id`,
    [read.now],
  )
  const standing = rows.filter((it) => it.id !== null)
  const hasCategories = standing.some((it) => it.categoryIds.length > 0)
  const below = hasCategories ? await descendantsOfCategories(read) : new Map<number, number[]>()
  return new PromotionSchedule(
    rows[0]!.scheduleVersion,
    standing.map((it) => planned(it, below)),
  )
}

function planned(row: PlannedRow, below: ReadonlyMap<number, number[]>): ScheduledPromotion {
  const { id, uuid, title, titleUz, titleEn, slug, version, startsAt, endsAt } = row
  return {
    details: { id, uuid, title, titleUz, titleEn, slug },
    version,
    startsAtMs: startsAt.getTime(),
    endsAtMs: endsAt?.getTime() ?? Infinity,
    effect: effectOf(row),
    members: {
      offerIds: row.offerIds,
      moderatedOfferIds: row.moderatedOfferIds,
      categoryIds: [...new Set(row.categoryIds.flatMap((it) => below.get(it) ?? []))],
      brandIds: row.brandIds,
      partnerIds: row.partnerIds,
    },
  }
}

function effectOf({ discountPercent, priceTiyin, terms }: PlannedRow): Effect {
  if (discountPercent !== null) return { kind: 'discount', percent: discountPercent }
  if (priceTiyin !== null) return { kind: 'price', priceTiyin }
  return {
    kind: 'conditions',
    conditions: (terms ?? []).map(([id, partnerId, duration, commission, earlyCommissionPercent]) => ({
      id,
      partnerId,
      duration,
      commission,
      earlyCommissionPercent,
      promotionId: null,
    })),
  }
}

/** By category, itself and all below it. */
async function descendantsOfCategories(read: Reader): Promise<Map<number, number[]>> {
  const below = new Map<number, number[]>()
  for (const [id, path] of await pathsFrom(read))
    for (const step of path) {
      const known = below.get(step.id)
      if (known) known.push(id)
      else below.set(step.id, [id])
    }
  return below
}

/** Must be called by every change of a promotion, a loan condition or the category tree; it serialises them. */
export const bumpScheduleVersion = (tx: Tx): void => {
  tx.later(`update catalog_promotion_schedule set version = version + 1`)
}

/** How many have not ended. Locks the schedule, so that two writers cannot take the last place. */
export async function countUnended(tx: Tx): Promise<number> {
  tx.later(`select 1 from catalog_promotion_schedule for update`)
  const { count } = await tx.one<{ count: number }>(
    `select count(*) as count from catalog_promotions where ends_at > $1 or ends_at is null`,
    [tx.now],
  )
  return count
}

/** The promotions that list an entity, locked. */
export const lockPromotionsOf = (tx: Tx, field: MemberField, id: number): Promise<Promotion[]> =>
  tx.all<Promotion>(
    `select ${columnsOf(promotions)} from catalog_promotions where ${memberColumns[field]} @> array[$1::int8]
     order by id for update`,
    [id],
  )

const memberColumns: Record<MemberField, string> = {
  offerIds: 'offer_ids',
  moderatedOfferIds: 'moderated_offer_ids',
  categoryIds: 'category_ids',
  brandIds: 'brand_ids',
  partnerIds: 'partner_ids',
}

/** The lowest usual price of some offers; null without offers. */
export const lowestPriceOf = async (
  read: Reader,
  { offerIds, moderatedOfferIds }: Pick<Promotion, 'offerIds' | 'moderatedOfferIds'>,
): Promise<number | null> =>
  (
    await read.one<{ lowest: number | null }>(
      `select least((select min(price_tiyin) from catalog_offers where id = any($1)),
         (select min(price_tiyin) from catalog_moderated_offers where id = any($2))) as lowest`,
      [offerIds, moderatedOfferIds],
    )
  ).lowest

/** Offers and moderated offers that any of these members names, by id, up to a limit. */
export const offersNamed = async (
  read: Reader,
  members: Record<MemberField, readonly number[]>,
  limit: number,
): Promise<OfferMembership[]> => {
  const rows = await read.all<Omit<OfferMembership, 'categoryIds'> & { categoryId: number }>(
    `${namedIn('catalog_offers', '1')} union all ${namedIn('catalog_moderated_offers', '2')} order by 2, 1 limit $6`,
    [
      members.offerIds,
      members.moderatedOfferIds,
      members.categoryIds,
      members.brandIds,
      members.partnerIds,
      limit,
    ],
  )
  return rows.map(({ categoryId, ...it }) => ({ ...it, categoryIds: [categoryId] }))
}

const namedIn = (table: string, ids: string): string =>
  `select offer.id, ${table !== 'catalog_offers'} as "isModerated", offer.partner_id as "partnerId",
     product.category_id as "categoryId", product.brand_id as "brandId"
   from ${table} offer join catalog_products product on product.id = offer.product_id
   where offer.id = any($${ids}) or product.category_id = any($3) or product.brand_id = any($4)
     or offer.partner_id = any($5)`

/** The start of a promotion; undefined for an unknown one. */
export const startOfPromotion = async (read: Reader, id: number): Promise<Date | undefined> =>
  (
    await read.maybe<{ startsAt: Date }>(
      `select starts_at as "startsAt" from catalog_promotions where id = $1`,
      [id],
    )
  )?.startsAt

export interface PromotionPeriod {
  id: number
  startsAt: Date
  endsAt: Date | null
}

const maxStarted = 1_000

/** The promotions that start after one instant and not after another, by their start. */
export const promotionsStartedWithin = (
  read: Reader,
  { after, until }: { after: Date; until: Date },
): Promise<PromotionPeriod[]> =>
  read.all<PromotionPeriod>(
    `select id, starts_at as "startsAt", ends_at as "endsAt" from catalog_promotions
     where starts_at > $1 and starts_at <= $2 order by starts_at, id limit ${maxStarted}`,
    [after, until],
  )

export interface PromotionFilter {
  slug: string | undefined
  isRunning: boolean | undefined
  /** Promotions that run at some time in the period. */
  from: Date | undefined
  to: Date | undefined
}

export const promotionSorts = ['id', 'starts_at', 'ends_at', 'created_at'] as const

export function listPromotions(
  read: Reader,
  listing: ListRequest,
  { slug, isRunning, from, to }: PromotionFilter,
): Promise<ListPage<Promotion>> {
  const given: [sql: string, value: unknown][] = [
    ['slug = $', slug],
    ['starts_at < $', to],
    ['coalesce(ends_at, $unended) > $', from],
    [
      `${isRunning ? '' : 'not '}(starts_at <= $ and coalesce(ends_at, $unended) > $)`,
      isRunning === undefined ? undefined : read.now,
    ],
  ]
  const used = given.filter(([, value]) => value !== undefined)
  return loadPage<Promotion>(
    read,
    {
      columns: columnsOf(promotions),
      from: 'catalog_promotions',
      where: used.map(([sql], at) => sql.replaceAll('$unended', unended).replaceAll('$', `$${at + 1}`)),
      values: used.map(([, value]) => value),
      sorts: {
        id: { by: 'id', type: 'int8' },
        starts_at: { by: 'starts_at', type: 'timestamptz' },
        ends_at: { by: `coalesce(ends_at, ${unended})`, type: 'timestamptz' },
        created_at: { by: 'created_at', type: 'timestamptz' },
      },
      key: { by: 'id', type: 'int8' },
    },
    listing,
  )
}

/** Promotions without an end sort after all others. */
const unended = `'infinity'::timestamptz`

export type PendingStage = Pick<Promotion, 'id' | 'slug' | 'startsAt' | 'endsAt' | 'updatedAt'> & {
  publishedStage: Stage
}

/** Promotions whose stage differs from the published one; rows locked by another process are skipped. */
export const lockPendingStages = (tx: Tx, limit: number): Promise<PendingStage[]> =>
  tx.all<PendingStage>(
    `select id, slug, starts_at as "startsAt", ends_at as "endsAt", updated_at as "updatedAt", published_stage as "publishedStage"
     from catalog_promotions
     where published_stage <> case when starts_at > $1 then 'scheduled' when ends_at <= $1 then 'ended' else 'running' end
     order by starts_at, id limit $2 for update skip locked`,
    [tx.now, limit],
  )

/** Of these locked promotions, those whose start was published and whose end was not. */
export const publishedAsRunning = async (tx: Tx, ids: readonly number[]): Promise<Set<number>> =>
  new Set(
    (
      await tx.all<{ id: number }>(
        `select id from catalog_promotions where id = any($1) and published_stage = 'running'`,
        [ids],
      )
    ).map((it) => it.id),
  )

export const savePublishedStages = (tx: Tx, stages: readonly { id: number; stage: Stage }[]): void => {
  tx.later(
    `update catalog_promotions set published_stage = published.stage from unnest($1::int8[], $2::text[]) as published (id, stage)
     where catalog_promotions.id = published.id`,
    [stages.map((it) => it.id), stages.map((it) => it.stage)],
  )
}
