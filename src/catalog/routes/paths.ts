// The kinds of goods and their paths, as a table.

import type { Reader } from '../../base/db.ts'
import { maxPriceTiyin } from '../../base/money.ts'
import type { EventType } from '../../events.ts'
import { events } from '../../events.ts'
import type { Route } from '../../http/route.ts'
import { flag, idText, integer, oneOf, slug } from '../../http/schema.ts'
import {
  type Brand,
  type LoanCondition,
  type ModeratedOffer,
  moderationStatuses,
  type Offer,
  type Partner,
  type Variant,
} from '../goods.ts'
import { refuseDecision } from '../moderation.ts'
import { refuseUnknownPromotion } from '../promotions/refuse-unknown-promotion.ts'
import { seasonNow } from '../promotions/season-now.ts'
import { offerInSeason } from '../promotions/sheets-in-season.ts'
import * as forms from '../records.ts'
import type { ListedOffer, OfferSheet } from '../sheets.ts'
import { loadModeratedSheets, loadOfferSheets } from '../store/sheets.ts'
import { type GoodsPaths, readPaths, writePaths } from './goods.ts'
import * as views from './views.ts'

const factsOf = (...subjects: string[]): EventType[] =>
  (Object.keys(events) as EventType[]).filter((it) => subjects.includes(events[it].subject))

const byId = { by: 'id', type: 'int8' } as const
const byCreation = { by: 'created_at', type: 'timestamptz' } as const
const byName = { by: 'name', type: 'text' } as const
const byPrice = { by: 'price_tiyin', type: 'int8' } as const
const byQuantity = { by: 'quantity::int8', type: 'int8' } as const

const idIs = (column: string) => ({
  shape: idText,
  condition: `${column} =`,
  value: (it: string) => Number(it),
})
const flagIs = (column: string) => ({ shape: flag, condition: `${column} =` })
const priceBound = integer(0, maxPriceTiyin, { description: 'Of the usual price, in tiyin.' })

const brands: GoodsPaths<Brand> = {
  form: forms.brandForm,
  plural: { path: 'brands', field: 'brands' },
  singular: { field: 'brand', words: 'a brand' },
  reply: views.brandReply,
  show: (_read, goods) => goods.map(views.brandView),
  sorts: { name: byName, created_at: byCreation, id: byId },
  defaultSort: 'name',
  filters: { slug: { shape: slug, condition: 'slug =' } },
  facts: factsOf('brand'),
}

const partners: GoodsPaths<Partner> = {
  form: forms.partnerForm,
  plural: { path: 'partners', field: 'partners' },
  singular: { field: 'partner', words: 'a partner' },
  reply: views.partnerReply,
  show: (_read, goods, call) => goods.map((it) => views.partnerView(it, call)),
  sorts: {
    name: byName,
    rating: { by: '(rating * 1000)::int8', type: 'int8' },
    created_at: byCreation,
    id: byId,
  },
  defaultSort: 'name',
  filters: {
    slug: { shape: slug, condition: 'slug =' },
    is_recommended: flagIs('is_recommended'),
    credit_active: flagIs('credit_active'),
  },
  facts: factsOf('partner'),
}

const loanConditions: GoodsPaths<LoanCondition> = {
  form: forms.loanConditionForm,
  plural: { path: 'loan-conditions', field: 'loan_conditions' },
  singular: { field: 'loan_condition', words: 'a loan condition' },
  reply: views.loanConditionReply,
  show: (_read, goods) => goods.map(views.loanConditionView),
  judge: refuseUnknownPromotion,
  sorts: { id: byId, duration: { by: 'duration::int8', type: 'int8' }, created_at: byCreation },
  defaultSort: 'id',
  filters: { partner_id: idIs('partner_id'), active: flagIs('is_active') },
  facts: factsOf('loan-condition'),
}

