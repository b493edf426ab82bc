// What each lock is for. `shownBy` names a history or pair that goes wrong without the lock, within 100 seeds. `redundant`
// says why nothing can go wrong without it, and what it is good for.

export type Verdict = { shownBy: string } | { redundant: string }

export interface LockRow {
  file: string
  /** A part of the locking statement that no other lock of the file has. */
  part: string
  verdict: Verdict
}

const row = (file: string, part: string, verdict: Verdict): LockRow => ({
  file: `src/${file}`,
  part,
  verdict,
})
const by = (shownBy: string): Verdict => ({ shownBy })
const redundant = (reason: string): Verdict => ({ redundant: reason })

const repeatsCondition =
  'the deletion or update repeats its condition on the row that it waited for; the lock only makes it skip rows in use'

// oxfmt-ignore
export const lockTable: readonly LockRow[] = [
  row('base/job-leases.ts', 'job_leases', by('leaseLost')),
  row('base/migrate.ts', 'migration_lock', by('migratedTwice')),
  row('base/relay.ts', 'outbox_relay', by('relayedTwice')),
  row('base/relay.ts', 'outbox_failures', by('retriedTwice')),
  row('base/test-clock.ts', 'clock_offset', by('clockMoves')),

  row('cart/carts/clean-up-store.ts', 'cart_carts', redundant(repeatsCondition)),
  row('cart/carts/clean-up-store.ts', 'cart_items', redundant(repeatsCondition)),
  row('cart/carts/store.ts', 'client_id = $1', by('oneCart')),
  row('cart/carts/store.ts', 'session_id = $1', by('guestCart')),
  row('cart/carts/store.ts', 'wanted (offer_id', by('reservations')),
  row('cart/coupons/store.ts', 'cart_coupons where id', by('lastUseOfCoupon')),
  row('cart/coupons/store.ts', '… for no key update', by('twoCouponChanges')),
  row('cart/limits/store.ts', 'cart_limits', by('twoLimits')),
  row('cart/shared-carts/store.ts', 'where id = $1', by('sharedLineGrowsTwice')),
  row('cart/shared-carts/store.ts', 'expires_at', redundant(repeatsCondition)),
  row('cart/wishlists/store.ts', '= $1 for update', by('wishlists')),
  row('cart/wishlists/store.ts', 'updated_at <= $2', redundant(repeatsCondition)),

  row('catalog/attributes/store.ts', 'catalog_attributes', by('attributeUsedAndDeleted')),
  row('catalog/categories/store.ts', 'where id = $1', by('twoFieldsOfCategory')),
  row('catalog/categories/store.ts', 'parent_id is null', by('movesIntoEachOther')),
  row('catalog/entities/store.ts', 'for update', by('twoChangesOfOneVersion')),
  row('catalog/entities/store.ts', 'for key share', by('referenceAndDeletion')),
  row('catalog/exchange-rates/store.ts', 'currency', by('twoRatesOfOneVersion')),
  row('catalog/offers/store.ts', 'for update of offer', by('sales')),
  row('catalog/promotions/store.ts', 'promotion_schedule', by('lastPromotion')),
  row('catalog/promotions/store.ts', '@>', by('twoLeaveOnePromotion')),
  row('catalog/promotions/store.ts', 'published_stage', by('oneStagePublishedTwice')),
  row('catalog/search-learning/store.ts', 'search_learning', by('learnedAndSwitched')),
  row('catalog/search-synonyms/store.ts', 'search_synonyms', by('twoSynonymsOfOneVersion')),
  row('catalog/shop-profile/store.ts', 'shop_profile', by('twoProfilesOfTheShop')),
  row('catalog/stock/store.ts', 'for update', by('sales')),
  row('demo/store.ts', 'demo_histories', by('historyLoadedTwice')),

  row('identity/applications/store.ts', '… for update', by('twoApplicationChanges')),
  row('identity/clients/admin-store.ts', 'any($1)', by('mergedTwice')),
  row('identity/clients/store.ts', 'id = $1', by('twoProfileChanges')),
  row('identity/clients/store.ts', 'any($1)', by('importAndProfileChange')),
  row('identity/members/store.ts', `role = 'owner'`, by('ownersDemoteEachOther')),
  row('identity/members/store.ts', 'identity_members where id', by('renameAndPromotion')),
  row('identity/members/store.ts', 'identity_invitations where id', by('acceptedAndRevoked')),
  row('identity/members/store.ts', 'identity_invitations where hash', by('acceptedTwice')),

  row('marketing/campaigns/store.ts', 'marketing_campaigns', by('twoCampaignChanges')),
  row('marketing/campaigns/store.ts', 'campaign_rules', by('twoRules')),
  row('marketing/notifications/store.ts', 'notification.id = $1', by('claimedAndCancelled')),
  row('marketing/notifications/store.ts', 'queue.channel', by('claimedTwice')),
  row('marketing/notifications/store.ts', 'status in', by('claimedAndHeld')),
  row('marketing/notifications/store.ts', `status = 'held'`, by('cancelledAndReleased')),
  row('marketing/templates/store.ts', 'marketing_templates', by('twoTemplateChanges')),

  row('orders/mandates/store.ts', 'orders_mandates', by('revokedTwice')),
  row('orders/payments/store.ts', 'payment_tasks', by('taskTakenTwice')),
  row('orders/payments/test-acquirer-store.ts', 'test_callbacks', redundant(repeatsCondition)),
  row('orders/store.ts', 'orders_orders', by('packedTwice')),

  row('recommendations/experiments/store.ts', 'id = $1', by('twoExperimentChanges')),
  row('recommendations/experiments/store.ts', `status <> 'stopped'`, by('twoExperimentStarts')),
  row('recommendations/interactions/partition-store.ts', 'access exclusive', by('partitionAndInteraction')),
  row('recommendations/models/store.ts', 'is_active', by('twoActivations')),
  row('recommendations/models/store.ts', 'recommendations_trainings', by('twoTrainings')),

  row('webhooks/deliveries/store.ts', 'room.id', by('deliveryClaimedTwice')),
  row('webhooks/endpoints/store.ts', 'id = $1', by('twoEndpointChanges')),
  row('webhooks/endpoints/store.ts', 'any($1::uuid[])', by('attemptsOfOneEndpoint')),
  row('webhooks/endpoints/store.ts', 'position = $1', by('enqueuedTwice')),
]

export const rowsFor = (id: string): LockRow[] =>
  lockTable.filter((it) => id.startsWith(`${it.file}: `) && id.slice(it.file.length).includes(it.part))
