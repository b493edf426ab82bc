import { type Static, Type } from 'typebox'
import { asMoney } from '../../base/money.ts'
import { refuse } from '../../base/refusal.ts'
import { instantOf, instantText } from '../../http/instant.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { get, post, type Route } from '../../http/route.ts'
import { flag, id, idText, instant, integer, list, named, nullable, oneOf, slug } from '../../http/schema.ts'
import { type EntityRoutes, writeRoutes } from '../entities/crud-routes.ts'
import { money } from '../offers/views.ts'
import { listPromotions, promotionSorts } from './store.ts'
import { findMany } from '../entities/store.ts'
import { promotions as table } from '../entities/tables.ts'
import { type Conflict, findConflicts, maxConflicts, winnerOf } from './conflicts.ts'
import { endPromotion, refusePriceAboveOffers } from './edit-promotions.ts'
import { promotionForm } from './record-form.ts'
import { type Promotion, stageAt, stages } from './promotion.ts'

const path = '/v1/marketing/promotions'
const ids = list(idText, 1_000)

const promotionReply = named(
  'Promotion',
  Type.Object({
    id: idText,
    uuid: Type.String({ examples: ['7f0c3c1e-5a8b-4c83-9a63-0d3c1f4a2b5d'] }),
    slug: Type.String({ examples: ['autumn-sale'] }),
    title: Type.String({ description: 'In Russian.', examples: ['Осенние скидки'] }),
    title_uz: Type.String({ examples: ['Kuzgi chegirmalar'] }),
    title_en: Type.String({ examples: ['Autumn sale'] }),
    status: oneOf(stages),
    starts_at: instant,
    ends_at: nullable(instant),
    offer_ids: ids,
    moderated_offer_ids: ids,
    category_ids: ids,
    brand_ids: ids,
    partner_ids: ids,
    discount_percent: nullable(integer(1, 99)),
    price: Type.Unsafe<Static<typeof money> | null>({
      ...nullable(money),
      description: 'The price of every member that would cost more.',
    }),
    loan_condition_ids: ids,
    created_at: instant,
    updated_at: instant,
  }),
)

const texts = (them: readonly number[]) => them.map(String)

const promotionView = (it: Promotion, now: Date) => ({
  id: String(it.id),
  uuid: it.uuid,
  slug: it.slug,
  title: it.title,
  title_uz: it.titleUz,
  title_en: it.titleEn,
  status: stageAt(it, now),
  starts_at: it.startsAt.toISOString(),
  ends_at: it.endsAt?.toISOString() ?? null,
  offer_ids: texts(it.offerIds),
  moderated_offer_ids: texts(it.moderatedOfferIds),
  category_ids: texts(it.categoryIds),
  brand_ids: texts(it.brandIds),
  partner_ids: texts(it.partnerIds),
  discount_percent: it.discountPercent,
  price: it.priceTiyin === null ? null : asMoney(it.priceTiyin),
  loan_condition_ids: texts(it.loanConditionIds),
  created_at: it.createdAt.toISOString(),
  updated_at: it.updatedAt.toISOString(),
})

const paths: EntityRoutes<Promotion> = {
  form: promotionForm,
  area: 'marketing',
  plural: { path: 'promotions', field: 'promotions' },
  singular: { field: 'promotion', words: 'a promotion' },
  reply: promotionReply,
  show: (read, entities) => entities.map((it) => promotionView(it, read.now)),
  isVolatile: true,
  check: refusePriceAboveOffers,
  sorts: {},
  defaultSort: '-starts_at',
  filters: {},
  invalidatedBy: [],
}

const reply = Type.Object({ promotion: promotionReply })
const bound = (description: string) => Type.Optional({ ...instantText, description } as typeof instantText)

const conflictsReply = Type.Object({
  conflicts: list(
    named(
      'PromotionConflict',
      Type.Object({
        promotion_ids: Type.Array(idText, { minItems: 2, maxItems: 2, examples: [['7', '9']] }),
        starts_at: Type.Unsafe<string>({ ...instant, description: 'When both run.' }),
        ends_at: nullable(instant),
        offers: integer(1, Number.MAX_SAFE_INTEGER, { description: 'How many offers are members of both.' }),
        sample_offer_ids: list(idText, 5),
        winner_id: Type.Unsafe<string | null>({
          ...nullable(idText),
          description:
            'The promotion whose price holds for all shared offers. Null when it depends on the usual price of the offer.',
        }),
      }),
    ),
    maxConflicts,
  ),
  is_complete: Type.Boolean({
    description: 'False when there are more conflicts than are listed, or too many offers to compare all.',
  }),
})

const instantAt = (ms: number) => new Date(ms).toISOString()

const winnerText = (id: number | null) => (id === null ? null : String(id))

const conflictView = (it: Conflict) => ({
  promotion_ids: [String(it.first.details.id), String(it.second.details.id)],
  starts_at: instantAt(it.fromMs),
  ends_at: Number.isFinite(it.untilMs) ? instantAt(it.untilMs) : null,
  offers: it.count,
  sample_offer_ids: texts(it.sample),
  winner_id: winnerText(winnerOf(it.first, it.second)),
})

export const promotionRoutes: Route[] = [
  get(path, {
    summary: 'List promotions',
    scope: 'marketing:read',
    query: listQuery(
      promotionSorts,
      {
        running: Type.Optional(flag),
        slug: Type.Optional(slug),
        from: bound('Promotions that run at some time after this instant.'),
        to: bound('Promotions that run at some time before this instant.'),
      },
      '-starts_at',
    ),
    reply: Type.Object({ promotions: list(promotionReply, 100), pagination }),
    run: async ({ read, query }) => {
      const listing = listingOf(query, '-starts_at')
      const slice = await listPromotions(read, listing, {
        slug: query.slug,
        isRunning: query.running,
        from: query.from === undefined ? undefined : instantOf(query.from, 'from'),
        to: query.to === undefined ? undefined : instantOf(query.to, 'to'),
      })
      return {
        data: {
          promotions: slice.rows.map((it) => promotionView(it, read.now)),
          pagination: paginationView(listing, slice),
        },
      }
    },
  }),
  get(`${path}/conflicts`, {
    summary: 'List conflicts of promotions',
    description:
      'Pairs of promotions that reduce the price of the same offers at the same time, from now on. Of several promotions the lowest price wins and discounts are not added up, so one of a pair has no effect on the shared offers. Loan conditions do not conflict.',
    scope: 'marketing:read',
    shed: 'first',
    reply: conflictsReply,
    run: async ({ read }) => {
      const { conflicts, isComplete } = await findConflicts(read)
      return { data: { conflicts: conflicts.map(conflictView), is_complete: isComplete } }
    },
  }),
  get(`${path}/{promotion_id}`, {
    summary: 'Get a promotion',
    scope: 'marketing:read',
    params: { promotion_id: id },
    reply,
    run: async ({ read, params }) => {
      const [found] = await findMany(read, table, [params.promotion_id])
      if (!found) throw refuse('not_found')
      return {
        data: { promotion: promotionView(found, read.now) },
        version: found.version,
        isVolatile: true,
      }
    },
  }),
  ...writeRoutes(paths),
  post(`${path}/{promotion_id}/end`, {
    summary: 'End a running promotion',
    scope: 'marketing:write',
    params: { promotion_id: id },
    reply,
    versioned: true,
    refusals: ['invalid_transition'],
    run: async ({ tx, params, ifMatch }) => {
      const ended = await endPromotion(tx, { id: params.promotion_id, ifMatch })
      return { data: { promotion: promotionView(ended, tx.now) }, version: ended.version, isVolatile: true }
    },
  }),
]
