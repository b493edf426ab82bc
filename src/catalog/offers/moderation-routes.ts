// Moderation steps and their history.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { get, post, type Principal, type Route } from '../../http/route.ts'
import { id, instant, list, name, nullable, oneOf, strict } from '../../http/schema.ts'
import { decideModeration, type ModerationStep } from './moderation.ts'
import { moderationStatuses } from '../entities/entities.ts'
import { stepsOf } from './moderation-store.ts'
import { findMany } from '../entities/store.ts'
import * as tables from '../entities/tables.ts'
import { mayRead } from '../entities/restrictions.ts'
import { readsOfferRecords, moderatedOfferRestrictions } from './restrictions.ts'
import { moderatedOffers } from './routes.ts'
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
  step('submit', 'Submit a moderated offer for approval', {}),
  step('approve', 'Approve a moderated offer', {}),
  step('reject', 'Reject a moderated offer', { reason }),
  get('/v1/catalog/moderated-offers/{moderated_offer_id}/history', {
    summary: 'List the moderation steps of a moderated offer',
    description: 'Needs `catalog:write` or `admin:read` as well.',
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
    refusals: ['insufficient_permissions'],
    run: async ({ read, params, ...call }) => {
      const [offer] = await findMany(read, tables.moderatedOffers, [params.moderated_offer_id])
      if (!offer || !mayRead(moderatedOfferRestrictions, call, offer)) throw refuse('not_found')
      if (!readsOfferRecords(call))
        throw refuse('insufficient_permissions', {
          required_scopes: ['admin:read'],
          current_scopes: [...(call.principal?.scopes ?? [])],
        })
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
