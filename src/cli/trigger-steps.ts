// The calls of the API that make events happen. They use records that they create themselves: nothing that existed
// before is changed, except the stock of one offer.

import { setTimeout as sleep } from 'node:timers/promises'
import { elapsedMs, dayMs } from '../base/clock.ts'
import { secretUuid } from '../base/random.ts'
import type { EventType } from '../events.ts'
import type { Bozor } from '../sdk/index.ts'
import { CommandError } from './command.ts'

type Steps = (bozor: Bozor) => Promise<unknown>

const waitMs = 30_000
const pollMs = 100
/** The price of the offer in use: low enough for the limits of guests. In tiyin. */
const maxPrice = 100_000_000
const ownPrice = 1_000_000

const contact = { Name: 'Aziza Karimova', Phone: '+998 90 123-45-67' }
/** The test acquirer accepts it. */
const card = { number: '8600000000000015', expiry_month: 12, expiry_year: 2030, cvc: '123' }

const newName = (): string => `trigger-${secretUuid().slice(0, 8)}`
const inEnglish = (text: string) => ({ en: text, ru: text })

/** Polls until something is there. */
export async function pollUntil<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
  const until = elapsedMs() + waitMs
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (elapsedMs() > until) throw new CommandError(`${what} did not come within ${waitMs / 1000} seconds`)
    await sleep(pollMs)
  }
}

const createBrand = async (bozor: Bozor): Promise<string> =>
  (await bozor.brands.create({ slug: newName(), name: 'Trigger' })).brand.id
const createCategory = async (bozor: Bozor): Promise<string> =>
  (await bozor.categories.create({ slug: newName(), name: inEnglish('Trigger') })).category.id
const createPartner = async (bozor: Bozor): Promise<string> =>
  (await bozor.partners.create({ slug: newName(), name: 'Trigger', credit_active: true })).partner.id

async function createLoanCondition(bozor: Bozor): Promise<string> {
  const partner_id = await createPartner(bozor)
  return (await bozor.loanConditions.create({ partner_id, duration: 6 })).loan_condition.id
}

async function createDeliveryMethod(bozor: Bozor): Promise<string> {
  const partner_id = await createPartner(bozor)
  const sent = { partner_id, kind: 'courier' as const, name: inEnglish('Courier'), price_tiyin: 0 }
  return (await bozor.deliveryMethods.create(sent)).delivery_method.id
}

const createAttribute = async (bozor: Bozor): Promise<string> =>
  (
    await bozor.attributes.create({
      code: newName().replaceAll('-', '_'),
      kind: 'text',
      name: inEnglish('Trigger'),
    })
  ).attribute.id

async function createProduct(bozor: Bozor): Promise<string> {
  const category_id = await createCategory(bozor)
  return (await bozor.products.create({ category_id, slug: newName(), name: inEnglish('Trigger') })).product
    .id
}

const createVariant = async (bozor: Bozor): Promise<string> =>
  (await bozor.variants.create({ product_id: await createProduct(bozor), name: inEnglish('Blue') })).variant
    .id

async function createOffer(bozor: Bozor): Promise<string> {
  const [product_id, partner_id] = [await createProduct(bozor), await createPartner(bozor)]
  return (await bozor.offers.create({ product_id, partner_id, price_tiyin: ownPrice, quantity: 5 })).offer.id
}

async function createPromotion(bozor: Bozor): Promise<string> {
  const { clock } = await bozor.testClock.get()
  const starts_at = new Date(Date.parse(clock.now) + dayMs).toISOString()
  const offer_ids = [await createOffer(bozor)]
  return (
    await bozor.promotions.create({
      slug: newName(),
      title: 'Trigger',
      starts_at,
      offer_ids,
      discount_percent: 10,
    })
  ).promotion.id
}

const createApplication = (bozor: Bozor) =>
  bozor.applications.create({ name: newName(), type: 'server', scopes: ['catalog:read'] })

