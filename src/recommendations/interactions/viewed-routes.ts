// `GET /v1/recommendations/recently-viewed`.

import { Type } from 'typebox'
import { get, type Route } from '../../http/route.ts'
import { idText, instant, integer, list, named, text } from '../../http/schema.ts'
import { buyerOf, fieldForBoth, namedByCustomerId } from '../../identity/index.ts'
import { loadHistory } from './history.ts'
import { viewedProducts } from './viewed-products.ts'

const maxViewed = 50
const defaultViewed = 12

const viewed = named(
  'ViewedProduct',
  Type.Object({
    product_id: idText,
    offer_id: Type.String({ description: 'Digits, or the UUID of a moderated offer.', examples: ['1000'] }),
    viewed_at: instant,
  }),
)

export const viewedRoutes: Route[] = [
  get('/v1/recommendations/recently-viewed', {
    summary: 'List recently viewed products',
    description:
      'Products of the last reported views and clicks of a buyer, each once, the newest first. A client is named by the own token; keys of web and mobile applications may name guests only. After a guest signs in, the views of both belong to the client.',
    scope: 'cart:read',
    query: Type.Object(
      {
        customer_id: Type.Optional(
          text({ max: 128, description: 'Digits are a client id, anything else is a session id.' }),
        ),
        limit: Type.Optional(integer(1, maxViewed, { default: defaultViewed })),
      },
      { additionalProperties: false },
    ),
    reply: Type.Object({ products: list(viewed, maxViewed) }),
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, query, principal }) => {
      const who = query.customer_id === undefined ? {} : namedByCustomerId(query.customer_id)
      const buyer = buyerOf(principal!, who, fieldForBoth('customer_id'))
      const identifier = buyer.kind === 'client' ? String(buyer.clientId) : buyer.sessionId
      const history = await loadHistory(read, [identifier])
      const found = history ? viewedProducts(history, query.limit ?? defaultViewed) : []
      return {
        data: {
          products: found.map((it) => ({
            product_id: String(it.productId),
            offer_id: it.offer,
            viewed_at: it.viewedAt.toISOString(),
          })),
        },
        isVolatile: true,
      }
    },
  }),
]
