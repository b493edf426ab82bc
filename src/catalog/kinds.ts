// The kinds of goods as a table: where each is kept, what it names, what must be its own, and what is told of it.
// Every rule that holds for all of them is in save-goods.ts; two kinds differ here and nowhere else.

import type { Tx } from '../base/db.ts'
import type { FieldFault } from '../base/shape.ts'
import type { Event } from '../events.ts'
import { inSums } from '../base/money.ts'
import { secretUuid } from '../base/random.ts'
import {
  type Brand,
  isShown,
  type Kept,
  type LoanCondition,
  type ModeratedOffer,
  type Offer,
  type Partner,
  type Product,
  type Said,
  type Variant,
} from './goods.ts'
import { type OfferKind, stockFacts } from './stock.ts'
import {
  contradictions,
  type MemberField,
  mostUnended,
  type Promotion,
  stageAt,
} from './promotions/promotion.ts'
import { countUnended, toldAsRunning } from './store/promotions.ts'
import type { NamedBy } from './store/references.ts'
import type { Table } from './store/table.ts'
import * as tables from './store/tables.ts'

export interface Kind<G extends Kept> {
  /** As records and the reference call it. */
  name: string
  table: Table<G>
  /** Fields that hold ids of other goods. */
  references: Reference<G>[]
  /** Fields that no two may share. */
  unique?: readonly (keyof G & string)[]
  /** What a new one has when nothing was said of it. */
  fresh?: (now: Date) => Partial<G>
  /** What is said of one and cannot be meant. */
  contradictions?(said: Said<G>): FieldFault[]
  /** Which of them take a place, and how many places are left; without it there is room for any number. */
  room?: { takes(it: Said<G>, now: Date): boolean; left(tx: Tx): Promise<number> }
  /** Offers name it: while one does, it is not deleted, and this field, which they agree with, stays. */
  named?: { by: NamedBy; field: keyof G & string }
  /** Promotions may be about it: what is deleted leaves them. */
  promoted?: MemberField
  /** Promotions make prices by it: a change turns a page of their book. */
  inBook?: true
  /** Its units are counted: every change of their number goes into the book of stock. */
  stock?: OfferKind
  /** What is still to be told of those that are about to go; they must be held. */
  parting?(tx: Tx, leaving: readonly G[]): Promise<Event[]>
  /** What is told when one is added, changed or removed; `before` or `after` is missing then. */
  facts(change: Change<G>): Event[]
}

export interface Reference<G> {
  field: keyof G & string
  to: { name: string }
  /** The other good must belong to the same one: a variant to the offer's product. */
  within?: { field: keyof G & string; theirs: string }
}

export interface Change<G> {
  before?: G
  after?: G
  now: Date
}

/** The plain way: one fact each for added, changed and removed. */
const told =
  <G extends Kept>(created: Fact<G>, changed: Fact<G>, deleted: Fact<G>) =>
  ({ before, after }: Change<G>): Event[] =>
    after ? [before ? changed(after) : created(after)] : [deleted(before!)]
type Fact<G> = (it: G) => Event

export const brandKind: Kind<Brand> = {
  name: 'brand',
  table: tables.brands,
  references: [],
  unique: ['slug'],
  promoted: 'brandIds',
  facts: told(
    (it) => ({ type: 'BrandCreated', brandId: it.id, slug: it.slug }),
    (it) => ({ type: 'BrandChanged', brandId: it.id, slug: it.slug }),
    (it) => ({ type: 'BrandDeleted', brandId: it.id }),
  ),
}

export const partnerKind: Kind<Partner> = {
  name: 'partner',
  table: tables.partners,
  references: [],
  unique: ['slug'],
  promoted: 'partnerIds',
  facts: told(
    (it) => ({ type: 'PartnerCreated', partnerId: it.id, slug: it.slug }),
    (it) => ({ type: 'PartnerChanged', partnerId: it.id, slug: it.slug }),
    (it) => ({ type: 'PartnerDeleted', partnerId: it.id }),
  ),
}

export const loanConditionKind: Kind<LoanCondition> = {
  name: 'loan_condition',
  table: tables.loanConditions,
  references: [{ field: 'partnerId', to: tables.partners }],
  named: { by: 'loan condition', field: 'partnerId' },
  inBook: true,
  facts: told(
    (it) => ({ type: 'LoanConditionCreated', loanConditionId: it.id, partnerId: it.partnerId }),
    (it) => ({ type: 'LoanConditionChanged', loanConditionId: it.id, partnerId: it.partnerId }),
    (it) => ({ type: 'LoanConditionDeleted', loanConditionId: it.id, partnerId: it.partnerId }),
  ),
}

export const productKind: Kind<Product> = {
  name: 'product',
  table: tables.products,
  references: [
    { field: 'categoryId', to: tables.categories },
    { field: 'brandId', to: tables.brands },
  ],
  unique: ['slug'],
  facts: told(
    (it) => ({ type: 'ProductCreated', productId: it.id, slug: it.slug }),
    (it) => ({ type: 'ProductChanged', productId: it.id, slug: it.slug }),
    (it) => ({ type: 'ProductDeleted', productId: it.id }),
  ),
}

export const variantKind: Kind<Variant> = {
  name: 'variant',
  table: tables.variants,
  references: [{ field: 'productId', to: tables.products }],
  named: { by: 'variant', field: 'productId' },
  facts: told(
    (it) => ({ type: 'VariantCreated', variantId: it.id, productId: it.productId }),
    (it) => ({ type: 'VariantChanged', variantId: it.id, productId: it.productId }),
    (it) => ({ type: 'VariantDeleted', variantId: it.id, productId: it.productId }),
  ),
}

