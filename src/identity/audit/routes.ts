// HTTP routes of the audit log.

import { Type } from 'typebox'
import { instantOf, instantText } from '../../http/instant.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { get } from '../../http/route.ts'
import { instant, integer, list, nullable, oneOf, text } from '../../http/schema.ts'
import { actorKinds, type AuditLogEntry, auditSorts, listAuditLog } from './store.ts'

const filter = (max: number, description: string, example: string) =>
  Type.Optional(text({ max, description, examples: [example] }))
const bound = (description: string) => Type.Optional({ ...instantText, description } as typeof instantText)

const recordReply = Type.Object({
  id: Type.String({ examples: ['019a8a52-7c00-7d3f-9d3a-5b1f0a2c4e6f'] }),
  at: instant,
  actor: Type.Object({
    kind: oneOf(actorKinds, {
      description: '`command_line` is an operator at the server; `anonymous` had no credential.',
    }),
    id: nullable(Type.String({ examples: ['member_6fJ2mQ9vXc1aTzR8wK3b'] })),
    name: nullable(Type.String({ description: 'The name at that time.', examples: ['Anna'] })),
    credential: nullable(
      Type.String({ description: 'The key or session.', examples: ['session_6fJ2mQ9vXc1aTzR8wK3b'] }),
    ),
  }),
  method: Type.String({ examples: ['PATCH'] }),
  path: Type.String({ examples: ['/v1/catalog/brands/12'] }),
  request_id: nullable(Type.String({ examples: ['5f0c7a52-3c1e-4b8e-9d27-0c7f8f3e1a44'] })),
  environment: oneOf(['live', 'test']),
  status: nullable(integer(100, 599)),
  subject: nullable(Type.String({ description: 'What was changed.', examples: ['brand/12'] })),
  events: list(Type.String({ examples: ['BrandChanged'] })),
  changes: list(
    Type.Object({
      field: Type.String({ examples: ['name'] }),
      before: nullable(Type.String({ examples: ['"Artel"'] })),
      after: nullable(Type.String({ examples: ['"Artel Uz"'] })),
    }),
    40,
  ),
})

export const auditRoutes = [
  get('/v1/admin/audit-log', {
    summary: 'List audit entries',
    description:
      'Changes by members, and all changes under `/v1/admin`, newest first. `changes` lists the fields of the record that differ, as JSON texts of at most 500 characters; of persons, orders and campaigns only the names of the fields. Entries contain no request bodies and are kept for 400 days.',
    scope: 'admin:read',
    query: listQuery(
      auditSorts,
      {
        actor: filter(100, 'The id of a member or an application.', 'member_6fJ2mQ9vXc1aTzR8wK3b'),
        actor_kind: Type.Optional(oneOf(actorKinds)),
        subject: filter(300, 'The changed subject; a trailing `*` matches by prefix.', 'brand/*'),
        path: filter(1_000, 'The request path; a trailing `*` matches by prefix.', '/v1/admin/*'),
        from: bound('From this instant on.'),
        to: bound('Before this instant.'),
      },
      '-at',
    ),
    reply: Type.Object({ records: list(recordReply, 100), pagination }),
    run: async ({ read, query, environment, principal }) => {
      const listing = listingOf(query, '-at')
      const wanted = {
        actor: query.actor,
        actorKind: query.actor_kind,
        subject: query.subject,
        path: query.path,
        from: query.from === undefined ? undefined : instantOf(query.from, 'from'),
        to: query.to === undefined ? undefined : instantOf(query.to, 'to'),
      }
      // Test keys are handed out freely, and members are people of the live shop.
      const showsMembers = environment === 'live' || principal?.actor.kind === 'member'
      const slice = await listAuditLog(read, wanted, listing)
      return {
        data: {
          records: slice.rows.map((it) => ({ ...recordView(it, showsMembers), environment })),
          pagination: paginationView(listing, slice),
        },
      }
    },
  }),
]

const recordView = (it: AuditLogEntry, showsMembers: boolean) => ({
  id: it.id,
  at: it.at.toISOString(),
  actor: {
    kind: it.actorKind,
    id: it.actorId,
    name: showsMembers || it.actorKind !== 'member' ? it.actorName : null,
    credential: it.credential,
  },
  method: it.method,
  path: it.path,
  request_id: it.requestId,
  status: it.status,
  subject: it.subject,
  events: it.events,
  changes: [...it.changes],
})
