// The cart by product and variant (SPEC-1 4.1): the same cart as by offer. Ids are texts, money carries its currency.

import { Type } from 'typebox'
import { asMoney, timesTiyin } from '../../base/money.ts'
import type { Reader } from '../../base/db.ts'
import { Refusal, refuse } from '../../base/refusal.ts'
import * as catalog from '../../catalog/index.ts'
import { get, post, type Circumstances, type Route } from '../../http/route.ts'
import { flag, idText, instant, integer, list, named, nullable, strict, text } from '../../http/schema.ts'
import { buyerOf, namedByCustomerId } from '../../identity/index.ts'
import { addItems } from '../add-items.ts'
import { type Basket, shownBasket } from '../basket.ts'
import { type Cart, maxLines, type Wish } from '../cart.ts'
import { type Entry, isForSale } from '../purchase.ts'
import { violated } from '../rules.ts'
import type { Shopper, Terms } from '../shopper.ts'
import { findCartById } from '../store/carts.ts'
import { ordinary, quantity, uuidForm } from './buyer.ts'
import { type Reading, totalTiyin, unitsForSale } from './cart-view.ts'
import { ruleRefusals } from './items.ts'

const money = Type.Object({
  amount: integer(0, Number.MAX_SAFE_INTEGER),
  currency: Type.String({ examples: ['UZS'] }),
})

const itemFields = {
  product_id: nullable(idText),
  variant_id: nullable(idText),
  quantity: integer(1, 9_999),
  unit_price: money,
  total: money,
  is_available: flag,
}

const v1Reply = Type.Object({
  cart: named(
    'CartV1',
    Type.Object({
      id: Type.String({ examples: ['019a4b1e-7c52-7d3a-9f10-2b6c8e4d5a77'] }),
      customer_id: Type.String({ examples: ['42'] }),
      items: list(Type.Object({ offer_id: idText, ...itemFields }), maxLines),
      moderated_items: list(Type.Object({ moderated_offer_id: idText, ...itemFields }), maxLines),
      total: money,
      items_count: integer(0, Number.MAX_SAFE_INTEGER),
      created_at: instant,
      updated_at: instant,
    }),
  ),
})

const wishFields = {
  product_id: idText,
  variant_id: Type.Optional(nullable(idText)),
  quantity,
}

function v1View(
  { cart, purchase: { buyer, entries } }: Basket<Cart>,
  { currency }: Pick<Reading, 'currency'>,
) {
  const view = ({ line, offer }: Entry) => {
    const unit = offer?.priceTiyin ?? line.priceAtAddTiyin
    return {
      product_id: offer ? String(offer.productId) : null,
      variant_id: offer && offer.variantId !== null ? String(offer.variantId) : null,
      quantity: line.quantity,
      unit_price: asMoney(unit, currency),
      total: asMoney(timesTiyin(unit, line.quantity), currency),
      is_available: isForSale(offer),
    }
  }
  return {
    cart: {
      id: cart.id,
      customer_id: buyer.kind === 'client' ? String(buyer.clientId) : buyer.sessionId,
      items: entries
        .filter(({ line }) => !line.isModerated)
        .map((it) => ({ offer_id: String(it.line.offerId), ...view(it) })),
      moderated_items: entries
        .filter(({ line }) => line.isModerated)
        .map((it) => ({ moderated_offer_id: String(it.line.offerId), ...view(it) })),
      total: asMoney(totalTiyin(entries), currency),
      items_count: unitsForSale(entries),
      created_at: cart.createdAt.toISOString(),
      updated_at: cart.updatedAt.toISOString(),
    },
  }
}

interface NamedProduct {
  product_id: string
  variant_id?: string | null
  quantity: number
}

/** The offer that a product and a variant mean: the best that is in stock. */
async function wishOf(
  read: Reader,
  it: NamedProduct,
  { region }: Pick<Circumstances, 'region'>,
): Promise<Wish> {
  const productId = Number(it.product_id)
  const variantId = it.variant_id == null ? null : Number(it.variant_id)
  const best = await catalog.bestOffer(read, { productId, variantId, region })
  if (best) return { ...ordinary(best.id), quantity: it.quantity }
  const product = await catalog.findSheet(read, productId)
  if (!product || (variantId !== null && !product.variants.some((one) => one.id === variantId)))
    throw refuse('not_found')
  throw violated([{ code: 'offer_unavailable', remedy: { action: 'remove' } }])
}

/** The buyer whose cart it is, if the caller may act for him; a cart of others is no cart. */
async function shopperBehind(
  read: Reader,
  cartId: string,
  { terms, principal }: { terms: Terms } & Pick<Circumstances, 'principal'>,
): Promise<Shopper> {
  const cart = await findCartById(read, cartId)
  if (!cart) throw refuse('not_found')
  const { buyer } = cart
  const whose = buyer.kind === 'client' ? { clientId: buyer.clientId } : { sessionId: buyer.sessionId }
  try {
    return { terms, buyer: buyerOf(principal!, whose) }
  } catch (error) {
    throw error instanceof Refusal ? refuse('not_found') : error
  }
}

const cartId = Type.String({ pattern: `^${uuidForm}$`, examples: ['019a4b1e-7c52-7d3a-9f10-2b6c8e4d5a77'] })

export const v1CartRoutes = (terms: Terms): Route[] => [
  post('/v1/cart', {
    summary: 'Open a cart, or add to the one that the customer has',
    description:
      'A product and a variant stand for their best offer: in stock, cheapest, of the best rated partner. All items are added, or none.',
    scope: 'cart:write',
    body: strict({
      customer_id: text({ max: 128, description: 'Digits name a client, anything else a session.' }),
      items: Type.Optional(list(strict(wishFields), maxLines)),
    }),
    reply: v1Reply,
    versioned: true,
    refusals: ruleRefusals,
    run: async ({ tx, body, ifMatch, ...call }) => {
      const shopper = { terms, buyer: buyerOf(call.principal!, namedByCustomerId(body.customer_id)) }
      const wishes: Wish[] = []
      for (const it of body.items ?? []) wishes.push(await wishOf(tx, it, call))
      const basket = await addItems(tx, shopper, { wishes, ifMatch })
      return {
        data: v1View(basket, call),
        version: basket.cart.version,
        created: basket.cart.version === 1,
      }
    },
  }),
  get('/v1/cart/{cart_id}', {
    summary: 'Get a cart',
    scope: 'cart:read',
    params: { cart_id: cartId },
    reply: v1Reply,
    refusals: ['not_found'],
    run: async ({ read, params, ...call }) => {
      const shopper = await shopperBehind(read, params.cart_id, { terms, ...call })
      const basket = await shownBasket(read, shopper)
      if (!basket.cart) throw refuse('not_found')
      const shown = basket as Basket<Cart>
      return { data: v1View(shown, call), version: shown.cart.version, isLiving: true }
    },
  }),
  post('/v1/cart/{cart_id}/items', {
    summary: 'Add an item to a cart',
    scope: 'cart:write',
    params: { cart_id: cartId },
    body: strict(wishFields),
    reply: v1Reply,
    versioned: true,
    refusals: ruleRefusals,
    run: async ({ tx, params, body, ifMatch, ...call }) => {
      const shopper = await shopperBehind(tx, params.cart_id, { terms, ...call })
      const wish = await wishOf(tx, body, call)
      const basket = await addItems(tx, shopper, { wishes: [wish], ifMatch })
      return { data: v1View(basket, call), version: basket.cart.version }
    },
  }),
]
