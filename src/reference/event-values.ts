// Values of the samples in the event catalogue. The schemas of events name types only; the samples show real values.

import type { EventType } from '../events.ts'

const uuid = '0192f0c1-8d20-7c41-b6a7-2f90d3e5a418'

/** By field name. Ids that are UUIDs follow from the name; see `sampleValue`. */
const byField: Record<string, unknown> = {
  Slug: 'artel',
  ApplicationId: 'app_test_6fJ2mQ9vXc1aTzR8wK3b',
  KeyId: 'key_cUnD2BV8MkGUHc2XG5AD',
  SuccessorId: 'key_saF7c5d6no4tnvQbq0Z7',
  SecretId: 'sec_6fJ2mQ9vXc1aTzR8wK3b',
  SessionId: 'ses_tEDcLJk9NUp6lNi5h4Wx',
  GuestId: 'guest-ecd31e41eae635bf33a97ec3ab31f269',
  Buyers: ['2005'],
  Names: ['guest-ecd31e41eae635bf33a97ec3ab31f269'],
  Scopes: ['catalog:read', 'cart:write'],
  Role: 'operator',
  Before: 'analyst',
  Language: 'uz',
  Channel: 'email',
  Category: 'marketing',
  Source: 'checkout',
  Rule: 'two_step_for_owners',
  Currency: 'USD',
  Clock: 'test',
  Checksum: '103ab74f74f14b235dd77f2a02e78c75e3af4dab1969fba6e51305a044e474dc',
  Carrier: 'BTS',
  TrackingNumber: 'BTS-204816',
  Status: 'approved',
  PaymentStatus: 'paid',
  FulfilmentStatus: 'unfulfilled',
}

/** Where the field means something else, or a better value is known. */
const byEvent: Partial<Record<EventType, Record<string, unknown>>> = {
  CategoryCreated: { Slug: 'smartphones' },
  CategoryChanged: { Slug: 'smartphones' },
  PartnerCreated: { Slug: 'chorsu-savdo' },
  PartnerChanged: { Slug: 'chorsu-savdo' },
  ProductCreated: { Slug: 'oneplus-13-256-gb-smartphone-white' },
  ProductChanged: { Slug: 'oneplus-13-256-gb-smartphone-white' },
  PromotionCreated: { Slug: 'navruz' },
  PromotionChanged: { Slug: 'navruz' },
  PromotionDeleted: { Slug: 'navruz' },
  PromotionStarted: { Slug: 'navruz' },
  PromotionFinished: { Slug: 'navruz' },
  TemplateCreated: { Slug: 'cart-reminder' },
  TemplateChanged: { Slug: 'cart-reminder' },
  TemplateDeleted: { Slug: 'cart-reminder' },
  AttributeCreated: { Code: 'screen_size' },
  AttributeChanged: { Code: 'screen_size' },
  AttributeDeleted: { Code: 'screen_size' },
  CouponCreated: { Code: 'BOZOR50' },
  CouponChanged: { Code: 'BOZOR50' },
  PaymentFailed: { Code: 'insufficient_funds' },
  OfferDeactivated: { Reason: 'hidden' },
  ModerationDecided: { Reason: null },
  CartRemoved: { Reason: 'abandoned' },
  WishlistRemoved: { Reason: 'abandoned' },
  OrderCancelled: { Reason: 'The buyer changed their mind' },
  OrderStateChanged: { Status: 'confirmed' },
  CampaignPaused: { Reason: 'template_unusable' },
  CampaignFinished: { Reason: 'budget_reached' },
  NotificationFailed: { Reason: 'no_provider' },
  NotificationSuppressed: { Reason: 'no_consent' },
  WebhookDisabled: { Reason: 'failing' },
  NotificationSent: { Category: 'transactional' },
  IntegrationEventReceived: { EventId: 'erp-20261102-118', Source: '/erp', EventType: 'OfferPriceChanged' },
}

/** The value of a field of an event in its sample; undefined when its schema says enough. */
export function sampleValue(type: EventType, field: string): unknown {
  const own = byEvent[type]
  if (own && field in own) return own[field]
  return byField[field]
}

/** Text ids without a form of their own are UUIDs. */
export const sampleId = uuid
