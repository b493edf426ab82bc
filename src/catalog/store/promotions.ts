// Promotions: how they are read for making prices, and the book whose page is turned when anything by which they make
// them changes. The statements that they share with all goods are in table.ts.

import type { Reader, Tx } from '../../base/db.ts'
import { type Listing, sliceOf, type Slice } from '../../base/listing.ts'
import { Calendar, type Effect, type PlannedPromotion } from '../promotions/season.ts'
import type { MemberField, Promotion, Stage } from '../promotions/promotion.ts'
import { pathsFrom } from './sheets.ts'
import { columnsOf } from './table.ts'
import { promotions } from './tables.ts'

type PlannedRow = Promotion & {
  page: number
  terms: [id: number, partnerId: number, duration: number, commission: number][] | null
}

/** The promotions that have not ended, and the page that was open before anything of them was read. */
export async function loadCalendar(read: Reader): Promise<Calendar> {
  const rows = await read.all<PlannedRow>(
    `select book.page, ${columnsOf(promotions, 'promotion')},
       (select json_agg(json_build_array(terms.id, terms.partner_id, terms.duration, terms.commission))
        from catalog_loan_conditions terms
        where terms.id = any(promotion.loan_condition_ids) and terms.is_active
          and coalesce(terms.promotion_id, promotion.id) = promotion.id) as terms
     from catalog_promotion_book book left join catalog_promotions promotion
       on promotion.ends_at > $1 or promotion.ends_at is null
     order by promotion.id`,
    [read.now],
  )
  const standing = rows.filter((it) => it.id !== null)
  const hasCategories = standing.some((it) => it.categoryIds.length > 0)
  const below = hasCategories ? await categoriesBelow(read) : new Map<number, number[]>()
  return new Calendar(
    rows[0]!.page,
    standing.map((it) => planned(it, below)),
  )
}

function planned(row: PlannedRow, below: ReadonlyMap<number, number[]>): PlannedPromotion {
  const { id, uuid, title, titleUz, slug, version, startsAt, endsAt } = row
  return {
    sheet: { id, uuid, title, titleUz, slug },
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
    conditions: (terms ?? []).map(([id, partnerId, duration, commission]) => ({
      id,
      partnerId,
      duration,
      commission,
      promotionId: null,
    })),
  }
}

/** Every category with itself and all that stands below it. */
async function categoriesBelow(read: Reader): Promise<Map<number, number[]>> {
  const below = new Map<number, number[]>()
  for (const [id, path] of await pathsFrom(read))
    for (const step of path) {
      const known = below.get(step.id)
      if (known) known.push(id)
      else below.set(step.id, [id])
    }
  return below
}

/** To be done by whoever changes a promotion, a condition, or the tree; changes of them go one after the other. */
export const turnPage = (tx: Tx): void => {
  tx.later(`update catalog_promotion_book set page = page + 1`)
}

/** How many have not ended. Whoever counts holds the book, so that of two who find one place left one gets it. */
export async function countUnended(tx: Tx): Promise<number> {
  tx.later(`select 1 from catalog_promotion_book for update`)
  const { count } = await tx.one<{ count: number }>(
    `select count(*) as count from catalog_promotions where ends_at > $1 or ends_at is null`,
    [tx.now],
  )
  return count
}

/** Promotions that name something, held for this transaction. */
export const lockNaming = (tx: Tx, field: MemberField, id: number): Promise<Promotion[]> =>
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

/** What the cheapest of some offers usually costs; null when there is none of them. */
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

/** When a promotion starts or has started; undefined when there is none. */
export const startOfPromotion = async (read: Reader, id: number): Promise<Date | undefined> =>
  (
    await read.maybe<{ startsAt: Date }>(
      `select starts_at as "startsAt" from catalog_promotions where id = $1`,
      [id],
    )
  )?.startsAt

export interface PromotionFilter {
  slug: string | undefined
  isRunning: boolean | undefined
  /** Those that run at some time within. */
  from: Date | undefined
  to: Date | undefined
}

export const promotionSorts = ['id', 'starts_at', 'ends_at', 'created_at'] as const

export function listPromotions(
  read: Reader,
  listing: Listing,
  { slug, isRunning, from, to }: PromotionFilter,
): Promise<Slice<Promotion>> {
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
  return sliceOf<Promotion>(
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

/** What nobody has ended yet stands behind all that has an end. */
const unended = `'infinity'::timestamptz`

export type Untold = Pick<Promotion, 'id' | 'slug' | 'startsAt' | 'endsAt' | 'updatedAt'> & {
  toldStage: Stage
}

/** Promotions that are at another stage than was told of them; what another process is telling of is passed over. */
export const lockUntold = (tx: Tx, limit: number): Promise<Untold[]> =>
  tx.all<Untold>(
    `select id, slug, starts_at as "startsAt", ends_at as "endsAt", updated_at as "updatedAt", told_stage as "toldStage"
     from catalog_promotions
     where told_stage <> case when starts_at > $1 then 'scheduled' when ends_at <= $1 then 'ended' else 'running' end
     order by starts_at, id limit $2 for update skip locked`,
    [tx.now, limit],
  )

/** Of these promotions, which must be held, those whose start was told and whose end was not. */
export const toldAsRunning = async (tx: Tx, ids: readonly number[]): Promise<Set<number>> =>
  new Set(
    (
      await tx.all<{ id: number }>(
        `select id from catalog_promotions where id = any($1) and told_stage = 'running'`,
        [ids],
      )
    ).map((it) => it.id),
  )

export const noteTold = (tx: Tx, stages: readonly { id: number; stage: Stage }[]): void => {
  tx.later(
    `update catalog_promotions set told_stage = told.stage from unnest($1::int8[], $2::text[]) as told (id, stage)
     where catalog_promotions.id = told.id`,
    [stages.map((it) => it.id), stages.map((it) => it.stage)],
  )
}
