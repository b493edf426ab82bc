// The cart in the short form that the mini-app shows (SPEC-2 4.2): other shapes, the same cart and the same rules.

import { Type } from 'typebox'
import { offerImages } from '../../catalog/index.ts'
import { inLanguage } from '../../http/language.ts'
import { del, get, post, type Route } from '../../http/route.ts'
import { id, integer, list, named, strict } from '../../http/schema.ts'
import { addItems } from '../add-items.ts'
import { type Basket, shownBasket } from '../basket.ts'
import { removeItem } from '../remove-items.ts'
import type { Terms } from '../shopper.ts'
import { buyerFields, buyerQuery, ordinary, quantity, shopperOf } from './buyer.ts'
import { inCurrency, type Reading, totalTiyin, unitsForSale } from './cart-view.ts'
import { cartRefusals, ruleRefusals } from './items.ts'

const amount = Type.Number({ minimum: 0, examples: [1_299_000] })

const miniReply = named(
  'MiniAppCart',
  Type.Object({
    Items: list(
      Type.Object({
        OfferId: id,
        Title: Type.String(),
        Price: amount,
        Quantity: integer(1, 9_999),
        ImageUrl: Type.String(),
      }),
      200,
    ),
    TotalAmount: amount,
    TotalItemsCount: integer(0, Number.MAX_SAFE_INTEGER),
  }),
)

/** Moderated items have no place in it, so they count in no total of it. */
function miniView({ purchase }: Basket, { language, currency, origin }: Reading) {
  const entries = purchase.entries.filter(({ line }) => !line.isModerated)
  return {
    Items: entries.map(({ line, offer }) => ({
      OfferId: line.offerId,
      Title: offer ? inLanguage(offer.name, language) : '',
      Price: inCurrency(offer?.priceTiyin ?? line.priceAtAddTiyin, currency),
      Quantity: line.quantity,
      ImageUrl: offer ? offerImages(offer, origin)[0]!.mdPath : '',
    })),
    TotalAmount: inCurrency(totalTiyin(entries), currency),
    TotalItemsCount: unitsForSale(entries),
  }
}

export const miniAppRoutes = (terms: Terms): Route[] => [
  post('/api/cart/mini-app/items', {
    summary: 'Add an item',
    scope: 'cart:write',
    body: strict({
      OfferId: id,
      Quantity: quantity,
      LoanConditionId: Type.Optional(id),
      ...buyerFields,
    }),
    reply: miniReply,
    versioned: true,
    refusals: ruleRefusals,
    run: async ({ tx, body, ifMatch, ...call }) => {
      const wish = {
        ...ordinary(body.OfferId),
        quantity: body.Quantity,
        loanConditionId: body.LoanConditionId,
      }
      const basket = await addItems(tx, shopperOf(terms, call, body), { wishes: [wish], ifMatch })
      return { data: miniView(basket, call), version: basket.cart.version }
    },
  }),
  get('/api/cart/mini-app/items', {
    summary: 'View the cart',
    scope: 'cart:read',
    query: buyerQuery,
    reply: miniReply,
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, query, ...call }) => {
      const basket = await shownBasket(read, shopperOf(terms, call, query))
      return { data: miniView(basket, call), version: basket.cart?.version ?? 0, isLiving: true }
    },
  }),
  del('/api/cart/mini-app/items/{offerId}', {
    summary: 'Remove an item',
    scope: 'cart:write',
    params: { offerId: id },
    query: buyerQuery,
    body: strict(buyerFields),
    reply: miniReply,
    versioned: true,
    refusals: [...cartRefusals, 'not_found'],
    run: async ({ tx, params, query, body, ifMatch, ...call }) => {
      const shopper = shopperOf(terms, call, query, body)
      const basket = await removeItem(tx, shopper, { key: ordinary(params.offerId), ifMatch })
      return { data: miniView(basket, call), version: basket.cart?.version ?? 0 }
    },
  }),
]
