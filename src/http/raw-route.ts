// Routes with their own rules for credentials, bodies and errors, as OAuth needs (RFC 6749). Admission, rate limits and
// logs treat them like all others.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../base/log.ts'
import { Refusal } from '../base/refusal.ts'
import { type Admission, countFailedAuthentication } from './admission.ts'
import { asRefusal, logError } from './errors.ts'
import { type Language, preferredLanguage } from './language.ts'
import { isRefusalCode, refusals, type RefusalCode } from './refusals.ts'

export interface RawRoute {
  path: string
  methods: readonly ('GET' | 'POST')[]
  /** The language of replies to callers who name none, in place of the usual one. */
  language?: Language
  run(request: FastifyRequest, body: Buffer): Promise<RawReply>
  /** The reply to a refused or failed request. */
  errorReply(refused: LocalizedRefusal): RawReply
}

export interface RawReply {
  status: number
  headers: Record<string, string | string[]>
  body: string
}

export interface LocalizedRefusal {
  status: number
  code: RefusalCode
  /** In the caller's language. A protocol that allows only ASCII uses the English text of the code. */
  message: string
  language: Language
}

const maxBodyBytes = 32_768

export function mountRawRoutes(
  fastify: FastifyInstance,
  rawRoutes: RawRoute[],
  tools: { admission: Admission; log: Log },
): void {
  fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser<Buffer>(
      '*',
      { parseAs: 'buffer', bodyLimit: maxBodyBytes },
      (_request, bytes, done) => done(null, bytes),
    )
    for (const rawRoute of rawRoutes)
      scope.route({
        method: [...rawRoute.methods],
        url: rawRoute.path.replace(/\{(\w+)\}/g, ':$1'),
        config: { isRawRoute: true },
        handler: async (request, reply) => {
          chooseLanguage(rawRoute, request, reply)
          const given = await rawRoute.run(request, (request.body as Buffer | undefined) ?? Buffer.alloc(0))
          if (given.status === 401) await countFailedAuthentication(tools.admission, request, reply)
          return send(reply, given)
        },
        errorHandler: rawErrorHandler(rawRoute, tools.log),
      })
  })
}

const send = (reply: FastifyReply, { status, headers, body }: RawReply) =>
  reply.status(status).headers(headers).send(body)

function chooseLanguage(
  { language }: RawRoute,
  { headers, state }: FastifyRequest,
  reply: FastifyReply,
): void {
  if (language === undefined) return
  const chosen = preferredLanguage(headers['accept-language'], language)
  state.preferences = { ...state.preferences, language: chosen }
  reply.header('content-language', chosen)
}

export const rawErrorHandler =
  (rawRoute: RawRoute, log: Log) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    chooseLanguage(rawRoute, request, reply)
    const refused = localizedRefusal(error, request, reply)
    logError(log, { error, request, ...refused })
    send(reply, rawRoute.errorReply(refused))
  }

export function localizedRefusal(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): LocalizedRefusal {
  const refusal = asRefusal(error)
  const known = refusal instanceof Refusal && isRefusalCode(refusal.code)
  const code: RefusalCode = known ? (refusal.code as RefusalCode) : 'internal_error'
  const retryAfter = known && refusal.details['retry_after']
  if (typeof retryAfter === 'number') reply.header('retry-after', retryAfter)
  const { language } = request.state.preferences
  return { status: refusals[code].status, code, message: refusals[code][language], language }
}
