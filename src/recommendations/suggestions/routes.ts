// Suggestions while typing, for a known buyer.

import { Type } from 'typebox'
import {
  type Catalog,
  defaultSuggestions,
  suggestionsReply,
  suggestionsView,
  suggestParameters,
} from '../../catalog/index.ts'
import { get, type Route } from '../../http/route.ts'
import { text } from '../../http/schema.ts'
import { loadHistory } from '../interactions/history.ts'

export const suggestionRoutes = (catalog: Catalog): Route[] => [
  get('/v1/recommendations/suggestions', {
    summary: 'Suggest completions to a buyer',
    description:
      'The suggestions of `/v1/catalog/products/suggest`. Among those that match alike, the categories of what the buyer looked at come first. A buyer’s own token needs no `user_id`.',
    scope: 'catalog:read',
    query: Type.Object(
      {
        ...suggestParameters,
        user_id: Type.Optional(
          text({ description: 'A client id, a session id, or an external id.', examples: ['1'] }),
        ),
      },
      { additionalProperties: false },
    ),
    reply: suggestionsReply,
    shed: 'first',
    run: async ({ read, query, environment, language, region, principal }) => {
      const own = principal?.actor.kind === 'client' ? String(principal.actor.clientId) : query.user_id
      const history = await loadHistory(read, own === undefined ? [] : [own])
      const found = await catalog.indexes[environment].suggest(query.q, {
        language,
        region,
        limit: query.limit ?? defaultSuggestions,
        withProducts: true,
        favoured: history?.interactions.flatMap((it) => it.productId ?? []) ?? [],
      })
      return { data: { suggestions: await suggestionsView(read, found, language) } }
    },
  }),
]