async function createKey(bozor: Bozor): Promise<{ client_id: string; key_id: string }> {
  const { application } = await createApplication(bozor)
  const { key } = await bozor.applications.createKey({ client_id: application.client_id, name: 'trigger' })
  return { client_id: application.client_id, key_id: key.id }
}

/** A client, and the address to sign in with. */
async function registerClient(bozor: Bozor): Promise<{ id: string; login: string; password: string }> {
  const sent = { name: contact.Name, email: `${secretUuid()}@buyer.example`, password: secretUuid() }
  const { client } = await bozor.auth.register(sent)
  return { id: client.id, login: sent.email, password: sent.password }
}

const newGuest = async (bozor: Bozor): Promise<string> => (await bozor.auth.createGuestSession()).session_id!

async function someOffer(bozor: Bozor): Promise<number> {
  const query = { in_stock: true, is_active: true, is_visible: true, price_max: maxPrice, per_page: 50 }
  const { items } = await bozor.offers.list(query)
  const offer = items.find((it) => it.quantity > 1)
  if (!offer)
    throw new CommandError(
      'the test environment has no offer to buy: load the demo shop ("bozor demo") or import',
    )
  return Number(offer.id)
}

async function fillCart(bozor: Bozor): Promise<{ SessionId: string; OfferId: number }> {
  const [SessionId, OfferId] = [await newGuest(bozor), await someOffer(bozor)]
  await bozor.cart.addItem({ SessionId, OfferId, Quantity: 1 })
  return { SessionId, OfferId }
}

async function fillWishlist(bozor: Bozor): Promise<{ SessionId: string; OfferId: number }> {
  const listed = { SessionId: await newGuest(bozor), OfferId: await someOffer(bozor) }
  await bozor.wishlist.addOffer(listed)
  return listed
}

async function createSharedCart(bozor: Bozor): Promise<{ id: string; SessionId: string; OfferId: number }> {
  const [SessionId, OfferId] = [await newGuest(bozor), await someOffer(bozor)]
  const { Id } = await bozor.sharedCarts.create({ SessionId, Items: [{ OfferId, Quantity: 1 }] })
  return { id: Id, SessionId, OfferId }
}

const createCoupon = (bozor: Bozor) =>
  bozor.coupons.create({ code: newName().toUpperCase(), percent: 10, uses_per_buyer: null })

async function applyCoupon(bozor: Bozor): Promise<string> {
  const { SessionId } = await fillCart(bozor)
  await bozor.cart.applyCoupon({ SessionId, Code: (await createCoupon(bozor)).coupon.code })
  return SessionId
}

async function orderCart(bozor: Bozor, SessionId: string): Promise<number> {
  const { OrderIds } = await bozor.cart.order({
    SessionId,
    PaymentMethodId: 1,
    DeliveryAddress: 'Toshkent, Amir Temur 1',
    Contact: contact,
  })
  return OrderIds[0]!
}

const placeOrder = async (bozor: Bozor): Promise<number> =>
  orderCart(bozor, (await fillCart(bozor)).SessionId)

async function payOrder(bozor: Bozor): Promise<{ id: number; paymentId: string }> {
  const id = await placeOrder(bozor)
  const { payment } = await bozor.orders.createPayment({ id, kind: 'card', card, capture: 'automatic' })
  await pollUntil('the payment', async () => {
    const { payments } = await bozor.orders.listPayments({ id })
    return payments.find((it) => it.id === payment.id && it.status === 'captured')
  })
  return { id, paymentId: payment.id }
}

async function shipOrder(bozor: Bozor): Promise<{ id: number; fulfilmentId: string }> {
  const { id } = await payOrder(bozor)
  const { fulfilment } = await bozor.orders.createFulfilment({ id })
  const sent = { id, fulfilmentId: fulfilment.id }
  await bozor.orders.shipFulfilment({ ...sent, carrier: 'BTS', tracking_number: 'TEST-1' })
  return sent
}

