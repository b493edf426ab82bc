import { dayMs } from '../../src/base/clock.ts'
import { signatureOf, testCards } from '../../src/orders/payments/test-acquirer.ts'
import type { Bozor } from '../../src/sdk/index.ts'
import { password } from '../support/oauth.ts'
import { eventually } from './recorder.ts'
import type { Steps } from './steps.ts'

const contact = { Name: 'Aziza Karimova', Phone: '+998 90 123-45-67' }
const card = { number: '8600000000000015', expiry_month: 12, expiry_year: 2030, cvc: '123' }

export async function buyingSteps(steps: Steps): Promise<void> {
  const { bozor } = steps
  await bozor.auth.createGuestSession()
  const guest = 'guest-4071'
  const [first, second] = await affordableOffers(steps)
  await couponSteps(steps, first!)
  await cartSteps(steps, { guest, offers: [first!, second!] })
  await miniAppSteps(steps, first!)
  await wishlistSteps(steps, first!)
  await sharedCartSteps(steps, first!)
  await orderSteps(steps, first!)
  await instalmentSteps(steps)
  await reviewSteps(steps, first!)
  await mandateSteps(steps, second!)
  await bozor.limits.get()
  const limits = (await bozor.limits.get()).limits
  await bozor.limits.replace({
    daily_amount_tiyin: limits.daily_amount_tiyin,
    product_units_per_order: limits.product_units_per_order,
    product_units_per_30_days: limits.product_units_per_30_days,
    credit_tiyin: limits.credit_tiyin,
    guest_units_per_product: limits.guest_units_per_product,
    guest_amount_tiyin: limits.guest_amount_tiyin,
    guest_authorization_tiyin: limits.guest_authorization_tiyin,
  })
  await bozor.limits.update({ guest_units_per_product: limits.guest_units_per_product })
}

/** Cheap offers in stock, so that no limit is in the way. */
async function affordableOffers({ bozor }: Steps): Promise<number[]> {
  const { items } = await bozor.offers.list({
    in_stock: true,
    is_active: true,
    is_visible: true,
    price_min: 5_000_000,
    price_max: 40_000_000,
    per_page: 50,
  })
  const shown = items.filter((it) => it.quantity >= 10 && it.variant_id === null)
  return shown.map((it) => Number(it.id))
}

async function couponSteps({ bozor }: Steps, OfferId: number): Promise<void> {
  const { coupon } = await bozor.coupons.create({ code: 'NAVRUZ10', percent: 10 })
  const { items } = await bozor.coupons.list({ per_page: 2 })
  await bozor.coupons.get({ coupon_id: items.find((it) => it.id !== coupon.id)!.id })
  await bozor.coupons.update({ coupon_id: coupon.id, min_amount_tiyin: 1_000_000 })
  const Code = 'SALOM10'
  const ClientId = 41
  await bozor.cart.addItem({ ClientId, OfferId, Quantity: 1 })
  await bozor.cart.applyCoupon({ ClientId, Code })
  await bozor.cart.removeCoupon({ ClientId })
  await bozor.miniAppCart.applyCoupon({ ClientId, Code })
  await bozor.miniAppCart.removeCoupon({ ClientId })
  const { product_id } = (await bozor.offers.get({ offer_id: String(OfferId) })).offer
  const { cart } = await bozor.carts.create({ customer_id: '42', items: [{ product_id, quantity: 1 }] })
  await bozor.carts.applyCoupon({ cart_id: cart.id, code: Code })
  await bozor.carts.removeCoupon({ cart_id: cart.id })
}

