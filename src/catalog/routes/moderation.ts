// The way of a moderated offer, and its history.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { get, post, type Principal, type Route } from '../../http/route.ts'
import { id, instant, list, name, nullable, oneOf, strict } from '../../http/schema.ts'
import { decideModeration } from '../decide-moderation.ts'
import { moderationStatuses } from '../goods.ts'
import type { ModerationStep } from '../moderation.ts'
import { stepsOf } from '../store/moderation.ts'
import { findMany } from '../store/table.ts'
import * as tables from '../store/tables.ts'
import { moderatedOffers } from './paths.ts'
import { moderatedOfferReply } from './views.ts'

const status = oneOf(moderationStatuses)
const reason = name(1_000, 'The picture shows another phone')

const step = (name: ModerationStep, summary: string, body: Record<string, Type.TSchema>): Route =>
  post(`/v1/catalog/moderated-offers/{moderated_offer_id}/${name}`, {
    summary,
    scope: 'catalog:write',
    params: { moderated_offer_id: id },
    body: strict(body),
    reply: Type.Object({ moderated_offer: moderatedOfferReply }),
    versioned: true,
    refusals: ['invalid_transition'],
    run: async ({ tx, params, body: sent, ifMatch, ...call }) => {
      const given = (sent as { reason?: string }).reason ?? null
      const by = whoIs(call.principal!)
      const offer = await decideModeration(tx, {
        id: params.moderated_offer_id,
        step: name,
        reason: given,
        by,
        ifMatch,
      })
      const [shown] = await moderatedOffers.show(tx, [offer], { ...call, ifMatch })
      return { data: { moderated_offer: shown } as never, version: offer.version }
    },
  })

const whoIs = ({ actor, application, id: credential }: Principal): string =>
  actor.kind === 'member' ? `member/${actor.memberId}` : `application/${application?.id ?? credential}`

export const moderationRoutes: Route[] = [
  step('submit', 'Ask for a moderated offer to be looked at', {}),
  step('approve', 'Approve a moderated offer', {}),
  step('reject', 'Reject a moderated offer', { reason }),
  get('/v1/catalog/moderated-offers/{moderated_offer_id}/history', {
    summary: 'What was decided of a moderated offer',
    scope: 'catalog:read',
    params: { moderated_offer_id: id },
    reply: Type.Object({
      history: list(
        Type.Object({
          status_before: status,
          status_after: status,
          reason: nullable(Type.String()),
          decided_by: Type.String({ examples: ['member/17'] }),
          at: instant,
        }),
        100,
      ),
    }),
    run: async ({ read, params }) => {
      const [offer] = await findMany(read, tables.moderatedOffers, [params.moderated_offer_id])
      if (!offer) throw refuse('not_found')
      const history = (await stepsOf(read, params.moderated_offer_id)).map((it) => ({
        status_before: it.statusBefore,
        status_after: it.statusAfter,
        reason: it.reason,
        decided_by: it.decidedBy,
        at: it.at.toISOString(),
      }))
      return { data: { history } }
    },
  }),
]
