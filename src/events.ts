// Every fact one module tells another, and the world. A name in the past tense, its module, what it is about,
// and its fields. Written to the outbox in the write's transaction; on the wire, fields begin with a capital.

import { type Static, type TSchema, Type } from 'typebox'

const id = Type.Integer()
const text = Type.String()
const number = Type.Number()
const moment = Type.String({ format: 'date-time' })
const maybe = <S extends TSchema>(shape: S) => Type.Union([shape, Type.Null()])

// oxfmt-ignore
export const events = {
  // catalog
  BrandCreated:     fact('catalog', 'brand',    'A brand was added.',               { brandId: id, slug: text }),
  BrandChanged:     fact('catalog', 'brand',    'A brand was renamed or moved.',    { brandId: id, slug: text }),
  BrandDeleted:     fact('catalog', 'brand',    'A brand was removed.',             { brandId: id }),
  CategoryCreated:  fact('catalog', 'category', 'A category was added.',            { categoryId: id, slug: text }),
  CategoryChanged:  fact('catalog', 'category', 'A category or its place changed.', { categoryId: id, slug: text }),
  CategoryDeleted:  fact('catalog', 'category', 'A category was removed.',          { categoryId: id }),
  PartnerCreated:   fact('catalog', 'partner',  'A partner was added.',             { partnerId: id, slug: text }),
  PartnerChanged:   fact('catalog', 'partner',  'A partner, its rating or its credit changed.', { partnerId: id, slug: text }),
  PartnerDeleted:   fact('catalog', 'partner',  'A partner was removed.',           { partnerId: id }),
  LoanConditionCreated: fact('catalog', 'loan-condition', 'A partner gave a condition for instalments.', { loanConditionId: id, partnerId: id }),
  LoanConditionChanged: fact('catalog', 'loan-condition', 'A condition for instalments changed.',        { loanConditionId: id, partnerId: id }),
  LoanConditionDeleted: fact('catalog', 'loan-condition', 'A condition for instalments was removed.',    { loanConditionId: id, partnerId: id }),
  ProductCreated:   fact('catalog', 'product',  'A product was added.',             { productId: id, slug: text }),
  ProductChanged:   fact('catalog', 'product',  'A product changed.',               { productId: id, slug: text }),
  ProductDeleted:   fact('catalog', 'product',  'A product was removed.',           { productId: id }),
  VariantCreated:   fact('catalog', 'variant',  'A variant of a product was added.', { variantId: id, productId: id }),
  VariantChanged:   fact('catalog', 'variant',  'A variant changed.',               { variantId: id, productId: id }),
  VariantDeleted:   fact('catalog', 'variant',  'A variant was removed.',           { variantId: id, productId: id }),
  OfferCreated:         fact('catalog', 'offer', 'An offer was made.',                     { offerId: id, productId: id }),
  OfferChanged:         fact('catalog', 'offer', 'Something of an offer changed that has no fact of its own.', { offerId: id, productId: id }),
  OfferDeleted:         fact('catalog', 'offer', 'An offer was removed.',                  { offerId: id, productId: id }),
  OfferActivated:       fact('catalog', 'offer', 'An offer can be seen and bought again.', { offerId: id, activatedAt: moment }),
  OfferDeactivated:     fact('catalog', 'offer', 'An offer can no longer be bought.',      { offerId: id, reason: text }),
  OfferPriceChanged:    fact('catalog', 'offer', 'An offer has another price, in sums.',   { offerId: id, oldPrice: number, newPrice: number }),
  OfferQuantityChanged: fact('catalog', 'offer', 'Another number of units is in stock.',   { offerId: id, newQuantity: id }),
  OfferStockLow:        fact('catalog', 'offer', 'So few units are left that somebody should order more.', { offerId: id, quantity: id }),
  ModeratedOfferCreated:   fact('catalog', 'moderated-offer', 'An offer that must be looked at was made.', { moderatedOfferId: id, productId: id }),
  ModeratedOfferChanged:   fact('catalog', 'moderated-offer', 'Its price, its stock or its terms changed.', { moderatedOfferId: id, productId: id }),
  ModeratedOfferDeleted:   fact('catalog', 'moderated-offer', 'It was removed.',                            { moderatedOfferId: id, productId: id }),
  ModeratedOfferStockChanged: fact('catalog', 'moderated-offer', 'Another number of units is in stock.',     { moderatedOfferId: id, newQuantity: id }),
  ModeratedOfferSubmitted: fact('catalog', 'moderated-offer', 'It waits to be looked at.',                  { moderatedOfferId: id }),
  ModerationDecided:       fact('catalog', 'moderated-offer', 'It was approved or rejected.',               { moderatedOfferId: id, status: text, reason: maybe(text) }),
  PromotionCreated:  fact('catalog', 'promotion', 'A promotion was planned.',                  { promotionId: id, slug: text, startsAt: moment, endsAt: maybe(moment) }),
  PromotionChanged:  fact('catalog', 'promotion', 'A promotion has another period, effect, title or members.', { promotionId: id, slug: text, startsAt: moment, endsAt: maybe(moment) }),
  PromotionDeleted:  fact('catalog', 'promotion', 'A promotion was removed; what it did to prices is over.', { promotionId: id, slug: text }),
  PromotionStarted:  fact('catalog', 'promotion', 'A promotion began to run. No offer tells of its price.', { promotionId: id, slug: text, startsAt: moment, endsAt: maybe(moment) }),
  PromotionFinished: fact('catalog', 'promotion', 'A promotion that ran does so no more. No offer tells of its price.', { promotionId: id, slug: text, endedAt: moment }),
  PopularityCounted:    fact('catalog', 'popularity', 'It was counted anew how sought after products are.', { countedAt: moment, products: id }),
  ExchangeRateChanged:  fact('catalog', 'exchange-rate', 'A currency costs so many tiyin.',  { currency: text, tiyin: id }),
  ExchangeRateDeleted:  fact('catalog', 'exchange-rate', 'Prices are no longer shown in a currency.', { currency: text }),

  // identity
  ApplicationRegistered: fact('identity', 'application', 'An application got its credentials.', { clientId: text }),
  ApplicationChanged:    fact('identity', 'application', 'An application was changed.',         { clientId: text }),
  ApplicationDeleted:    fact('identity', 'application', 'An application and its keys ended.',  { clientId: text }),
  ApiKeyIssued:          fact('identity', 'key',         'A key was made.',                     { keyId: text, clientId: text }),
  ApiKeyRotated:         fact('identity', 'key',         'A key got a successor and an end.',   { keyId: text, successorId: text, endsAt: moment }),
  ApiKeyRevoked:         fact('identity', 'key',         'A key stopped working.',              { keyId: text, clientId: text }),
  ClientSecretRotated:   fact('identity', 'application', 'A new client secret was made; older ones got an end.', { clientId: text, secretId: text, endsAt: moment }),
  ClientSecretRevoked:   fact('identity', 'application', 'A client secret stopped working.',    { clientId: text, secretId: text }),
  MemberInvited:         fact('identity', 'invitation',  'Somebody was invited to run the shop, perhaps once more.', { invitationId: text, role: text }),
  InvitationRevoked:     fact('identity', 'invitation',  'An invitation stopped working.',      { invitationId: text }),
  MemberJoined:          fact('identity', 'member',      'Somebody became a member.',           { memberId: text, role: text }),
  MemberChanged:         fact('identity', 'member',      'A member was renamed.',               { memberId: text }),
  MemberRoleChanged:     fact('identity', 'member',      'A member got another role.',          { memberId: text, role: text, before: text }),
  MemberDeactivated:     fact('identity', 'member',      'A member may no longer enter.',       { memberId: text }),
  MemberReactivated:     fact('identity', 'member',      'A member may enter again.',           { memberId: text }),
  MemberPasswordChanged: fact('identity', 'member',      'A member got another password; other sessions ended.', { memberId: text }),
  MemberSignedIn:        fact('identity', 'member',      'A member signed in.',                 { memberId: text, sessionId: text }),
  MemberSessionsEnded:   fact('identity', 'member',      'Sessions of a member ended.',         { memberId: text, count: id }),
  AuthorizationGranted:  fact('identity', 'grant',       'A buyer let an application act for him.', { grantId: text, clientId: text, buyerId: id, scopes: Type.Array(text) }),
  TokensRevoked:         fact('identity', 'grant',       'A grant ended with all its tokens.',  { grantId: text, clientId: text, buyerId: id }),
  RefreshTokenReused:    fact('identity', 'grant',       'A used refresh token came again: somebody has a copy.', { grantId: text, clientId: text, buyerId: id }),
  TokenRevoked:          fact('identity', 'token',       'One access token stopped working.',   { tokenId: text, clientId: text }),

  ClientRegistered:       fact('identity', 'client',  'A buyer made an account, or was imported.', { clientId: id }),
  ClientChanged:          fact('identity', 'client',  'What is known of a client changed.',        { clientId: id }),
  ClientSignedIn:         fact('identity', 'session', 'A client began a session; who he was as a guest, if he said it.', { sessionId: text, clientId: id, guestId: maybe(text) }),
  ClientSignedOut:        fact('identity', 'session', 'A session of a client ended.',              { sessionId: text, clientId: id }),
  PasswordChanged:        fact('identity', 'client',  'A client has a new password.',              { clientId: id }),
  PasswordResetRequested: fact('identity', 'reset',   'Somebody wants a new password for a client: fetch the token and write to him.', { resetId: text, clientId: id, expiresAt: moment }),

  // cart; whose cart it is, an outsider learns of clients alone: a guest's session opens his cart to whoever knows it
  CartCreated:              fact('cart', 'cart', 'A buyer got a cart.',                     { cartId: text, buyerId: Type.Union([id, text]), occurredOn: moment }),
  ItemAddedToCart:          fact('cart', 'cart', 'Units of an offer came into a cart.',     { cartId: text, offerId: id, quantity: id, occurredOn: moment }),
  ModeratedItemAddedToCart: fact('cart', 'cart', 'Units of a moderated offer came into a cart.', { cartId: text, moderatedOfferId: id, quantity: id, occurredOn: moment }),
  CartItemChanged:          fact('cart', 'cart', 'A line has another quantity or loan condition.', { cartId: text, offerId: maybe(id), moderatedOfferId: maybe(id), quantity: id, loanConditionId: maybe(id), occurredOn: moment }),
  ItemRemovedFromCart:      fact('cart', 'cart', 'A line left a cart.',                     { cartId: text, offerId: maybe(id), moderatedOfferId: maybe(id), quantity: id, occurredOn: moment }),
  CartCleared:              fact('cart', 'cart', 'All lines left a cart.',                  { cartId: text, occurredOn: moment }),
  CartsMerged:              fact('cart', 'cart', 'A guest signed in, and his cart went into the client\'s.', { cartId: text, guestCartId: text, buyerId: id, guestId: text, keptUnits: id, droppedUnits: id, occurredOn: moment }),
  GuestSignedIn:            fact('cart', 'guest', 'A guest who had nothing to bring along turned out to be a client.', { guestId: text, buyerId: id, occurredOn: moment }),
  CartRemoved:              fact('cart', 'cart', 'A cart is gone: abandoned, expired, or taken away after an order.', { cartId: text, reason: text, occurredOn: moment }),
  OfferWished:              fact('cart', 'wishlist', 'A buyer put an offer on his wishlist.',  { wishlistId: text, buyerId: Type.Union([id, text]), offerId: maybe(id), moderatedOfferId: maybe(id), occurredOn: moment }),
  OfferUnwished:            fact('cart', 'wishlist', 'A buyer took an offer off his wishlist.', { wishlistId: text, buyerId: Type.Union([id, text]), offerId: maybe(id), moderatedOfferId: maybe(id), occurredOn: moment }),
  WishlistsMerged:          fact('cart', 'wishlist', 'A guest signed in, and his wishes went to the client\'s.', { wishlistId: text, guestWishlistId: text, buyerId: id, guestId: text, added: id, dropped: id, occurredOn: moment }),
  WishlistRemoved:          fact('cart', 'wishlist', 'A wishlist that nobody looked after is gone.', { wishlistId: text, reason: text, occurredOn: moment }),
  SharedCartCreated:        fact('cart', 'shared-cart', 'A buyer opened a cart that several people fill.', { sharedCartId: text, buyerId: Type.Union([id, text]), expiresAt: moment, occurredOn: moment }),
  SharedCartJoined:         fact('cart', 'shared-cart', 'A buyer joined a shared cart.', { sharedCartId: text, buyerId: Type.Union([id, text]), occurredOn: moment }),
  SharedCartItemChanged:    fact('cart', 'shared-cart', 'A line of a shared cart has another quantity; nought says that it is gone.', { sharedCartId: text, buyerId: Type.Union([id, text]), offerId: maybe(id), moderatedOfferId: maybe(id), quantity: id, occurredOn: moment }),
  SharedCartTaken:          fact('cart', 'shared-cart', 'A buyer took what all had gathered into his own cart.', { sharedCartId: text, buyerId: Type.Union([id, text]), cartId: text, units: id, occurredOn: moment }),
  SharedCartClosed:         fact('cart', 'shared-cart', 'The creator closed a shared cart.', { sharedCartId: text, buyerId: Type.Union([id, text]), occurredOn: moment }),
  SharedCartExpired:        fact('cart', 'shared-cart', 'A shared cart is gone: its time was over.', { sharedCartId: text, occurredOn: moment }),
  LimitsChanged:            fact('cart', 'limits', 'Other purchase limits hold.',           { version: id, changedAt: moment }),
  OutsidePriceDisagreed:    fact('cart', 'offer', 'An outside producer took another price for ours when it told a new one.', { offerId: id, theirPrice: number, ourPrice: number }),
  IntegrationEventReceived: fact('cart', 'integration-event', 'An outside producer told the shop something.', { eventId: text, source: text, eventType: text, time: moment, sequence: maybe(id), data: Type.Unknown() }),

  // orders; of guests, who have no client id, it is null
  OrdersCreated:     fact('orders', 'orders', 'Orders were made of a cart, one per partner.', { orderIds: Type.Array(id), clientId: maybe(id), processedOfferIds: Type.Array(id), processedModeratedOfferIds: Type.Array(id), cartId: text }),
  OrderStateChanged: fact('orders', 'order', 'One of an order\'s three states is another.', { orderId: id, status: text, paymentStatus: text, fulfilmentStatus: text }),
  OrderCancelled:    fact('orders', 'order', 'An order ended before it was sent; its units are for sale again.', { orderId: id, reason: text }),
  PaymentReceived:   fact('orders', 'order', 'Money for an order was taken, in sums.', { orderId: id, paymentId: text, amount: number }),
  PaymentFailed:     fact('orders', 'order', 'A payment did not succeed.',             { orderId: id, paymentId: text, code: text }),
  PaymentRefunded:   fact('orders', 'order', 'Money went back to the buyer, in sums.', { orderId: id, paymentId: text, amount: number }),
  OrderShipped:      fact('orders', 'order', 'A parcel is on its way.',                { orderId: id, fulfilmentId: text, carrier: maybe(text), trackingNumber: maybe(text) }),
  OrderDelivered:    fact('orders', 'order', 'A parcel has arrived.',                  { orderId: id, fulfilmentId: text }),
  OrderReturned:     fact('orders', 'order', 'Units came back.',                       { orderId: id, returnId: text }),

  // recommendations
  BehaviourReported: fact('recommendations', 'behaviour', 'Deeds of buyers came in together.', { batchId: text, interactions: id, buyers: Type.Array(text) }),
  BuyersRecognised:  fact('recommendations', 'recognition', 'Some who were known by other names turned out to be these buyers, or no longer are.', { batchId: text, buyers: Type.Array(text), names: Type.Array(text) }),
  ExperimentCreated: fact('recommendations', 'experiment', 'An experiment with lists was written down.', { experimentId: id, slug: text }),
  ExperimentChanged: fact('recommendations', 'experiment', 'An experiment was planned otherwise or renamed.', { experimentId: id, slug: text }),
  ExperimentStarted: fact('recommendations', 'experiment', 'Buyers draw their groups from now on.', { experimentId: id, slug: text }),
  ExperimentStopped: fact('recommendations', 'experiment', 'Everybody gets the usual lists again.', { experimentId: id, slug: text }),
  ExperimentDeleted: fact('recommendations', 'experiment', 'An experiment that never began was removed.', { experimentId: id }),
  ModelActivated:    fact('recommendations', 'model',     'Lists are made by another model from now on.', { modelId: id, checksum: text }),

  // marketing; campaigns count by them, so each of a notification is told once
  TemplateCreated:        fact('marketing', 'template', 'A template for notifications was made.',      { templateId: id, slug: text, channel: text }),
  TemplateChanged:        fact('marketing', 'template', 'A template has a new version.',               { templateId: id, slug: text, channel: text, version: id }),
  TemplateDeleted:        fact('marketing', 'template', 'A template was removed.',                     { templateId: id, slug: text, channel: text }),
  NotificationSent:       fact('marketing', 'notification', 'The provider has taken a notification.',  { notificationId: text, channel: text, category: text, clientId: maybe(id), campaignId: maybe(id) }),
  NotificationFailed:     fact('marketing', 'notification', 'A notification was given up.',            { notificationId: text, channel: text, category: text, clientId: maybe(id), campaignId: maybe(id), reason: text }),
  NotificationSuppressed: fact('marketing', 'notification', 'Nothing was sent: no consent, or no address.', { notificationId: text, channel: text, category: text, clientId: maybe(id), campaignId: maybe(id), reason: text }),
  NotificationDelivered:  fact('marketing', 'notification', 'A notification has arrived, as far as the provider knows.', { notificationId: text, channel: text, clientId: maybe(id), campaignId: maybe(id) }),
  NotificationOpened:     fact('marketing', 'notification', 'Its picture was loaded for the first time: somebody, or his mail program, has opened it.', { notificationId: text, clientId: maybe(id), campaignId: maybe(id) }),
  NotificationClicked:    fact('marketing', 'notification', 'A link in it was followed for the first time.', { notificationId: text, clientId: maybe(id), campaignId: maybe(id), link: id }),
  ConsentChanged:         fact('marketing', 'consent', 'Somebody agreed to be written to over a channel, or withdrew that.', { consentId: text, clientId: maybe(id), channel: text, category: text, isGranted: Type.Boolean(), source: text }),

  CampaignCreated:      fact('marketing', 'campaign', 'A campaign was drafted.',                  { campaignId: id }),
  CampaignChanged:      fact('marketing', 'campaign', 'Something of a campaign was changed.',     { campaignId: id }),
  CampaignDeleted:      fact('marketing', 'campaign', 'A draft was thrown away.',                 { campaignId: id }),
  CampaignStarted:      fact('marketing', 'campaign', 'A campaign was set going.',                { campaignId: id }),
  CampaignPaused:       fact('marketing', 'campaign', 'A campaign writes to nobody for now: by hand, or because its template cannot be used.', { campaignId: id, reason: text }),
  CampaignResumed:      fact('marketing', 'campaign', 'A campaign that was paused goes on.',      { campaignId: id }),
  CampaignFinished:     fact('marketing', 'campaign', 'A campaign ended: by hand, at its end, because its budget was reached, or because everybody was served.', { campaignId: id, reason: text, sent: id }),
  CampaignRulesChanged: fact('marketing', 'campaign-rules', 'Other quiet hours or caps hold for all campaigns.', { version: id, changedAt: moment }),

  // webhooks
  WebhookCreated:       fact('webhooks', 'webhook', 'Somebody outside is told of events from now on.', { webhookId: text }),
  WebhookChanged:       fact('webhooks', 'webhook', 'A webhook has another address, filter or description.', { webhookId: text }),
  WebhookDeleted:       fact('webhooks', 'webhook', 'A webhook was removed.',                     { webhookId: text }),
  WebhookSecretRotated: fact('webhooks', 'webhook', 'A webhook got a new secret; the old one signs too until its end.', { webhookId: text, endsAt: moment }),
  WebhookEnabled:       fact('webhooks', 'webhook', 'A webhook is told of events again.',         { webhookId: text }),
  WebhookDisabled:      fact('webhooks', 'webhook', 'A webhook is told of nothing more: by hand, because it is gone, or after five days of failure.', { webhookId: text, reason: text }),
  WebhookPinged:        fact('webhooks', 'webhook', 'Somebody tries whether a webhook is reached. Only that webhook is told.', { webhookId: text }),

  // base
  TestClockMoved:   fact('base', 'clock',       'The test environment\'s clock was moved.', { clock: text, offsetSeconds: Type.Number(), movedAt: moment }),
}

export type EventType = keyof typeof events
export type Event = { [T in EventType]: { type: T } & FieldsOf<T> }[EventType]
export type EventOf<T extends EventType> = Extract<Event, { type: T }>

type FieldsOf<T extends EventType> = {
  [F in keyof (typeof events)[T]['fields']]: (typeof events)[T]['fields'][F] extends TSchema
    ? Static<(typeof events)[T]['fields'][F]>
    : never
}

/** What the event is about, as `brand/12`: the first field says which one. */
export function subjectOf(event: Event): string {
  const { subject, fields } = events[event.type]
  const [first = ''] = Object.keys(fields)
  return `${subject}/${String((event as Record<string, unknown>)[first])}`
}

function fact<F extends Record<string, TSchema>>(
  module: string,
  subject: string,
  meaning: string,
  fields: F,
) {
  return { module, subject, meaning, fields }
}
