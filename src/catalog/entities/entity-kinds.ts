// The entity kinds as a table: storage, references, unique fields, events. Rules that hold for all kinds are in
// save-entities.ts; kinds differ only here.

import { keepEarlierSlugs } from '../products/slugs-store.ts'
import { recordSetTimes } from '../offers/set-times-store.ts'
import type { Tx } from '../../base/database.ts'
import type { FieldFault } from '../../base/validation.ts'
import type { Event } from '../../events.ts'
import { inSums } from '../../base/money.ts'
import { secretUuid } from '../../base/random.ts'
import {
  type Brand,
  isShown,
  type Entity,
  type LoanCondition,
  type ModeratedOffer,
  type Offer,
  type Partner,
  type Product,
  type EntityInput,
  type Variant,
} from './entities.ts'
import { type Attribute, contradictions as attributeContradictions } from '../attributes/attribute.ts'
import {
  attributeChangeFaults,
  type CheckedInput,
  type InputFault,
  productAttributeFaults,
  refuseUsedAttribute,
} from '../attributes/check-attributes.ts'
import { countAttributes } from '../attributes/store.ts'
import { contradictions as deliveryContradictions, type DeliveryMethod } from '../delivery/delivery-method.ts'
import { type OfferKind, stockEvents } from '../stock/stock.ts'
import {
  contradictions,
  type MemberField,
  maxUnended,
  type Promotion,
  stageAt,
} from '../promotions/promotion.ts'
import { countUnended, publishedAsRunning } from '../promotions/store.ts'
import type { ReferencedKind, Table } from './store.ts'
import * as tables from './tables.ts'

export interface EntityKind<G extends Entity> {
  /** Its name in records and in the API reference. */
  name: string
  table: Table<G>
  /** Fields with ids of other entities. */
  references: Reference<G>[]
  unique?: readonly (keyof G & string)[]
  /** Defaults of a new entity. */
  defaults?: (now: Date) => Partial<G>
  /** Contradictions within one input. */
  contradictions?(input: EntityInput<G>): FieldFault[]
  /** Faults that only a query can find. */
  storedFaults?(tx: Tx, inputs: readonly CheckedInput<EntityInput<G>>[]): Promise<InputFault[]>
  /** Refuses the deletion of an entity that others use. */
  refuseDelete?(tx: Tx, entity: G): Promise<void>
  /** Which entities count against a limit, and how many more are allowed; unlimited without it. */
  capacity?: { takes(it: EntityInput<G>, now: Date): boolean; left(tx: Tx): Promise<number> }
  /** Offers may reference it: then it cannot be deleted and this field cannot change. */
  referencedByOffers?: { by: ReferencedKind; field: keyof G & string }
  /** The field of promotions that may list it; a deleted entity is removed from them. */
  promotionField?: MemberField
  /** Promotion prices depend on it: a change increments the schedule version. */
  inSchedule?: true
  /** It has stock: every change of its quantity is recorded as a movement. */
  stock?: OfferKind
  /** Records more about additions and changes. */
  afterSave?(tx: Tx, changes: readonly Change<G>[]): void
  /** Events of entities that are about to be deleted; their rows must be locked. */
  eventsBeforeDelete?(tx: Tx, leaving: readonly G[]): Promise<Event[]>
  /** The events of an addition (no `before`), a change, or a deletion (no `after`). */
  events(change: Change<G>): Event[]
}

export interface Reference<G> {
  field: keyof G & string
  to: { name: string }
  /** The referenced entity must have the same owner: a variant the offer's product. */
  within?: { field: keyof G & string; theirs: string }
}

export interface Change<G> {
  before?: G
  after?: G
  now: Date
}

/** One event each for created, changed and deleted. */
const plainEvents =
  <G extends Entity>(created: EventOfEntity<G>, changed: EventOfEntity<G>, deleted: EventOfEntity<G>) =>
  ({ before, after }: Change<G>): Event[] =>
    after ? [before ? changed(after) : created(after)] : [deleted(before!)]
type EventOfEntity<G> = (it: G) => Event

export const brandKind: EntityKind<Brand> = {
  name: 'brand',
  table: tables.brands,
  references: [],
  unique: ['slug'],
  promotionField: 'brandIds',
  events: plainEvents(
    (it) => ({ type: 'BrandCreated', brandId: it.id, slug: it.slug }),
    (it) => ({ type: 'BrandChanged', brandId: it.id, slug: it.slug }),
    (it) => ({ type: 'BrandDeleted', brandId: it.id }),
  ),
}

