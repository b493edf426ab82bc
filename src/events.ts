// All events: name in the past tense, module, subject, description and fields. They are written to the outbox in the
// transaction of their change. On the wire, field names begin with a capital.

import { type Static, type TOptional, type TSchema, Type } from 'typebox'

const id = Type.Integer()
const text = Type.String()
const number = Type.Number()
const moment = Type.String({ format: 'date-time' })
/** Before the change. Missing only in events that an earlier version has stored. */
const before = Type.Optional(id)
/**
 * The client of the order, null for guests. Missing only in events of an earlier version, whose processes still publish
 * during a rolling update.
 */
const owner = Type.Optional(Type.Union([id, Type.Null()]))
/** Given only when a merge has moved the units from the cart of a guest, where they were counted already. */
const moved = Type.Optional(Type.String())
const oneOf = <const T extends string>(...values: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values] })

/** Here and not in orders, because the clients in `identity` show it too. */
export const orderStatuses = ['awaiting_payment', 'confirmed', 'delivered', 'completed', 'cancelled'] as const
export type OrderStatus = (typeof orderStatuses)[number]
// oxfmt-ignore
const paymentStatus = oneOf(
  'unpaid', 'pending', 'authorised', 'partially_paid', 'paid', 'failed', 'voided', 'partially_refunded', 'refunded',
)
// oxfmt-ignore
const fulfilmentStatus = oneOf(
  'unfulfilled', 'preparing', 'partially_shipped', 'shipped', 'partially_delivered', 'delivered', 'partially_returned',
  'returned', 'cancelled',
)
const role = oneOf('owner', 'developer', 'operator', 'analyst')
const language = oneOf('ru', 'uz', 'en')
const channel = oneOf('email', 'sms', 'push')
const category = oneOf('transactional', 'marketing')
const decision = oneOf('approved', 'rejected')
const maybe = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

