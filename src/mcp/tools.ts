// The tools of the MCP server. A description says what the tool is for, its limits and what refuses it.

import { Type } from 'typebox'
import { integer, oneOf, strict, text } from '../http/schema.ts'
import { orderTool } from './order-tool.ts'
import {
  cartView,
  customerOf,
  foundView,
  mandatesOf,
  mandateView,
  orderOf,
  orderView,
  productView,
} from './shop.ts'
import { type Tool, tool } from './tool.ts'

const reads = { readOnlyHint: true, openWorldHint: false }
const changes = { readOnlyHint: false, destructiveHint: false, openWorldHint: false }

const maxFound = 20
const maxListed = 20
const maxText = 256
const maxQuantity = 9_999

const offerId = integer(1, Number.MAX_SAFE_INTEGER, {
  description: 'The offer, from search_products or get_product.',
})
const sums = (description: string) => Type.Number({ minimum: 0, maximum: 1e13, description })
const few = { default: 10, description: 'How many.' }
const defaultCount = 10
const prices = 'Prices are in sums (UZS).'

const searchProducts = tool({
  name: 'search_products',
  title: 'Search products',
  description: `Finds products by words in Russian, Uzbek or English, with filters. ${prices} At most ${maxFound} products a call; ask for the next page for more. Use best_offer_id with add_to_cart.`,
  input: strict({
    query: Type.Optional(text({ max: maxText, description: 'Words; leave out to browse by filters.' })),
    category_id: Type.Optional(text({ max: 20, examples: ['3'] })),
    price_min: Type.Optional(sums('In sums.')),
    price_max: Type.Optional(sums('In sums.')),
    in_stock: Type.Optional(Type.Boolean({ default: true })),
    sort: Type.Optional(
      oneOf(['relevance', 'price', '-price', '-popularity', '-rating'], {
        description: 'Default relevance.',
      }),
    ),
    page: Type.Optional(integer(1, 100, { default: 1 })),
    count: Type.Optional(integer(1, maxFound, few)),
  }),
  hints: reads,
  run: async ({ bozor }, input) => {
    const { data } = await bozor.products.search({
      ...(input.query !== undefined && { q: input.query }),
      ...(input.category_id !== undefined && { category_id: input.category_id }),
      ...(input.price_min !== undefined && { price_min: Math.round(input.price_min * 100) }),
      ...(input.price_max !== undefined && { price_max: Math.round(input.price_max * 100) }),
      in_stock: input.in_stock ?? true,
      // Without words there is nothing to be relevant to.
      sort: input.sort ?? (input.query === undefined ? '-popularity' : 'relevance'),
      page: input.page ?? 1,
      per_page: input.count ?? defaultCount,
    })
    const { products, pagination, did_you_mean } = data
    return { products: products.map(foundView), total: pagination.total, page: pagination.page, did_you_mean }
  },
})

const getProduct = tool({
  name: 'get_product',
  title: 'Get a product',
  description: `The description of a product with its variants and offers: who sells it, for how much, how many are available, and in how many instalments. ${prices}`,
  input: strict({ product_id: text({ max: 20, description: 'From search_products.', examples: ['134'] }) }),
  hints: reads,
  run: async ({ bozor }, { product_id }) => productView((await bozor.products.get({ product_id })).product),
})

const recommend = tool({
  name: 'get_recommendations',
  title: 'Get recommendations',
  description: `Offers that suit the buyer, or that go with given offers. ${prices} At most ${maxFound}.`,
  input: strict({
    offer_ids: Type.Optional(
      Type.Array(offerId, {
        maxItems: 50,
        description: 'Offers that the buyer looks at or has in the cart.',
      }),
    ),
    count: Type.Optional(integer(1, maxFound, few)),
  }),
  hints: reads,
  run: async ({ bozor, userId }, { offer_ids = [], count = defaultCount }) => {
    const { offers } = await bozor.recommendations.forBuyer({
      user_id: userId ?? 'agent',
      from_app: 'mcp',
      from_layer: offer_ids.length > 0 ? 'cart_page' : 'main_page',
      ...(offer_ids.length > 0 && { offer_ids: offer_ids.map(String) }),
    })
    return {
      offers: offers.slice(0, count).map((it) => ({
        // Moderated offers have a UUID.
        offer_id: /^\d+$/.test(String(it.offer_id)) ? Number(it.offer_id) : it.offer_id,
        name: it.name,
        price: it.price,
        old_price: it.old_price,
        available: it.quantity,
        partner: it.partner.name,
      })),
    }
  },
})