async function returnOrder(bozor: Bozor): Promise<void> {
  const shipped = await shipOrder(bozor)
  await bozor.orders.deliverFulfilment(shipped)
  const { return: returned } = await bozor.orders.createReturn({ id: shipped.id, reason: 'bozor trigger' })
  await bozor.orders.receiveReturn({ id: shipped.id, returnId: returned.id })
}

async function grantMandate(bozor: Bozor): Promise<string> {
  const { clock } = await bozor.testClock.get()
  const { mandate } = await bozor.mandates.createForClient({
    customer_id: (await registerClient(bozor)).id,
    application_id: (await createApplication(bozor)).application.client_id,
    budget: { amount: ownPrice, currency: 'UZS' },
    expires_at: new Date(Date.parse(clock.now) + dayMs).toISOString(),
  })
  return mandate.id
}

/** Nothing is sent to this webhook, and it is deleted again: there may be few. */
async function withWebhook(bozor: Bozor, work: (webhookId: string) => Promise<unknown>): Promise<void> {
  const { webhook } = await bozor.webhooks.create({ url: 'http://127.0.0.1:9/', filters: ['WebhookPinged'] })
  await work(webhook.id)
  await bozor.webhooks.delete({ webhook_id: webhook.id })
}

const createTemplate = async (bozor: Bozor): Promise<string> =>
  (
    await bozor.templates.create({
      slug: newName(),
      channel: 'sms',
      texts: { ru: { text: 'Trigger' }, uz: { text: 'Trigger' }, en: { text: 'Trigger' } },
    })
  ).template.id

const createExperiment = async (bozor: Bozor): Promise<string> =>
  (
    await bozor.experiments.create({
      slug: newName(),
      name: 'Trigger',
      layers: ['categories_page'],
      groups: [
        { name: 'one', share: 0.5 },
        { name: 'two', share: 0.5, method: 'popular' },
      ],
    })
  ).experiment.id

