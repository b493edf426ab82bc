// CRUD routes of brands, partners, loan conditions, variants, offers and moderated offers, as a table.

import type { Reader } from '../../base/database.ts'
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
} from '../entities/entities.ts'
import { lowStockUnits } from '../stock/stock.ts'
import { refuseStatusChange } from './moderation.ts'
import { refuseUnknownPromotion } from '../promotions/edit-promotions.ts'
import { currentWindow } from '../promotions/current-schedule.ts'
import { priceOffer } from '../promotions/price-details.ts'
import * as forms from '../entities/record-forms.ts'
import type { UsualOffer, OfferDetails } from './offer-details.ts'
import { loadModeratedDetails, loadOfferDetails } from './store.ts'
import { type EntityRoutes, readRoutes, writeRoutes } from '../entities/crud-routes.ts'
import { moderatedOfferRestrictions, offerRestrictions } from './restrictions.ts'
import * as views from './views.ts'

const eventsAbout = (...subjects: string[]): EventType[] =>
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

const brands: EntityRoutes<Brand> = {
  form: forms.brandForm,
  plural: { path: 'brands', field: 'brands' },
  singular: { field: 'brand', words: 'a brand' },
  reply: views.brandReply,
  show: (_read, entities) => entities.map(views.brandView),
  sorts: { name: byName, created_at: byCreation, id: byId },
  defaultSort: 'name',
  filters: { slug: { shape: slug, condition: 'slug =' } },
  invalidatedBy: eventsAbout('brand'),
}

const partners: EntityRoutes<Partner> = {
  form: forms.partnerForm,
  plural: { path: 'partners', field: 'partners' },
  singular: { field: 'partner', words: 'a partner' },
  reply: views.partnerReply,
  show: (_read, entities, call) => entities.map((it) => views.partnerView(it, call)),
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
  invalidatedBy: eventsAbout('partner'),
}

const loanConditions: EntityRoutes<LoanCondition> = {
  form: forms.loanConditionForm,
  plural: { path: 'loan-conditions', field: 'loan_conditions' },
  singular: { field: 'loan_condition', words: 'a loan condition' },
  reply: views.loanConditionReply,
  show: (_read, entities) => entities.map(views.loanConditionView),
  check: refuseUnknownPromotion,
  sorts: { id: byId, duration: { by: 'duration::int8', type: 'int8' }, created_at: byCreation },
  defaultSort: 'id',
  filters: { partner_id: idIs('partner_id'), active: flagIs('is_active') },
  invalidatedBy: eventsAbout('loan-condition'),
}

const variants: EntityRoutes<Variant> = {
  form: forms.variantForm,
  plural: { path: 'variants', field: 'variants' },
  singular: { field: 'variant', words: 'a variant' },
  reply: views.variantReply,
  show: (_read, entities, call) => entities.map((it) => views.variantView(it, call)),
  sorts: { id: byId, created_at: byCreation },
  defaultSort: 'id',
  filters: { product_id: idIs('product_id') },
  invalidatedBy: eventsAbout('variant'),
}

const offerFilters = {
  product_id: idIs('product_id'),
  variant_id: idIs('variant_id'),
  partner_id: idIs('partner_id'),
  is_active: flagIs('is_active'),
  is_visible: flagIs('is_visible'),
  in_stock: flagIs('(quantity > 0)'),
  low_stock: {
    shape: { ...flag, description: `At most ${lowStockUnits} units.` },
    condition: `(quantity <= ${lowStockUnits}) =`,
  },
  price_min: { shape: priceBound, condition: 'price_tiyin >=' },
  price_max: { shape: priceBound, condition: 'price_tiyin <=' },
}
const listDescription = 'Sorts and filters by price use `usual_price`, without promotions.'
const offerSorts = { id: byId, price: byPrice, quantity: byQuantity, created_at: byCreation }
const offerDependencies = ['product', 'variant', 'partner', 'category', 'loan-condition', 'promotion']
const untilMs = async (read: Reader) => (await currentWindow(read)).untilMs

const offers: EntityRoutes<Offer> = {
  form: forms.offerForm,
  plural: { path: 'offers', field: 'offers' },
  singular: { field: 'offer', words: 'an offer' },
  reply: views.offerReply,
  show: (read, entities, call) =>
    showDetails(read, entities, {
      load: loadOfferDetails,
      view: (_, details) => views.offerView(details, call),
    }),
  isVolatile: true,
  validUntilMs: untilMs,
  restrictions: offerRestrictions,
  listDescription,
  sorts: offerSorts,
  defaultSort: 'id',
  filters: offerFilters,
  invalidatedBy: eventsAbout('offer', ...offerDependencies),
}

export const moderatedOffers: EntityRoutes<ModeratedOffer> = {
  form: forms.moderatedOfferForm,
  plural: { path: 'moderated-offers', field: 'moderated_offers' },
  singular: { field: 'moderated_offer', words: 'a moderated offer' },
  reply: views.moderatedOfferReply,
  show: (read, entities, call) =>
    showDetails(read, entities, {
      load: loadModeratedDetails,
      view: ({ uuid, status, reason }, details) => ({
        uuid,
        status,
        reason,
        ...views.offerView(details, call),
      }),
    }),
  isVolatile: true,
  validUntilMs: untilMs,
  refuse: refuseStatusChange,
  restrictions: moderatedOfferRestrictions,
  listDescription,
  sorts: offerSorts,
  defaultSort: 'id',
  filters: {
    status: { shape: oneOf(moderationStatuses), condition: 'status =' },
    uuid: { shape: forms.givenUuid, condition: 'uuid =' },
    ...offerFilters,
  },
  invalidatedBy: eventsAbout('moderated-offer', ...offerDependencies),
}

/** Uncached offer details: operators must not see old stock. */
async function showDetails<O extends Offer>(
  read: Reader,
  entities: readonly O[],
  how: {
    load: (read: Reader, ids: number[]) => Promise<Map<number, UsualOffer>>
    view: (offer: O, details: OfferDetails) => unknown
  },
): Promise<unknown[]> {
  const [loaded, window] = await Promise.all([
    how.load(
      read,
      entities.map((it) => it.id),
    ),
    currentWindow(read),
  ])
  return entities.flatMap((it) => {
    const details = loaded.get(it.id)
    return details ? [how.view(it, priceOffer({ ...details, ...termsOnly(it) }, window))] : []
  })
}

/** The fields of the row that was read first, so that a reply agrees with its version. */
const termsOnly = ({ rating: _rating, ...it }: Offer) => ({ ...it, usualPriceTiyin: it.priceTiyin })

export const entityRoutes: Route[] = [
  ...readRoutes(brands),
  ...writeRoutes(brands),
  ...readRoutes(partners),
  ...writeRoutes(partners),
  ...readRoutes(loanConditions),
  ...writeRoutes(loanConditions),
  ...readRoutes(variants),
  ...writeRoutes(variants),
  ...readRoutes(offers),
  ...writeRoutes(offers),
  ...readRoutes(moderatedOffers),
  ...writeRoutes(moderatedOffers),
]

export const productEvents = eventsAbout('product', 'offer', ...offerDependencies, 'brand', 'popularity')