async function cartSteps(
  { bozor }: Steps,
  { guest: SessionId, offers: [first, second] }: { guest: string; offers: [number, number] },
): Promise<void> {
  await bozor.cart.addItem({ SessionId, OfferId: first, Quantity: 1 })
  await bozor.cart.addItem({ SessionId, OfferId: second, Quantity: 1 })
  await bozor.cart.get({ SessionId })
  await bozor.cart.listDeliveryMethods({ SessionId, Region: 'UZ-TK' })
  await bozor.cart.setQuantity({ SessionId, OfferId: first, NewQuantity: 2 })
  await bozor.cart.removeItem({ SessionId, offerId: second })
  const ClientId = 44
  await bozor.cart.merge({ ClientId, SessionId, Strategy: 'max' })
  const moderated = (await bozor.moderatedOffers.list({ status: 'approved', in_stock: true })).items.find(
    (it) => it.quantity >= 2 && it.is_active && it.is_visible,
  )!
  const ModeratedOfferId = Number(moderated.id)
  await bozor.cart.addModeratedItem({ ClientId, ModeratedOfferId, Quantity: 1 })
  await bozor.cart.setModeratedQuantity({ ClientId, ModeratedOfferId, NewQuantity: 2 })
  await bozor.cart.setModeratedLoanCondition({ ClientId, ModeratedOfferId, LoanConditionId: null })
  await bozor.cart.removeModeratedItem({ ClientId, moderatedOfferId: ModeratedOfferId })
  await bozor.cart.addItem({ ClientId, OfferId: second, Quantity: 1 })
  await bozor.cart.removeItems({ ClientId, OfferIds: [second] })
  await bozor.cart.clear({ ClientId })

  const { items: products } = await bozor.products.search({ q: 'tea', in_stock: true })
  const cart = await bozor.carts.create({
    customer_id: '43',
    items: [{ product_id: products[0]!.id, quantity: 1 }],
  })
  await bozor.carts.get({ cart_id: cart.cart.id })
  await bozor.carts.addItem({ cart_id: cart.cart.id, product_id: products[1]!.id, quantity: 1 })
  await bozor.carts.listDeliveryMethods({ cart_id: cart.cart.id, region: 'UZ-TK' })
  await bozor.orders.create({
    cart_id: cart.cart.id,
    payment_method_id: 1,
    delivery_address: 'Toshkent, Amir Temur 1',
    contact: { name: contact.Name, phone: contact.Phone },
  })
}

async function miniAppSteps({ bozor }: Steps, OfferId: number): Promise<void> {
  const buyer = { ClientId: 11 }
  await bozor.miniAppCart.addItem({ ...buyer, OfferId, Quantity: 1 })
  await bozor.miniAppCart.get(buyer)
  await bozor.miniAppCart.listDeliveryMethods(buyer)
  await bozor.miniAppCart.removeItem({ ...buyer, offerId: OfferId })
  await bozor.miniAppCart.addItem({ ...buyer, OfferId, Quantity: 1 })
  await bozor.miniAppCart.order({
    ...buyer,
    PaymentMethodId: 1,
    DeliveryAddress: 'Buxoro, Ark 2',
    Contact: contact,
  })
}

async function wishlistSteps({ bozor }: Steps, OfferId: number): Promise<void> {
  const SessionId = 'guest-4072'
  await bozor.wishlist.addOffer({ SessionId, OfferId })
  await bozor.wishlist.get({ SessionId })
  await bozor.wishlist.merge({ SessionId, ClientId: 12 })
  await bozor.wishlist.removeOffer({ ClientId: 12, offerId: OfferId })
  await bozor.wishlist.addOffer({ ClientId: 12, OfferId })
  await bozor.wishlist.removeAnyOffer({ ClientId: 12, OfferId })
}

async function sharedCartSteps({ bozor }: Steps, OfferId: number): Promise<void> {
  const creator = { ClientId: 13 }
  const shared = await bozor.sharedCarts.create({
    ...creator,
    Title: 'Birthday of Malika',
    ParticipantIds: [14],
    Items: [{ OfferId, Quantity: 1 }],
  })
  const id = shared.Id
  await bozor.sharedCarts.get({ id, ...creator })
  await bozor.sharedCarts.count(creator)
  const { JoinToken } = await bozor.sharedCarts.createJoinToken({ id, ...creator })
  await bozor.sharedCarts.join({ id, ClientId: 15, ...(JoinToken && { Token: JoinToken }) })
  await bozor.sharedCarts.addItem({ id, ClientId: 15, OfferId, Quantity: 1 })
  await bozor.sharedCarts.setQuantity({ id, ClientId: 15, OfferId, NewQuantity: 2 })
  await bozor.sharedCarts.removeItem({ id, ClientId: 15, offerId: OfferId })
  await bozor.sharedCarts.copyToCart({ id, ...creator })
  const other = await bozor.sharedCarts.create({ ...creator, Items: [{ OfferId, Quantity: 1 }] })
  await bozor.sharedCarts.removeAnyItem({ id: other.Id, ...creator, OfferId })
  await bozor.sharedCarts.delete({ id: other.Id, ...creator })
}