export const partnerKind: EntityKind<Partner> = {
  name: 'partner',
  table: tables.partners,
  references: [],
  unique: ['slug'],
  promotionField: 'partnerIds',
  events: plainEvents(
    (it) => ({ type: 'PartnerCreated', partnerId: it.id, slug: it.slug }),
    (it) => ({ type: 'PartnerChanged', partnerId: it.id, slug: it.slug }),
    (it) => ({ type: 'PartnerDeleted', partnerId: it.id }),
  ),
}

export const loanConditionKind: EntityKind<LoanCondition> = {
  name: 'loan_condition',
  table: tables.loanConditions,
  references: [{ field: 'partnerId', to: tables.partners }],
  referencedByOffers: { by: 'loan condition', field: 'partnerId' },
  inSchedule: true,
  events: plainEvents(
    (it) => ({ type: 'LoanConditionCreated', loanConditionId: it.id, partnerId: it.partnerId }),
    (it) => ({ type: 'LoanConditionChanged', loanConditionId: it.id, partnerId: it.partnerId }),
    (it) => ({ type: 'LoanConditionDeleted', loanConditionId: it.id, partnerId: it.partnerId }),
  ),
}

export const deliveryMethodKind: EntityKind<DeliveryMethod> = {
  name: 'delivery_method',
  table: tables.deliveryMethods,
  references: [{ field: 'partnerId', to: tables.partners }],
  contradictions: deliveryContradictions,
  events: plainEvents(
    (it) => ({ type: 'DeliveryMethodCreated', deliveryMethodId: it.id, partnerId: it.partnerId }),
    (it) => ({ type: 'DeliveryMethodChanged', deliveryMethodId: it.id, partnerId: it.partnerId }),
    (it) => ({ type: 'DeliveryMethodDeleted', deliveryMethodId: it.id, partnerId: it.partnerId }),
  ),
}

/** All definitions are kept in memory. */
const maxAttributes = 1_000

export const attributeKind: EntityKind<Attribute> = {
  name: 'attribute',
  table: tables.attributes,
  references: [{ field: 'categoryId', to: tables.categories }],
  unique: ['code'],
  contradictions: attributeContradictions,
  storedFaults: attributeChangeFaults,
  refuseDelete: refuseUsedAttribute,
  capacity: { takes: () => true, left: async (tx) => maxAttributes - (await countAttributes(tx)) },
  events: plainEvents(
    (it) => ({ type: 'AttributeCreated', attributeId: it.id, code: it.code }),
    (it) => ({ type: 'AttributeChanged', attributeId: it.id, code: it.code }),
    (it) => ({ type: 'AttributeDeleted', attributeId: it.id, code: it.code }),
  ),
}

export const productKind: EntityKind<Product> = {
  name: 'product',
  table: tables.products,
  references: [
    { field: 'categoryId', to: tables.categories },
    { field: 'brandId', to: tables.brands },
  ],
  unique: ['slug'],
  defaults: () => ({ attributes: {} }),
  storedFaults: productAttributeFaults,
  afterSave: keepEarlierSlugs,
  events: plainEvents(
    (it) => ({ type: 'ProductCreated', productId: it.id, slug: it.slug }),
    (it) => ({ type: 'ProductChanged', productId: it.id, slug: it.slug }),
    (it) => ({ type: 'ProductDeleted', productId: it.id }),
  ),
}