export const steps = {
  BrandCreated: createBrand,
  BrandChanged: async (bozor) => bozor.brands.update({ brand_id: await createBrand(bozor), name: 'Changed' }),
  BrandDeleted: async (bozor) => bozor.brands.delete({ brand_id: await createBrand(bozor) }),
  CategoryCreated: createCategory,
  CategoryChanged: async (bozor) =>
    bozor.categories.update({ category_id: await createCategory(bozor), name: inEnglish('Changed') }),
  CategoryDeleted: async (bozor) => bozor.categories.delete({ category_id: await createCategory(bozor) }),
  PartnerCreated: createPartner,
  PartnerChanged: async (bozor) =>
    bozor.partners.update({ partner_id: await createPartner(bozor), name: 'Changed' }),
  PartnerDeleted: async (bozor) => bozor.partners.delete({ partner_id: await createPartner(bozor) }),
  LoanConditionCreated: createLoanCondition,
  LoanConditionChanged: async (bozor) =>
    bozor.loanConditions.update({ loan_condition_id: await createLoanCondition(bozor), duration: 12 }),
  LoanConditionDeleted: async (bozor) =>
    bozor.loanConditions.delete({ loan_condition_id: await createLoanCondition(bozor) }),
  DeliveryMethodCreated: createDeliveryMethod,
  DeliveryMethodChanged: async (bozor) =>
    bozor.deliveryMethods.update({ delivery_method_id: await createDeliveryMethod(bozor), active: false }),
  DeliveryMethodDeleted: async (bozor) =>
    bozor.deliveryMethods.delete({ delivery_method_id: await createDeliveryMethod(bozor) }),
  AttributeCreated: createAttribute,
  AttributeChanged: async (bozor) =>
    bozor.attributes.update({ attribute_id: await createAttribute(bozor), name: inEnglish('Changed') }),
  AttributeDeleted: async (bozor) => bozor.attributes.delete({ attribute_id: await createAttribute(bozor) }),
  ProductCreated: createProduct,
  ProductChanged: async (bozor) =>
    bozor.products.update({ product_id: await createProduct(bozor), name: inEnglish('Changed') }),
  ProductDeleted: async (bozor) => bozor.products.delete({ product_id: await createProduct(bozor) }),
  VariantCreated: createVariant,
  VariantChanged: async (bozor) =>
    bozor.variants.update({ variant_id: await createVariant(bozor), name: inEnglish('Red') }),
  VariantDeleted: async (bozor) => bozor.variants.delete({ variant_id: await createVariant(bozor) }),
  OfferCreated: createOffer,
  OfferChanged: async (bozor) => bozor.offers.update({ offer_id: await createOffer(bozor), rating: 4 }),
  OfferDeleted: async (bozor) => bozor.offers.delete({ offer_id: await createOffer(bozor) }),
  OfferDeactivated: async (bozor) =>
    bozor.offers.update({ offer_id: await createOffer(bozor), is_active: false }),
  OfferActivated: async (bozor) => {
    const offer_id = await createOffer(bozor)
    await bozor.offers.update({ offer_id, is_active: false })
    await bozor.offers.update({ offer_id, is_active: true })
  },
  OfferPriceChanged: async (bozor) =>
    bozor.offers.update({ offer_id: await createOffer(bozor), price_tiyin: 2 * ownPrice }),
  OfferQuantityChanged: async (bozor) =>
    bozor.offers.createStockAdjustment({
      offer_id: await someOffer(bozor),
      change: 1,
      reason: 'bozor trigger',
    }),
  PromotionCreated: createPromotion,
  PromotionChanged: async (bozor) =>
    bozor.promotions.update({ promotion_id: await createPromotion(bozor), title: 'Changed' }),
  PromotionDeleted: async (bozor) => bozor.promotions.delete({ promotion_id: await createPromotion(bozor) }),
  ApplicationRegistered: createApplication,
  ApplicationChanged: async (bozor) =>
    bozor.applications.update({
      client_id: (await createApplication(bozor)).application.client_id,
      name: newName(),
    }),
  ApplicationDeleted: async (bozor) =>
    bozor.applications.delete({ client_id: (await createApplication(bozor)).application.client_id }),
  ApiKeyIssued: createKey,
  ApiKeyRotated: async (bozor) => bozor.applications.rotateKey(await createKey(bozor)),
  ApiKeyRevoked: async (bozor) => bozor.applications.revokeKey(await createKey(bozor)),
  ClientSecretRotated: async (bozor) =>
    bozor.applications.rotateSecret({ client_id: (await createApplication(bozor)).application.client_id }),
  ClientSecretRevoked: async (bozor) => {
    const { client_id } = (await createApplication(bozor)).application
    const { secret } = await bozor.applications.rotateSecret({ client_id })
    await bozor.applications.revokeSecret({ client_id, secret_id: secret.id })
  },
  ClientRegistered: registerClient,
  ClientSignedIn: async (bozor) => {
    const { login, password } = await registerClient(bozor)
    await bozor.auth.login({ login, password })
  },
  ClientChanged: async (bozor) =>
    bozor.clients.update({ client_id: (await registerClient(bozor)).id, name: 'Changed' }),
  ClientsMerged: async (bozor) =>
    bozor.clients.merge({
      client_id: (await registerClient(bozor)).id,
      into: (await registerClient(bozor)).id,
    }),
  ClientErased: async (bozor) => bozor.clients.erase({ client_id: (await registerClient(bozor)).id }),
  PasswordResetRequested: async (bozor) =>
    bozor.auth.requestPasswordReset({ login: (await registerClient(bozor)).login }),
  CartCreated: fillCart,
  ItemAddedToCart: fillCart,
  CartItemChanged: async (bozor) => bozor.cart.setQuantity({ ...(await fillCart(bozor)), NewQuantity: 2 }),
  ItemRemovedFromCart: async (bozor) => {
    const { SessionId, OfferId } = await fillCart(bozor)
    await bozor.cart.removeItem({ SessionId, offerId: OfferId })
  },
  CartCleared: async (bozor) => {
    const { SessionId } = await fillCart(bozor)
    await bozor.cart.clear({ SessionId })
  },
  CartsMerged: async (bozor) => {
    const { SessionId } = await fillCart(bozor)
    await bozor.cart.merge({ SessionId, ClientId: Number((await registerClient(bozor)).id) })
  },
  OfferAddedToWishlist: fillWishlist,
  OfferRemovedFromWishlist: async (bozor) => {
    const { SessionId, OfferId } = await fillWishlist(bozor)
    await bozor.wishlist.removeOffer({ SessionId, offerId: OfferId })
  },
  WishlistsMerged: async (bozor) => {
    const { SessionId } = await fillWishlist(bozor)
    await bozor.wishlist.merge({ SessionId, ClientId: Number((await registerClient(bozor)).id) })
  },
  SharedCartCreated: createSharedCart,
  SharedCartClosed: async (bozor) => {
    const { id, SessionId } = await createSharedCart(bozor)
    await bozor.sharedCarts.delete({ id, SessionId })
  },
  CouponCreated: createCoupon,
  CouponChanged: async (bozor) =>
    bozor.coupons.update({ coupon_id: (await createCoupon(bozor)).coupon.id, active: false }),
  CouponApplied: applyCoupon,
  CouponRemoved: async (bozor) => bozor.cart.removeCoupon({ SessionId: await applyCoupon(bozor) }),
  CouponRedeemed: async (bozor) => orderCart(bozor, await applyCoupon(bozor)),
  CouponReleased: async (bozor) =>
    bozor.orders.cancel({ id: await orderCart(bozor, await applyCoupon(bozor)), reason: 'bozor trigger' }),
  OrdersCreated: placeOrder,
  OrderCancelled: async (bozor) =>
    bozor.orders.cancel({ id: await placeOrder(bozor), reason: 'bozor trigger' }),
  OrderStateChanged: payOrder,
  PaymentReceived: payOrder,
  PaymentRefunded: async (bozor) => bozor.orders.createPaymentRefund(await payOrder(bozor)),
  OrderShipped: shipOrder,
  OrderDelivered: async (bozor) => bozor.orders.deliverFulfilment(await shipOrder(bozor)),
  OrderReturned: returnOrder,
  MandateGranted: grantMandate,
  MandateRevoked: async (bozor) => bozor.mandates.revokeForClient({ mandate_id: await grantMandate(bozor) }),
  ExperimentCreated: createExperiment,
  ExperimentChanged: async (bozor) =>
    bozor.experiments.update({ experiment_id: await createExperiment(bozor), name: 'Changed' }),
  ExperimentDeleted: async (bozor) =>
    bozor.experiments.delete({ experiment_id: await createExperiment(bozor) }),
  TemplateCreated: createTemplate,
  TemplateChanged: async (bozor) =>
    bozor.templates.update({ template_id: await createTemplate(bozor), description: 'Changed' }),
  TemplateDeleted: async (bozor) => bozor.templates.delete({ template_id: await createTemplate(bozor) }),
  WebhookCreated: (bozor) => withWebhook(bozor, async () => {}),
  WebhookDeleted: (bozor) => withWebhook(bozor, async () => {}),
  WebhookChanged: (bozor) =>
    withWebhook(bozor, (webhook_id) => bozor.webhooks.update({ webhook_id, description: 'Changed' })),
  WebhookSecretRotated: (bozor) =>
    withWebhook(bozor, (webhook_id) => bozor.webhooks.rotateSecret({ webhook_id })),
  WebhookDisabled: (bozor) => withWebhook(bozor, (webhook_id) => bozor.webhooks.disable({ webhook_id })),
  WebhookEnabled: (bozor) =>
    withWebhook(bozor, async (webhook_id) => {
      await bozor.webhooks.disable({ webhook_id })
      await bozor.webhooks.enable({ webhook_id })
    }),
  TestClockMoved: async (bozor) => bozor.testClock.advance({ advance: 'PT1S' }),
} satisfies Partial<Record<EventType, Steps>>
