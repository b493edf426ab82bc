// HTTP routes of the request log.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { instantOf, instantText } from '../../http/instant.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { get, type Route } from '../../http/route.ts'
import { instant, integer, list, nullable, oneOf, text, uuid } from '../../http/schema.ts'
import { callSorts, findCall, type ListedCall, listCalls, statusForm } from './store.ts'

const filter = (max: number, description: string, example: string) =>
  Type.Optional(text({ max, description, examples: [example] }))
const bound = (description: string) => Type.Optional({ ...instantText, description } as typeof instantText)
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const callFields = {
  id: uuid,
  at: instant,
  request_id: Type.String({ examples: ['5f0c7a52-3c1e-4b8e-9d27-0c7f8f3e1a44'] }),
  method: Type.String({ examples: ['POST'] }),
  path: Type.String({
    description: 'Path and query; secrets are masked.',
    examples: ['/v1/cart?customer_id=7'],
  }),
  route: nullable(
    Type.String({ description: 'The declared path; null for an unknown one.', examples: ['/v1/cart'] }),
  ),
  status: integer(100, 599),
  error_code: nullable(Type.String({ examples: ['validation_failed'] })),
  milliseconds: Type.Number({ minimum: 0, examples: [4.2] }),
  credential: nullable(
    Type.String({
      description: 'The id of the key, token or session; of a refused one only its kind.',
      examples: ['key_6fJ2mQ9vXc1aTzR8wK3b'],
    }),
  ),
  application: nullable(
    Type.Object({
      client_id: Type.String({ examples: ['app_test_6fJ2mQ9vXc1aTzR8wK3b'] }),
      name: nullable(Type.String({ examples: ['Till'] })),
    }),
  ),
  user_agent: nullable(Type.String({ examples: ['curl/8.5.0'] })),
  skipped: integer(0, 2 ** 31 - 1, {
    description:
      'Calls of the same kind (served or failed) before this one that were not kept, because the server was busy.',
  }),
}

const body = (whose: string) =>
  nullable(
    Type.String({
      description: `The JSON of the ${whose} with masked secrets; null for served calls.`,
      examples: ['{"quantity":0}'],
    }),
  )

export const requestLogRoutes = (flush: () => Promise<void>): Route[] => [
  get('/v1/admin/request-log', {
    summary: 'List calls',
    description:
      'Recent calls of applications and of callers without a credential, newest first. Calls of members are in the audit log. Kept for 7 days, at most 100 000 calls; under heavy load a sample is kept, and `skipped` says how many calls are missing.',
    scope: 'admin:read',
    query: listQuery(
      callSorts,
      {
        q: filter(200, 'A request id, a part of a path, or the id of a key or an application.', '/v1/cart'),
        request_id: filter(128, 'The request id.', '5f0c7a52-3c1e-4b8e-9d27-0c7f8f3e1a44'),
        path: filter(1_000, 'Path and query; a trailing `*` matches by prefix.', '/v1/cart*'),
        method: Type.Optional(oneOf(methods)),
        status: Type.Optional(
          text({
            max: 6,
            pattern: statusForm,
            description: 'A status, a class of them, or `failed` for 400 and above.',
            examples: ['4xx'],
          }),
        ),
        key: filter(100, 'The id of a key.', 'key_6fJ2mQ9vXc1aTzR8wK3b'),
        client_id: filter(100, 'The id of an application.', 'app_test_6fJ2mQ9vXc1aTzR8wK3b'),
        from: bound('From this instant on.'),
        to: bound('Before this instant.'),
      },
      '-at',
    ),
    reply: Type.Object({ calls: list(Type.Object(callFields), 100), pagination }),
    run: async ({ read, query }) => {
      await flush()
      const listing = listingOf(query, '-at')
      const wanted = {
        q: query.q,
        requestId: query.request_id,
        path: query.path,
        method: query.method,
        status: query.status,
        credential: query.key,
        applicationId: query.client_id,
        from: query.from === undefined ? undefined : instantOf(query.from, 'from'),
        to: query.to === undefined ? undefined : instantOf(query.to, 'to'),
      }
      const slice = await listCalls(read, wanted, listing)
      return { data: { calls: slice.rows.map(callView), pagination: paginationView(listing, slice) } }
    },
  }),
  get('/v1/admin/request-log/{call_id}', {
    summary: 'Show a call',
    description: 'With the bodies of the request and the reply when the call failed.',
    scope: 'admin:read',
    params: { call_id: uuid },
    reply: Type.Object({
      call: Type.Object({ ...callFields, request_body: body('request'), reply_body: body('reply') }),
    }),
    run: async ({ read, params }) => {
      const found = await findCall(read, params.call_id)
      if (!found) throw refuse('not_found', { call_id: params.call_id })
      const { requestBody, replyBody } = found
      return { data: { call: { ...callView(found), request_body: requestBody, reply_body: replyBody } } }
    },
  }),
]

const callView = (it: ListedCall) => ({
  id: it.id,
  at: it.at.toISOString(),
  request_id: it.requestId,
  method: it.method,
  path: it.path,
  route: it.route,
  status: it.status,
  error_code: it.errorCode,
  milliseconds: it.ms,
  credential: it.credential,
  application: it.applicationId === null ? null : { client_id: it.applicationId, name: it.applicationName },
  user_agent: it.userAgent,
  skipped: it.skipped,
})
