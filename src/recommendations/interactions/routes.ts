// `POST /v1/interactions`.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { instantText } from '../../http/instant.ts'
import { type RequestContext, post, type Route } from '../../http/route.ts'
import { integer, list, oneOf, strict, text } from '../../http/schema.ts'
import { happenedAt, interactionKinds } from './interaction.ts'
import { originalIdentifier, buyerKeyOf } from './aliases.ts'
import { reportInteractions } from './report-interactions.ts'

const maxInteractions = 1_000
const uuidPattern = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

const interaction = strict({
  user_id: text({
    description: 'A client id, a session id, or an external id.',
    examples: ['1'],
  }),
  offer_id: text({ max: 36, description: 'Digits, or the UUID of a moderated offer.', examples: ['1000'] }),
  kind: oneOf(interactionKinds),
  at: Type.Optional(instantText),
  request_id: Type.Optional(
    text({
      max: 36,
      pattern: uuidPattern,
      description: '`X-Recommendation-Id` of the list that led to it.',
      examples: ['019a8f4e-0b6e-7c1d-9a55-3f1f7a0c2d11'],
    }),
  ),
  search_id: Type.Optional(
    text({
      max: 36,
      pattern: uuidPattern,
      description: '`search_id` of the search that led to it. It is counted by query, without the buyer.',
      examples: ['7f0c3c1e-5a8b-8c83-8a63-0d3c1f4a2b5d'],
    }),
  ),
  source: Type.Optional(text({ max: 100 })),
})

export const interactionRoutes: Route[] = [
  post('/v1/interactions', {
    summary: 'Report interactions',
    description:
      'Up to 1,000 interactions per call. Recommendations use them within a second. An interaction that was reported before, or that the shop observed itself within 15 minutes (wishlist, cart, purchase), is stored once. An `at` in the future counts as now: clocks of phones may be wrong, and what a buyer did is not refused for it.',
    scope: 'catalog:read',
    body: strict({ interactions: list(interaction, maxInteractions) }),
    reply: Type.Object({ accepted: integer(0, maxInteractions), new: integer(0, maxInteractions) }),
    run: async ({ tx, body, principal }) => {
      const own = ownKey(principal)
      const times = timesOf(body.interactions, tx.now)
      const added = await reportInteractions(
        tx,
        body.interactions.map((it, at) => ({
          buyer: own ?? buyerKeyOf(it.user_id),
          originalBuyer: own === undefined ? originalIdentifier(it.user_id) : null,
          offer: it.offer_id.toLowerCase(),
          kind: it.kind,
          at: times[at]!,
          requestId: it.request_id ?? null,
          searchId: it.search_id?.toLowerCase() ?? null,
          source: it.source ?? null,
        })),
      )
      return { data: { accepted: body.interactions.length, new: added } }
    },
  }),
]

/** A buyer's own token reports for that buyer alone. */
const ownKey = (principal: RequestContext['principal']): string | undefined =>
  principal?.actor.kind === 'client' ? String(principal.actor.clientId) : undefined

/** When the interactions happened: now, if a phone's clock says later. Refuses all malformed times at once. */
function timesOf(sent: readonly { at?: string }[], now: Date): Date[] {
  const times = sent.map((it) => (it.at === undefined ? now : happenedAt(it.at, now)))
  const fields = times.flatMap((it, at) =>
    it instanceof Date || it.rule === 'past' ? [] : [{ path: `interactions.${at}.at`, ...it }],
  )
  if (fields.length > 0) throw refuse('validation_failed', { fields })
  return times.map((it) => (it instanceof Date ? it : now))
}