/** Orders one offer and returns the id of the order. */
async function ordered({ bozor }: Steps, ClientId: number, OfferId: number): Promise<number> {
  await bozor.cart.addItem({ ClientId, OfferId, Quantity: 2 })
  const { OrderIds } = await bozor.cart.order({
    ClientId,
    PaymentMethodId: 1,
    DeliveryAddress: 'Toshkent, Amir Temur 1',
    Contact: contact,
  })
  return OrderIds[0]!
}

async function orderSteps(steps: Steps, offer: number): Promise<void> {
  const { bozor } = steps
  const id = await ordered(steps, 21, offer)
  await bozor.cart.addItem({ ClientId: 22, OfferId: offer, Quantity: 1 })
  await bozor.cart.orderItems({
    ClientId: 22,
    PaymentMethodId: 1,
    OfferIds: [offer],
    DeliveryAddress: 'Samarqand, Registon 5',
    Contact: contact,
  })
  await bozor.orders.list({ customer_id: '21', per_page: 2 })
  await bozor.orders.get({ id })
  await bozor.orders.getAllowance({ customer_id: '21' })
  await bozor.orders.getMetrics({})
  const { payment } = await bozor.orders.createPayment({ id, kind: 'card', card, capture: 'manual' })
  const paymentId = payment.id
  const statusOf = async (of: string) =>
    (await bozor.orders.listPayments({ id })).payments.find((it) => it.id === of)!.status
  const reached = (of: string, wanted: string) =>
    eventually(`a payment that is ${wanted}`, async () => {
      if ((await statusOf(of)) !== wanted) throw new Error(await statusOf(of))
    })
  await reached(paymentId, 'authorised')
  await bozor.orders.capturePayment({ id, paymentId })
  await reached(paymentId, 'captured')

  const { fulfilment } = await bozor.orders.createFulfilment({ id })
  const fulfilmentId = fulfilment.id
  await bozor.orders.shipFulfilment({ id, fulfilmentId, carrier: 'BTS', tracking_number: 'BTS-40021-7' })
  await bozor.orders.deliverFulfilment({ id, fulfilmentId })
  await bozor.orders.listFulfilments({ id })
  const refused = await bozor.orders.createReturn({
    id,
    lines: [{ line: 1, quantity: 1 }],
    reason: 'Too small',
  })
  await bozor.orders.rejectReturn({ id, returnId: refused.return.id, reason: 'The seal is broken.' })
  const accepted = await bozor.orders.createReturn({
    id,
    lines: [{ line: 1, quantity: 1 }],
    reason: 'Damaged',
  })
  await bozor.orders.receiveReturn({ id, returnId: accepted.return.id, restock: true })
  await bozor.orders.listReturns({ id })
  await bozor.orders.createPaymentRefund({ id, paymentId, amount: 100_000, reason: 'Late delivery' })
  await bozor.orders.listEvents({ id })

  const cancelled = await ordered(steps, 23, offer)
  const held = await bozor.orders.createPayment({ id: cancelled, kind: 'card', card, capture: 'manual' })
  await eventually('an authorised payment', () =>
    bozor.orders.voidPayment({ id: cancelled, paymentId: held.payment.id }),
  )
  const prepared = await bozor.orders.createFulfilment({ id: await paidOrder(steps, offer) })
  await bozor.orders.cancelFulfilment({ id: prepared.order.id, fulfilmentId: prepared.fulfilment.id })
  await callbackSteps(steps, await ordered(steps, 25, offer))
  await bozor.orders.cancel({ id: cancelled, reason: 'The buyer changed their mind.' })
  await bozor.orders.toCart({ id: cancelled })
}

/** The acquirer reports that the buyer approved a payment, signed as the test acquirer signs. */
async function callbackSteps({ bozor }: Steps, id: number): Promise<void> {
  const { payment } = await bozor.orders.createPayment({
    id,
    kind: 'card',
    card: { ...card, number: testCards.approved.number },
  })
  const callback = { id: 'cb-40021', payment_id: payment.id, status: 'captured' }
  await bozor.orders.receiveCallback(
    { acquirer: 'test', ...callback },
    { headers: { 'X-Test-Signature': signatureOf(JSON.stringify(callback)) } },
  )
}

