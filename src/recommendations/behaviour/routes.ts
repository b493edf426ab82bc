// What clients report of their buyers.

import { Type } from 'typebox'
import { instantOf, instantText } from '../../http/instant.ts'
import { type Circumstances, post, type Route } from '../../http/route.ts'
import { integer, list, oneOf, strict, text } from '../../http/schema.ts'
import { kinds } from './interaction.ts'
import { spelledName, toldName } from './names.ts'
import { reportInteractions } from './report-interactions.ts'

const mostAtOnce = 1_000
const uuidForm = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

const interaction = strict({
  user_id: text({
    description: 'A client’s id, a session’s, or a name from outside.',
    examples: ['1'],
  }),
  offer_id: text({ max: 36, description: 'Digits, or the UUID of a moderated offer.', examples: ['1000'] }),
  kind: oneOf(kinds),
  at: Type.Optional(instantText),
  request_id: Type.Optional(
    text({
      max: 36,
      pattern: uuidForm,
      description: '`X-Recommendation-Id` of the list that led to it.',
      examples: ['019a8f4e-0b6e-7c1d-9a55-3f1f7a0c2d11'],
    }),
  ),
  source: Type.Optional(text({ max: 100 })),
})

export const interactionRoutes: Route[] = [
  post('/v1/interactions', {
    summary: 'Report what buyers did',
    description:
      'Up to a thousand at once. Recommendations use them within a second. What was reported before, or was seen by the shop itself within a quarter of an hour (a wish, something put into the cart, a purchase), is kept once. An `at` in the future counts as now.',
    scope: 'catalog:read',
    body: strict({ interactions: list(interaction, mostAtOnce) }),
    reply: Type.Object({ accepted: integer(0, mostAtOnce), new: integer(0, mostAtOnce) }),
    run: async ({ tx, body, principal }) => {
      const own = ownName(principal)
      const added = await reportInteractions(
        tx,
        body.interactions.map((it, at) => ({
          buyer: own ?? toldName(it.user_id),
          spelled: own === undefined ? spelledName(it.user_id) : null,
          offer: it.offer_id.toLowerCase(),
          kind: it.kind,
          at: it.at === undefined ? tx.now : doneAt(instantOf(it.at, `interactions.${at}.at`), tx.now),
          requestId: it.request_id ?? null,
          source: it.source ?? null,
        })),
      )
      return { data: { accepted: body.interactions.length, new: added } }
    },
  }),
]

/** Whoever calls for himself reports of himself alone. */
const ownName = (principal: Circumstances['principal']): string | undefined =>
  principal?.actor.kind === 'client' ? String(principal.actor.clientId) : undefined

/** Nobody reports what he will do: a clock that is ahead of ours means now. */
const doneAt = (said: Date, now: Date): Date => (said > now ? now : said)