export const variantKind: EntityKind<Variant> = {
  name: 'variant',
  table: tables.variants,
  references: [{ field: 'productId', to: tables.products }],
  referencedByOffers: { by: 'variant', field: 'productId' },
  events: plainEvents(
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

export const offerKind: EntityKind<Offer> = {
  name: 'offer',
  table: tables.offers,
  stock: 'offer',
  promotionField: 'offerIds',
  references: offerReferences<Offer>(),
  afterSave: recordSetTimes,
  events: ({ before, after, now }) => {
    if (!after) return [...deactivation(before!, 'deleted'), { type: 'OfferDeleted', ...idsOf(before!) }]
    if (!before) return [{ type: 'OfferCreated', ...idsOf(after) }]
    return changesOf(before, after, now)
  },
}

const idsOf = (it: Offer) => ({ offerId: it.id, productId: it.productId })

const deactivation = (it: Offer, reason: string): Event[] =>
  isShown(it) ? [{ type: 'OfferDeactivated', offerId: it.id, reason }] : []

/** SPEC-2 6.1 has an event each for price, quantity and activation; all other changes share one. */
function changesOf(before: Offer, after: Offer, now: Date): Event[] {
  const offerId = after.id
  const events: Event[] = []
  if (isShown(before) && !isShown(after))
    events.push(...deactivation(before, after.isActive ? 'hidden' : 'deactivated'))
  if (before.priceTiyin !== after.priceTiyin)
    events.push({
      type: 'OfferPriceChanged',
      offerId,
      oldPrice: inSums(before.priceTiyin),
      newPrice: inSums(after.priceTiyin),
    })
  if (before.quantity !== after.quantity)
    events.push(...stockEvents('offer', { offerId, before: before.quantity, after: after.quantity }))
  if (!isShown(before) && isShown(after))
    events.push({ type: 'OfferActivated', offerId, activatedAt: now.toISOString() })
  const hasMore = tables.offers.fields.some(
    (it) => !fieldsWithEvents.includes(it) && JSON.stringify(before[it]) !== JSON.stringify(after[it]),
  )
  if (hasMore || events.length === 0) events.push({ type: 'OfferChanged', ...idsOf(after) })
  return events
}

const fieldsWithEvents: readonly string[] = [
  'priceTiyin',
  'quantity',
  'isVisible',
  'isActive',
] satisfies (keyof Offer)[]

export const moderatedOfferKind: EntityKind<ModeratedOffer> = {
  name: 'moderated_offer',
  table: tables.moderatedOffers,
  stock: 'moderated',
  promotionField: 'moderatedOfferIds',
  references: offerReferences<ModeratedOffer>(),
  unique: ['uuid'],
  defaults: () => ({ uuid: secretUuid(), status: 'draft', reason: null }),
  events: ({ before, after }) => {
    const names = { moderatedOfferId: (after ?? before)!.id, productId: (after ?? before)!.productId }
    if (!after) return [{ type: 'ModeratedOfferDeleted', ...names }]
    const standing: Event[] = before?.status === after.status ? [] : statusEvents(after)
    if (!before) return [{ type: 'ModeratedOfferCreated', ...names }, ...standing]
    const onlyStatus = tables.moderatedOffers.fields.every(
      (it) => it === 'status' || it === 'reason' || JSON.stringify(before[it]) === JSON.stringify(after[it]),
    )
    return onlyStatus && standing.length > 0
      ? standing
      : [{ type: 'ModeratedOfferChanged', ...names }, ...standing]
  },
}

function statusEvents({ id, status, reason }: ModeratedOffer): Event[] {
  if (status === 'draft') return []
  return [
    status === 'pending'
      ? { type: 'ModeratedOfferSubmitted', moderatedOfferId: id }
      : { type: 'ModerationDecided', moderatedOfferId: id, status, reason },
  ]
}

export const promotionKind: EntityKind<Promotion> = {
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
  inSchedule: true,
  defaults: (now) => ({ uuid: secretUuid(), startsAt: now }),
  contradictions,
  capacity: {
    takes: (it, now) => stageAt(it, now) !== 'ended',
    left: async (tx) => maxUnended - (await countUnended(tx)),
  },
  eventsBeforeDelete: async (tx, leaving) => {
    const running = await publishedAsRunning(
      tx,
      leaving.map((it) => it.id),
    )
    return leaving.filter((it) => running.has(it.id)).map((it) => finishedAt(it, tx.now))
  },
  events: plainEvents(
    (it) => ({ type: 'PromotionCreated', ...scheduleOf(it) }),
    (it) => ({ type: 'PromotionChanged', ...scheduleOf(it) }),
    (it) => ({ type: 'PromotionDeleted', promotionId: it.id, slug: it.slug }),
  ),
}

const finishedAt = ({ id: promotionId, slug, endsAt }: Promotion, now: Date): Event => {
  const endedAt = endsAt !== null && endsAt < now ? endsAt : now
  return { type: 'PromotionFinished', promotionId, slug, endedAt: endedAt.toISOString() }
}

const scheduleOf = ({ id, slug, startsAt, endsAt }: Promotion) => ({
  promotionId: id,
  slug,
  startsAt: startsAt.toISOString(),
  endsAt: endsAt?.toISOString() ?? null,
})