const offerReferences = <G extends Offer>(): Reference<G>[] => [
  { field: 'productId', to: tables.products },
  { field: 'variantId', to: tables.variants, within: { field: 'productId', theirs: 'product_id' } },
  { field: 'partnerId', to: tables.partners },
  {
    field: 'loanConditionIds',
    to: tables.loanConditions,
    within: { field: 'partnerId', theirs: 'partner_id' },
  },
]

export const offerKind: Kind<Offer> = {
  name: 'offer',
  table: tables.offers,
  stock: 'offer',
  promoted: 'offerIds',
  references: offerReferences<Offer>(),
  facts: ({ before, after, now }) => {
    if (!after) return [...endOfSale(before!, 'deleted'), { type: 'OfferDeleted', ...namesOf(before!) }]
    if (!before) return [{ type: 'OfferCreated', ...namesOf(after) }]
    return changesOf(before, after, now)
  },
}

const namesOf = (it: Offer) => ({ offerId: it.id, productId: it.productId })

const endOfSale = (it: Offer, reason: string): Event[] =>
  isShown(it) ? [{ type: 'OfferDeactivated', offerId: it.id, reason }] : []

/** What listeners wait for has a fact of its own (SPEC-2 6.1); all else that changed has one together. */
function changesOf(before: Offer, after: Offer, now: Date): Event[] {
  const offerId = after.id
  const facts: Event[] = []
  if (isShown(before) && !isShown(after))
    facts.push(...endOfSale(before, after.isActive ? 'hidden' : 'deactivated'))
  if (before.priceTiyin !== after.priceTiyin)
    facts.push({
      type: 'OfferPriceChanged',
      offerId,
      oldPrice: inSums(before.priceTiyin),
      newPrice: inSums(after.priceTiyin),
    })
  if (before.quantity !== after.quantity)
    facts.push(...stockFacts('offer', { offerId, before: before.quantity, after: after.quantity }))
  if (!isShown(before) && isShown(after))
    facts.push({ type: 'OfferActivated', offerId, activatedAt: now.toISOString() })
  const hasMore = tables.offers.fields.some(
    (it) => !factOf.includes(it) && JSON.stringify(before[it]) !== JSON.stringify(after[it]),
  )
  if (hasMore || facts.length === 0) facts.push({ type: 'OfferChanged', ...namesOf(after) })
  return facts
}

const factOf: readonly string[] = [
  'priceTiyin',
  'quantity',
  'isVisible',
  'isActive',
] satisfies (keyof Offer)[]

export const moderatedOfferKind: Kind<ModeratedOffer> = {
  name: 'moderated_offer',
  table: tables.moderatedOffers,
  stock: 'moderated',
  promoted: 'moderatedOfferIds',
  references: offerReferences<ModeratedOffer>(),
  unique: ['uuid'],
  fresh: () => ({ uuid: secretUuid(), status: 'draft', reason: null }),
  facts: ({ before, after }) => {
    const names = { moderatedOfferId: (after ?? before)!.id, productId: (after ?? before)!.productId }
    if (!after) return [{ type: 'ModeratedOfferDeleted', ...names }]
    const standing: Event[] = before?.status === after.status ? [] : factsOfStatus(after)
    if (!before) return [{ type: 'ModeratedOfferCreated', ...names }, ...standing]
    const onlyStatus = tables.moderatedOffers.fields.every(
      (it) => it === 'status' || it === 'reason' || JSON.stringify(before[it]) === JSON.stringify(after[it]),
    )
    return onlyStatus && standing.length > 0
      ? standing
      : [{ type: 'ModeratedOfferChanged', ...names }, ...standing]
  },
}

function factsOfStatus({ id, status, reason }: ModeratedOffer): Event[] {
  if (status === 'draft') return []
  return [
    status === 'pending'
      ? { type: 'ModeratedOfferSubmitted', moderatedOfferId: id }
      : { type: 'ModerationDecided', moderatedOfferId: id, status, reason },
  ]
}

export const promotionKind: Kind<Promotion> = {
  name: 'promotion',
  table: tables.promotions,
  references: [
    { field: 'offerIds', to: tables.offers },
    { field: 'moderatedOfferIds', to: tables.moderatedOffers },
    { field: 'categoryIds', to: tables.categories },
    { field: 'brandIds', to: tables.brands },
    { field: 'partnerIds', to: tables.partners },
    { field: 'loanConditionIds', to: tables.loanConditions },
  ],
  unique: ['slug', 'uuid'],
  inBook: true,
  fresh: (now) => ({ uuid: secretUuid(), startsAt: now }),
  contradictions,
  room: {
    takes: (it, now) => stageAt(it, now) !== 'ended',
    left: async (tx) => mostUnended - (await countUnended(tx)),
  },
  parting: async (tx, leaving) => {
    const running = await toldAsRunning(
      tx,
      leaving.map((it) => it.id),
    )
    return leaving.filter((it) => running.has(it.id)).map((it) => finishedAt(it, tx.now))
  },
  facts: told(
    (it) => ({ type: 'PromotionCreated', ...planOf(it) }),
    (it) => ({ type: 'PromotionChanged', ...planOf(it) }),
    (it) => ({ type: 'PromotionDeleted', promotionId: it.id, slug: it.slug }),
  ),
}

const finishedAt = ({ id: promotionId, slug, endsAt }: Promotion, now: Date): Event => {
  const endedAt = endsAt !== null && endsAt < now ? endsAt : now
  return { type: 'PromotionFinished', promotionId, slug, endedAt: endedAt.toISOString() }
}

const planOf = ({ id, slug, startsAt, endsAt }: Promotion) => ({
  promotionId: id,
  slug,
  startsAt: startsAt.toISOString(),
  endsAt: endsAt?.toISOString() ?? null,
})