// oxfmt-ignore
export const events = {
  // catalog
  BrandCreated:     event('catalog', 'brand',    'A brand was added.',               { brandId: id, slug: text }),
  BrandChanged:     event('catalog', 'brand',    'A brand was renamed or moved.',    { brandId: id, slug: text }),
  BrandDeleted:     event('catalog', 'brand',    'A brand was removed.',             { brandId: id }),
  CategoryCreated:  event('catalog', 'category', 'A category was added.',            { categoryId: id, slug: text }),
  CategoryChanged:  event('catalog', 'category', 'A category or its place changed.', { categoryId: id, slug: text }),
  CategoryDeleted:  event('catalog', 'category', 'A category was removed.',          { categoryId: id }),
  PartnerCreated:   event('catalog', 'partner',  'A partner was added.',             { partnerId: id, slug: text }),
  PartnerChanged:   event('catalog', 'partner',  'A partner, its rating or its credit changed.', { partnerId: id, slug: text }),
  PartnerDeleted:   event('catalog', 'partner',  'A partner was removed.',           { partnerId: id }),
  LoanConditionCreated: event('catalog', 'loan-condition', 'A loan condition was added.', { loanConditionId: id, partnerId: id }),
  LoanConditionChanged: event('catalog', 'loan-condition', 'A loan condition changed.',        { loanConditionId: id, partnerId: id }),
  LoanConditionDeleted: event('catalog', 'loan-condition', 'A loan condition was removed.',    { loanConditionId: id, partnerId: id }),
  DeliveryMethodCreated: event('catalog', 'delivery-method', 'A delivery method of a partner was added.', { deliveryMethodId: id, partnerId: id }),
  DeliveryMethodChanged: event('catalog', 'delivery-method', 'A delivery method changed.',                { deliveryMethodId: id, partnerId: id }),
  DeliveryMethodDeleted: event('catalog', 'delivery-method', 'A delivery method was removed.',            { deliveryMethodId: id, partnerId: id }),
  AttributeCreated: event('catalog', 'attribute', 'An attribute of products was defined.',      { attributeId: id, code: text }),
  AttributeChanged: event('catalog', 'attribute', 'The definition of an attribute changed.',     { attributeId: id, code: text }),
  AttributeDeleted: event('catalog', 'attribute', 'The definition of an attribute was removed.', { attributeId: id, code: text }),
  ProductCreated:   event('catalog', 'product',  'A product was added.',             { productId: id, slug: text }),
  ProductChanged:   event('catalog', 'product',  'A product changed.',               { productId: id, slug: text }),
  ProductDeleted:   event('catalog', 'product',  'A product was removed.',           { productId: id }),
  VariantCreated:   event('catalog', 'variant',  'A variant of a product was added.', { variantId: id, productId: id }),
  VariantChanged:   event('catalog', 'variant',  'A variant changed.',               { variantId: id, productId: id }),
  VariantDeleted:   event('catalog', 'variant',  'A variant was removed.',           { variantId: id, productId: id }),
  OfferCreated:         event('catalog', 'offer', 'An offer was created.',                     { offerId: id, productId: id }),
  OfferChanged:         event('catalog', 'offer', 'A field of an offer without an event of its own changed.', { offerId: id, productId: id }),
  OfferDeleted:         event('catalog', 'offer', 'An offer was removed.',                  { offerId: id, productId: id }),
  OfferActivated:       event('catalog', 'offer', 'An offer is visible and can be bought again.', { offerId: id, activatedAt: moment }),
  OfferDeactivated:     event('catalog', 'offer', 'An offer can no longer be bought.',      { offerId: id, reason: text }),
  OfferPriceChanged:    event('catalog', 'offer', 'The price of an offer changed, in sums.',   { offerId: id, oldPrice: number, newPrice: number }),
  OfferQuantityChanged: event('catalog', 'offer', 'The stock changed.',   { offerId: id, newQuantity: id }),
  OfferStockLow:        event('catalog', 'offer', 'The stock of an offer fell to its low-stock threshold.', { offerId: id, quantity: id }),
  ModeratedOfferCreated:   event('catalog', 'moderated-offer', 'A moderated offer was created.', { moderatedOfferId: id, productId: id }),
  ModeratedOfferChanged:   event('catalog', 'moderated-offer', 'Its price, its stock or its terms changed.', { moderatedOfferId: id, productId: id }),
  ModeratedOfferDeleted:   event('catalog', 'moderated-offer', 'It was removed.',                            { moderatedOfferId: id, productId: id }),
  ModeratedOfferStockChanged: event('catalog', 'moderated-offer', 'The stock changed.',     { moderatedOfferId: id, newQuantity: id }),
  ModeratedOfferSubmitted: event('catalog', 'moderated-offer', 'It waits for moderation.',                  { moderatedOfferId: id }),
  ModerationDecided:       event('catalog', 'moderated-offer', 'It was approved or rejected.',               { moderatedOfferId: id, status: decision, reason: maybe(text) }),
  PromotionCreated:  event('catalog', 'promotion', 'A promotion was planned.',                  { promotionId: id, slug: text, startsAt: moment, endsAt: maybe(moment) }),
  PromotionChanged:  event('catalog', 'promotion', 'The period, effect, title or members of a promotion changed.', { promotionId: id, slug: text, startsAt: moment, endsAt: maybe(moment) }),
  PromotionDeleted:  event('catalog', 'promotion', 'A promotion was removed; its effect on prices ended.', { promotionId: id, slug: text }),
  PromotionStarted:  event('catalog', 'promotion', 'A promotion started. No OfferPriceChanged is published for its offers.', { promotionId: id, slug: text, startsAt: moment, endsAt: maybe(moment) }),
  PromotionFinished: event('catalog', 'promotion', 'A running promotion ended. No OfferPriceChanged is published for its offers.', { promotionId: id, slug: text, endedAt: moment }),
  PopularityCounted:    event('catalog', 'popularity', 'The popularity of products was recomputed.', { countedAt: moment, products: id }),
  ExchangeRateChanged:  event('catalog', 'exchange-rate', 'The price of a currency in tiyin changed.',  { currency: text, tiyin: id }),
  SearchSynonymsChanged: event('catalog', 'search-synonyms', 'The search synonyms of the shop changed.', { version: id }),
  ShopProfileChanged: event('catalog', 'shop-profile', 'The name, logo, colour or languages of the shop changed.', { version: id }),
  SearchLearningChanged: event('catalog', 'search-learning', 'What was learned from searches changed, or was switched on or off.', { version: id }),
  ExchangeRateDeleted:  event('catalog', 'exchange-rate', 'Prices are no longer shown in a currency.', { currency: text }),

  // identity
  ApplicationRegistered: event('identity', 'application', 'An application was registered.', { applicationId: text }),
  ApplicationChanged:    event('identity', 'application', 'An application was changed.',         { applicationId: text }),
  ApplicationDeleted:    event('identity', 'application', 'An application was deleted with its keys.',  { applicationId: text }),
  ApiKeyIssued:          event('identity', 'key',         'An API key was issued.',                     { keyId: text, applicationId: text }),
  ApiKeyRotated:         event('identity', 'key',         'An API key was rotated: it has a successor and an expiry.',   { keyId: text, successorId: text, endsAt: moment }),
  ApiKeyRevoked:         event('identity', 'key',         'An API key was revoked.',              { keyId: text, applicationId: text }),
  ClientSecretRotated:   event('identity', 'application', 'A client secret was issued; older ones got an expiry.', { applicationId: text, secretId: text, endsAt: moment }),
  ClientSecretRevoked:   event('identity', 'application', 'A client secret was revoked.',    { applicationId: text, secretId: text }),
  MemberInvited:         event('identity', 'invitation',  'A member was invited, or invited again.', { invitationId: text, role }),
  InvitationRevoked:     event('identity', 'invitation',  'An invitation was revoked.',      { invitationId: text }),
  MemberJoined:          event('identity', 'member',      'A member joined.',           { memberId: text, role }),
  MemberChanged:         event('identity', 'member',      'A member was renamed.',               { memberId: text }),
  MemberRoleChanged:     event('identity', 'member',      'The role of a member changed.',          { memberId: text, role, before: role }),
  MemberDeactivated:     event('identity', 'member',      'A member was deactivated.',       { memberId: text }),
  MemberReactivated:     event('identity', 'member',      'A member was reactivated.',           { memberId: text }),
  MemberPasswordChanged: event('identity', 'member',      'The password of a member changed; other sessions ended.', { memberId: text }),
  MemberPasswordResetRequested: event('identity', 'member-reset', 'A member lost the password: a link is mailed.', { resetId: text, memberId: text, language, expiresAt: moment }),
  MemberTwoStepEnabled:  event('identity', 'member',      'A member turned two-step sign-in on.', { memberId: text }),
  MemberTwoStepDisabled: event('identity', 'member',      'Two-step sign-in of a member was turned off.', { memberId: text }),
  MemberRulesChanged: event('identity', 'member-rules', 'A rule for all members was turned on or off.', { rule: oneOf('two_step_for_owners'), isOn: Type.Boolean() }),
  MemberSignedIn:        event('identity', 'member',      'A member signed in.',                 { memberId: text, sessionId: text }),
  MemberSessionsEnded:   event('identity', 'member',      'Sessions of a member ended.',         { memberId: text, count: id }),
  AuthorizationGranted:  event('identity', 'grant',       'A client authorized an application.', { grantId: text, applicationId: text, buyerId: id, scopes: Type.Array(text) }),
  TokensRevoked:         event('identity', 'grant',       'A grant ended with all its tokens.',  { grantId: text, applicationId: text, buyerId: id }),
  RefreshTokenReused:    event('identity', 'grant',       'A used refresh token was presented again: it may be stolen.', { grantId: text, applicationId: text, buyerId: id }),
  TokenRevoked:          event('identity', 'token',       'One access token was revoked.',   { tokenId: text, applicationId: text }),

  ClientRegistered:       event('identity', 'client',  'A client registered or was imported.', { clientId: id }),
  ClientChanged:          event('identity', 'client',  'The data of a client changed.',        { clientId: id }),
  ClientsMerged:          event('identity', 'client',  'A duplicate was merged into this client.',     { clientId: id, mergedClientId: id }),
  ClientErased:           event('identity', 'client',  'The personal data of a client was erased.',    { clientId: id }),
  ClientSignedIn:         event('identity', 'session', 'A client signed in; `GuestId` is the former guest, if given.', { sessionId: text, clientId: id, guestId: maybe(text) }),
  ClientSignedOut:        event('identity', 'session', 'A session of a client ended.',              { sessionId: text, clientId: id }),
  PasswordChanged:        event('identity', 'client',  'The password of a client changed.',              { clientId: id }),
  PasswordResetRequested: event('identity', 'reset',   'A password reset was requested. Without an active template `password-reset` of this channel nothing is sent: fetch the token and send it.', { resetId: text, clientId: id, channel, language, expiresAt: moment }),

  // cart; a guest's session id gives access to the cart: only CartCreated has it, and webhooks and the bus get a public id
  CartCreated:              event('cart', 'cart', 'A cart was created.',                     { cartId: text, buyerId: Type.Union([id, text]), occurredOn: moment }),
  ItemAddedToCart:          event('cart', 'cart', 'Units of an offer were added to a cart.',     { cartId: text, offerId: id, quantity: id, occurredOn: moment, guestCartId: moved }),
  ModeratedItemAddedToCart: event('cart', 'cart', 'Units of a moderated offer were added to a cart.', { cartId: text, moderatedOfferId: id, quantity: id, occurredOn: moment, guestCartId: moved }),
  CartItemChanged:          event('cart', 'cart', 'The quantity or loan condition of a line changed.', { cartId: text, offerId: maybe(id), moderatedOfferId: maybe(id), quantity: id, previousQuantity: before, loanConditionId: maybe(id), occurredOn: moment }),
  ItemRemovedFromCart:      event('cart', 'cart', 'A line was removed from a cart.',                     { cartId: text, offerId: maybe(id), moderatedOfferId: maybe(id), quantity: id, occurredOn: moment }),
  CartCleared:              event('cart', 'cart', 'All lines were removed from a cart.',                  { cartId: text, occurredOn: moment }),
  CartsMerged:              event('cart', 'cart', 'A guest signed in, and the guest cart was merged into the client\'s.', { cartId: text, guestCartId: text, buyerId: id, guestId: text, keptUnits: id, droppedUnits: id, occurredOn: moment }),
  GuestSignedIn:            event('cart', 'guest', 'A guest without a cart or wishlist signed in as a client.', { guestId: text, buyerId: id, occurredOn: moment }),
  CartRemoved:              event('cart', 'cart', 'A cart was removed: abandoned, expired, or deleted after an order.', { cartId: text, reason: oneOf('abandoned', 'expired', 'ordered'), occurredOn: moment }),
  OfferAddedToWishlist:     event('cart', 'wishlist', 'An offer was added to a wishlist.',  { wishlistId: text, buyerId: Type.Union([id, text]), offerId: maybe(id), moderatedOfferId: maybe(id), occurredOn: moment }),
  OfferRemovedFromWishlist: event('cart', 'wishlist', 'An offer was removed from a wishlist.', { wishlistId: text, buyerId: Type.Union([id, text]), offerId: maybe(id), moderatedOfferId: maybe(id), occurredOn: moment }),
  WishlistsMerged:          event('cart', 'wishlist', 'A guest signed in, and the guest wishlist was merged into the client\'s.', { wishlistId: text, guestWishlistId: text, buyerId: id, guestId: text, added: id, dropped: id, occurredOn: moment }),
  WishlistRemoved:          event('cart', 'wishlist', 'An abandoned wishlist was removed.', { wishlistId: text, reason: oneOf('abandoned'), occurredOn: moment }),
  SharedCartCreated:        event('cart', 'shared-cart', 'A shared cart was created.', { sharedCartId: text, buyerId: Type.Union([id, text]), expiresAt: moment, occurredOn: moment }),
  SharedCartJoined:         event('cart', 'shared-cart', 'A buyer joined a shared cart.', { sharedCartId: text, buyerId: Type.Union([id, text]), occurredOn: moment }),
  SharedCartItemChanged:    event('cart', 'shared-cart', 'The quantity of a shared cart line changed; 0 means removed.', { sharedCartId: text, buyerId: Type.Union([id, text]), offerId: maybe(id), moderatedOfferId: maybe(id), quantity: id, occurredOn: moment }),
  SharedCartTaken:          event('cart', 'shared-cart', 'A buyer copied a shared cart into their own cart.', { sharedCartId: text, buyerId: Type.Union([id, text]), cartId: text, units: id, occurredOn: moment }),
  SharedCartClosed:         event('cart', 'shared-cart', 'The creator closed a shared cart.', { sharedCartId: text, buyerId: Type.Union([id, text]), occurredOn: moment }),
  SharedCartExpired:        event('cart', 'shared-cart', 'A shared cart expired and was removed.', { sharedCartId: text, occurredOn: moment }),
  CouponCreated:            event('cart', 'coupon', 'A coupon was created.', { couponId: id, code: text }),
  CouponChanged:            event('cart', 'coupon', 'The terms of a coupon changed.', { couponId: id, code: text }),
  CouponApplied:            event('cart', 'cart', 'A buyer applied a coupon to a cart; the discount is in sums.', { cartId: text, couponId: id, discount: number, occurredOn: moment }),
  CouponRemoved:            event('cart', 'cart', 'A buyer removed the coupon from a cart.', { cartId: text, couponId: id, occurredOn: moment }),
  CouponRedeemed:           event('cart', 'coupon', 'Orders used a coupon; the discount is in sums. `ClientId` is null for guests.', { couponId: id, clientId: maybe(id), orderIds: Type.Array(id), discount: number, occurredOn: moment }),
  CouponReleased:           event('cart', 'coupon', 'The orders that used a coupon were cancelled, so the use was given back. `OrderId` is the last one.', { couponId: id, orderId: id, occurredOn: moment }),
  LimitsChanged:            event('cart', 'limits', 'Purchase limits changed.',           { version: id, changedAt: moment }),
  ExternalPriceMismatched:    event('cart', 'offer', 'An external producer reported a price change with an old price that differs from ours.', { offerId: id, theirPrice: number, ourPrice: number }),
  IntegrationEventReceived: event('cart', 'integration-event', 'An integration event was received.', { eventId: text, source: text, eventType: text, time: moment, sequence: maybe(id), data: Type.Unknown() }),

  // orders; clientId is null for guests
  OrdersCreated:     event('orders', 'orders', 'Orders were placed from a cart, one per partner.', { orderIds: Type.Array(id), clientId: maybe(id), processedOfferIds: Type.Array(id), processedModeratedOfferIds: Type.Array(id), cartId: text }),
  MandateGranted:    event('orders', 'mandate', 'A client let an application order within limits.', { mandateId: text, clientId: id, applicationId: text, expiresAt: moment }),
  MandateRevoked:    event('orders', 'mandate', 'A mandate was revoked.', { mandateId: text, clientId: id, applicationId: text }),
  MandateOrderConfirmed: event('orders', 'mandate', 'A client confirmed an order under a mandate, in sums.', { mandateId: text, clientId: id, applicationId: text, cartVersion: id, total: number }),
  MandateUsed:       event('orders', 'mandate', 'An application placed orders under a mandate, in sums.', { mandateId: text, clientId: id, applicationId: text, orderIds: Type.Array(id), amount: number, left: number }),
  ReviewSubmitted:   event('orders', 'review', 'A client wrote or changed a review of a product; it waits for moderation.', { reviewId: id, productId: id, clientId: id }),
  ReviewDecided:     event('orders', 'review', 'A review was approved or rejected.', { reviewId: id, productId: id, status: decision }),
  ReviewDeleted:     event('orders', 'review', 'A client deleted a review.', { reviewId: id, productId: id }),
  AddressSaved:      event('orders', 'address', 'A client saved an address.',   { addressId: text, clientId: id }),
  AddressDeleted:    event('orders', 'address', 'A client deleted an address.', { addressId: text, clientId: id }),
  OrderStateChanged: event('orders', 'order', 'One of the three statuses of an order changed.', { orderId: id, status: oneOf(...orderStatuses), paymentStatus, fulfilmentStatus }),
  OrderCancelled:    event('orders', 'order', 'An order was cancelled; its units are available again.', { orderId: id, reason: text, clientId: owner }),
  InstalmentsPaid:   event('orders', 'order', 'Instalments of an order were paid, in sums.', { orderId: id, paymentId: text, numbers: Type.Array(id), amount: number, clientId: owner }),
  InstalmentsOverdue: event('orders', 'order', 'Instalments of an order were not paid on their day, in sums. Published once for each.', { orderId: id, clientId: maybe(id), numbers: Type.Array(id), amount: number }),
  PaymentReceived:   event('orders', 'order', 'A payment of an order was received, in sums.', { orderId: id, paymentId: text, amount: number }),
  PaymentFailed:     event('orders', 'order', 'A payment failed.',             { orderId: id, paymentId: text, code: text }),
  PaymentRefunded:   event('orders', 'order', 'A payment was refunded, in sums.', { orderId: id, paymentId: text, amount: number }),
  OrderShipped:      event('orders', 'order', 'A parcel was shipped.',                { orderId: id, fulfilmentId: text, carrier: maybe(text), trackingNumber: maybe(text) }),
  OrderDelivered:    event('orders', 'order', 'A parcel was delivered.',                  { orderId: id, fulfilmentId: text }),
  OrderReturned:     event('orders', 'order', 'Units were returned.',                       { orderId: id, returnId: text, clientId: owner }),

  // recommendations
  InteractionsReported: event('recommendations', 'behaviour', 'A batch of interactions of buyers was stored.', { batchId: text, interactions: id, buyers: Type.Array(text) }),
  BuyersRecognised:  event('recommendations', 'recognition', 'Other ids were linked to these buyers, or unlinked.', { batchId: text, buyers: Type.Array(text), names: Type.Array(text) }),
  ExperimentCreated: event('recommendations', 'experiment', 'An experiment was created.', { experimentId: id, slug: text }),
  ExperimentChanged: event('recommendations', 'experiment', 'An experiment was changed or renamed.', { experimentId: id, slug: text }),
  ExperimentStarted: event('recommendations', 'experiment', 'An experiment started: buyers are assigned to groups.', { experimentId: id, slug: text }),
  ExperimentStopped: event('recommendations', 'experiment', 'An experiment stopped: all buyers get the default lists.', { experimentId: id, slug: text }),
  ExperimentDeleted: event('recommendations', 'experiment', 'An experiment that never started was deleted.', { experimentId: id }),
  ModelActivated:    event('recommendations', 'model',     'Another model was activated.', { modelId: id, checksum: text }),

  // marketing; campaign results count these events, so each is published once per notification
  TemplateCreated:        event('marketing', 'template', 'A notification template was created.',      { templateId: id, slug: text, channel }),
  TemplateChanged:        event('marketing', 'template', 'A template has a new version.',               { templateId: id, slug: text, channel, version: id }),
  TemplateDeleted:        event('marketing', 'template', 'A template was removed.',                     { templateId: id, slug: text, channel }),
  NotificationSent:       event('marketing', 'notification', 'The provider accepted a notification.',  { notificationId: text, channel, category, clientId: maybe(id), campaignId: maybe(id) }),
  NotificationFailed:     event('marketing', 'notification', 'A notification failed permanently.',            { notificationId: text, channel, category, clientId: maybe(id), campaignId: maybe(id), reason: oneOf('no_provider', 'refused', 'too_many_attempts') }),
  NotificationSuppressed: event('marketing', 'notification', 'Nothing was sent: no consent, or no address.', { notificationId: text, channel, category, clientId: maybe(id), campaignId: maybe(id), reason: oneOf('no_consent', 'no_address', 'expired') }),
  NotificationDelivered:  event('marketing', 'notification', 'A notification has arrived, as far as the provider knows.', { notificationId: text, channel, clientId: maybe(id), campaignId: maybe(id) }),
  NotificationOpened:     event('marketing', 'notification', 'The tracking pixel was loaded for the first time: the reader, or their mail program, opened the message.', { notificationId: text, clientId: maybe(id), campaignId: maybe(id) }),
  NotificationClicked:    event('marketing', 'notification', 'A link in it was followed for the first time.', { notificationId: text, clientId: maybe(id), campaignId: maybe(id), link: id }),
  ConsentChanged:         event('marketing', 'consent', 'A client gave or withdrew consent for a channel.', { consentId: text, clientId: maybe(id), channel, category, isGranted: Type.Boolean(), source: text }),

  CampaignCreated:      event('marketing', 'campaign', 'A campaign was drafted.',                  { campaignId: id }),
  CampaignChanged:      event('marketing', 'campaign', 'A campaign changed.',     { campaignId: id }),
  CampaignDeleted:      event('marketing', 'campaign', 'A campaign draft was deleted.',                 { campaignId: id }),
  CampaignStarted:      event('marketing', 'campaign', 'A campaign started.',                { campaignId: id }),
  CampaignPaused:       event('marketing', 'campaign', 'A campaign was paused: manually, or because its template is unusable.', { campaignId: id, reason: oneOf('by_hand', 'template_unusable') }),
  CampaignResumed:      event('marketing', 'campaign', 'A paused campaign was resumed.',      { campaignId: id }),
  CampaignFinished:     event('marketing', 'campaign', 'A campaign finished: manually, at its end date, when its budget was used up, or when all recipients were reached.', { campaignId: id, reason: oneOf('by_hand', 'ended', 'budget_reached', 'done'), sent: id }),
  CampaignRulesChanged: event('marketing', 'campaign-rules', 'The quiet hours or caps for all campaigns changed.', { version: id, changedAt: moment }),

  // webhooks
  WebhookCreated:       event('webhooks', 'webhook', 'A webhook was created.', { webhookId: text }),
  WebhookChanged:       event('webhooks', 'webhook', 'The URL, filter or description of a webhook changed.', { webhookId: text }),
  WebhookDeleted:       event('webhooks', 'webhook', 'A webhook was removed.',                     { webhookId: text }),
  WebhookSecretRotated: event('webhooks', 'webhook', 'A webhook secret was rotated; the old one signs too until it expires.', { webhookId: text, endsAt: moment }),
  WebhookEnabled:       event('webhooks', 'webhook', 'A webhook was enabled.',         { webhookId: text }),
  WebhookDisabled:      event('webhooks', 'webhook', 'A webhook was disabled: manually, after a 410, or after five days of failures.', { webhookId: text, reason: oneOf('by_hand', 'gone', 'failing') }),
  WebhookPinged:        event('webhooks', 'webhook', 'A test event for one webhook. Only that webhook receives it.', { webhookId: text }),

  // base
  TestClockMoved:   event('base', 'clock',       'The test environment\'s clock was moved.', { clock: oneOf('test'), offsetSeconds: Type.Number(), movedAt: moment }),
}

export type EventType = keyof typeof events
export type Event = { [T in EventType]: { type: T } & FieldsOf<T> }[EventType]
export type EventOf<T extends EventType> = Extract<Event, { type: T }>

type FieldsOf<T extends EventType> = Required<(typeof events)[T]['fields']> &
  Optional<(typeof events)[T]['fields']>
type Required<Fields> = {
  [F in keyof Fields as Fields[F] extends TOptional ? never : F]: Fields[F] extends TSchema
    ? Static<Fields[F]>
    : never
}
type Optional<Fields> = {
  [F in keyof Fields as Fields[F] extends TOptional ? F : never]?: Fields[F] extends TSchema
    ? Static<Fields[F]>
    : never
}

/** The subject of an event, such as `brand/12`: its kind and its first field. */
export function subjectOf(event: Event): string {
  const { subject, fields } = events[event.type]
  const [first = ''] = Object.keys(fields)
  return `${subject}/${String((event as Record<string, unknown>)[first])}`
}

function event<F extends Record<string, TSchema>>(
  module: string,
  subject: string,
  description: string,
  fields: F,
) {
  return { module, subject, description, fields }
}