const variants: GoodsPaths<Variant> = {
  form: forms.variantForm,
  plural: { path: 'variants', field: 'variants' },
  singular: { field: 'variant', words: 'a variant' },
  reply: views.variantReply,
  show: (_read, goods, call) => goods.map((it) => views.variantView(it, call)),
  sorts: { id: byId, created_at: byCreation },
  defaultSort: 'id',
  filters: { product_id: idIs('product_id') },
  facts: factsOf('variant'),
}

const offerFilters = {
  product_id: idIs('product_id'),
  variant_id: idIs('variant_id'),
  partner_id: idIs('partner_id'),
  is_active: flagIs('is_active'),
  is_visible: flagIs('is_visible'),
  in_stock: flagIs('(quantity > 0)'),
  price_min: { shape: priceBound, condition: 'price_tiyin >=' },
  price_max: { shape: priceBound, condition: 'price_tiyin <=' },
}
const offerSorts = { id: byId, price: byPrice, quantity: byQuantity, created_at: byCreation }
const behindOffers = ['product', 'variant', 'partner', 'category', 'loan-condition', 'promotion']
const untilMs = async (read: Reader) => (await seasonNow(read)).untilMs

const offers: GoodsPaths<Offer> = {
  form: forms.offerForm,
  plural: { path: 'offers', field: 'offers' },
  singular: { field: 'offer', words: 'an offer' },
  reply: views.offerReply,
  show: (read, goods, call) =>
    shownSheets(read, goods, { load: loadOfferSheets, view: (_, sheet) => views.offerView(sheet, call) }),
  isLiving: true,
  untilMs,
  sorts: offerSorts,
  defaultSort: 'id',
  filters: offerFilters,
  facts: factsOf('offer', ...behindOffers),
}

export const moderatedOffers: GoodsPaths<ModeratedOffer> = {
  form: forms.moderatedOfferForm,
  plural: { path: 'moderated-offers', field: 'moderated_offers' },
  singular: { field: 'moderated_offer', words: 'a moderated offer' },
  reply: views.moderatedOfferReply,
  show: (read, goods, call) =>
    shownSheets(read, goods, {
      load: loadModeratedSheets,
      view: ({ uuid, status, reason }, sheet) => ({ uuid, status, reason, ...views.offerView(sheet, call) }),
    }),
  isLiving: true,
  untilMs,
  refuse: refuseDecision,
  sorts: offerSorts,
  defaultSort: 'id',
  filters: {
    status: { shape: oneOf(moderationStatuses), condition: 'status =' },
    uuid: { shape: forms.givenUuid, condition: 'uuid =' },
    ...offerFilters,
  },
  facts: factsOf('moderated-offer', ...behindOffers),
}

/** Offers with all that stands behind them, as they are this moment: those who keep a shop must not see old stock. */
async function shownSheets<O extends Offer>(
  read: Reader,
  goods: readonly O[],
  how: {
    load: (read: Reader, ids: number[]) => Promise<Map<number, ListedOffer>>
    view: (offer: O, sheet: OfferSheet) => unknown
  },
): Promise<unknown[]> {
  const [sheets, season] = await Promise.all([
    how.load(
      read,
      goods.map((it) => it.id),
    ),
    seasonNow(read),
  ])
  return goods.flatMap((it) => {
    const sheet = sheets.get(it.id)
    return sheet ? [how.view(it, offerInSeason({ ...sheet, ...termsOnly(it) }, season))] : []
  })
}

/** The row that was read first, so that a reply agrees with its version. */
const termsOnly = ({ rating: _rating, ...it }: Offer) => ({ ...it, usualPriceTiyin: it.priceTiyin })

export const goodsRoutes: Route[] = [
  ...readPaths(brands),
  ...writePaths(brands),
  ...readPaths(partners),
  ...writePaths(partners),
  ...readPaths(loanConditions),
  ...writePaths(loanConditions),
  ...readPaths(variants),
  ...writePaths(variants),
  ...readPaths(offers),
  ...writePaths(offers),
  ...readPaths(moderatedOffers),
  ...writePaths(moderatedOffers),
]

export const productFacts = factsOf('product', 'offer', ...behindOffers, 'brand', 'popularity')