/** A client who is signed in with a session of their own. */
async function signedIn(
  { recorder, apiKey }: Steps,
  phone: string,
): Promise<{ buyer: Bozor; clientId: number }> {
  const cookies = new Map<string, string>()
  const application = recorder.client({ apiKey }, cookies)
  const { client } = await application.auth.register({ name: 'Nodira Rahimova', phone, password })
  return { buyer: recorder.client({}, cookies), clientId: Number(client.id) }
}

async function reviewSteps(steps: Steps, offer: number): Promise<void> {
  const { bozor } = steps
  const { buyer } = await signedIn(steps, '+998935550301')
  const { product_id } = (await bozor.offers.get({ offer_id: offer })).offer
  const { review } = await buyer.auth.replaceReview({ product_id, stars: 5, text: 'Fits well.' })
  await buyer.auth.listReviews()
  await bozor.reviews.list({ status: 'pending', per_page: 2 })
  await bozor.reviews.decide({ review_id: Number(review.id), approved: true })
  await bozor.products.listReviews({ product_id })
  await buyer.auth.deleteReview({ product_id })
}

/** An agent orders once with the confirmation of the client. */
async function mandateSteps(steps: Steps, OfferId: number): Promise<void> {
  const { bozor, recorder } = steps
  const { buyer, clientId: ClientId } = await signedIn(steps, '+998935550302')
  const { application, api_key: apiKey } = await bozor.applications.create({
    name: 'Shopping agent',
    type: 'server',
    scopes: ['catalog:read', 'cart:read', 'cart:write', 'orders:read', 'orders:write'],
  })
  const limits = {
    application_id: application.client_id,
    budget: { amount: 100_000_000, currency: 'UZS' as const },
    expires_at: new Date(steps.app.shops.test.clock.now().getTime() + 30 * dayMs).toISOString(),
  }
  const { mandate } = await buyer.mandates.create({ ...limits, name: 'Groceries' })
  const agent = recorder.client({ apiKey: apiKey! })
  const cart = await agent.cart.addItem({ ClientId, OfferId, Quantity: 1 })
  const total = { amount: 50_000_000, currency: 'UZS' as const }
  await buyer.mandates.confirmOrder({ mandate_id: mandate.id, cart_version: cart.Version, total })
  await agent.cart.order({
    ClientId,
    PaymentMethodId: 1,
    DeliveryAddress: 'Toshkent, Amir Temur 1',
    MandateId: mandate.id,
  })
  await agent.mandates.list({ per_page: 2 })
  await agent.mandates.get({ mandate_id: mandate.id })
  await buyer.mandates.revoke({ mandate_id: mandate.id })
  const made = await bozor.mandates.createForClient({ customer_id: ClientId, ...limits })
  await bozor.mandates.revokeForClient({ mandate_id: made.mandate.id })
  await bozor.mandates.listAll({ per_page: 2 })
}

async function paidOrder(steps: Steps, offer: number): Promise<number> {
  const id = await ordered(steps, 24, offer)
  await steps.bozor.orders.createPayment({ id, kind: 'cash' })
  return id
}

async function instalmentSteps({ bozor }: Steps): Promise<void> {
  const { items } = await bozor.offers.list({
    in_stock: true,
    is_active: true,
    is_visible: true,
    price_min: 20_000_000,
    price_max: 200_000_000,
    per_page: 100,
  })
  for (const it of items) {
    const cart = await bozor.cart.addItem({ ClientId: 31, OfferId: Number(it.id), Quantity: 1 })
    const conditions = cart.Items.find((line) => line.OfferId === Number(it.id))!.LoanConditions
    const [condition] = conditions ?? []
    if (condition) {
      await bozor.cart.setLoanCondition({
        ClientId: 31,
        OfferId: Number(it.id),
        LoanConditionId: condition.Id,
      })
      return
    }
    await bozor.cart.clear({ ClientId: 31 })
  }
  throw new Error('no offer of the demo shop is sold in instalments')
}