const viewCart = tool({
  name: 'view_cart',
  title: 'View the cart',
  description: `The buyer's cart: lines, total, cart_version and payment methods. ${prices} A line that is not available is outside the total and is not ordered. The total is without delivery.`,
  input: strict({}),
  hints: reads,
  run: async ({ bozor, buyer }) => cartView(await bozor.cart.get(buyer)),
})

const addToCart = tool({
  name: 'add_to_cart',
  title: 'Add to the cart',
  description: `Adds units of an offer to the buyer's cart; adding it again adds up. Refused beyond the stock and the purchase limits of the buyer: the refusal names the quantity that is allowed. At most ${maxQuantity} units a line and 200 lines. Nothing is ordered.`,
  input: strict({ offer_id: offerId, quantity: Type.Optional(integer(1, maxQuantity, { default: 1 })) }),
  hints: changes,
  run: async ({ bozor, buyer }, { offer_id, quantity = 1 }) =>
    cartView(await bozor.cart.addItem({ ...buyer, OfferId: offer_id, Quantity: quantity })),
})

const removeFromCart = tool({
  name: 'remove_from_cart',
  title: 'Remove from the cart',
  description: "Removes an offer from the buyer's cart, or lowers its quantity.",
  input: strict({
    offer_id: offerId,
    keep: Type.Optional(
      integer(0, maxQuantity, { default: 0, description: 'How many units stay; 0 removes the line.' }),
    ),
  }),
  hints: { ...changes, destructiveHint: true, idempotentHint: true },
  run: async ({ bozor, buyer }, { offer_id, keep = 0 }) =>
    cartView(
      keep === 0
        ? await bozor.cart.removeItem({ ...buyer, offerId: offer_id })
        : await bozor.cart.setQuantity({ ...buyer, OfferId: offer_id, NewQuantity: keep }),
    ),
})

const listDeliveryMethods = tool({
  name: 'list_delivery_methods',
  title: 'List delivery methods',
  description: `How each partner of the cart delivers to a region, with prices and promised days. ${prices}`,
  input: strict({
    region: text({ max: 10, description: 'ISO 3166-2; UZ-TK is the city of Tashkent.', examples: ['UZ-TK'] }),
  }),
  hints: reads,
  run: ({ bozor, buyer }, { region }) =>
    bozor.cart.listDeliveryMethods({ ...buyer, Region: region as 'UZ-TK' }),
})

const listMandates = tool({
  name: 'list_mandates',
  title: 'List mandates',
  description:
    'What the buyer lets you order: budget and what is left of it (in sums, delivery included), allowed categories with all below them (empty: all), expiry, and whether the buyer confirms each order. Only the buyer grants, confirms and revokes.',
  input: strict({}),
  hints: reads,
  run: async (shop) => ({ mandates: (await mandatesOf(shop)).map(mandateView) }),
})

const listOrders = tool({
  name: 'list_orders',
  title: 'List orders',
  description: `The latest orders of the buyer, at most ${maxListed}. ${prices}`,
  input: strict({ count: Type.Optional(integer(1, maxListed, few)) }),
  hints: reads,
  run: async (shop, { count = defaultCount }) => {
    const { items } = await shop.bozor.orders.list({ ...(await customerOf(shop)), per_page: count })
    return { orders: items.map(orderView) }
  },
})

const getOrderStatus = tool({
  name: 'get_order_status',
  title: 'Get the status of an order',
  description: 'Status, payment, delivery and lines of an order of the buyer.',
  input: strict({ order_id: text({ max: 20, description: 'From order or list_orders.', examples: ['4'] }) }),
  hints: reads,
  run: async (shop, { order_id }) => orderView(await orderOf(shop, order_id)),
})

export const tools: readonly Tool[] = [
  searchProducts,
  getProduct,
  recommend,
  viewCart,
  addToCart,
  removeFromCart,
  listDeliveryMethods,
  listMandates,
  tool(orderTool),
  listOrders,
  getOrderStatus,
]
