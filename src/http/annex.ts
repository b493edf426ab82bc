// Paths that keep rules of their own for credentials, bodies and errors, as OAuth must (RFC 6749). They are let in,
// counted and logged like all others; what they say is theirs.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../base/log.ts'
import { Refusal } from '../base/refusal.ts'
import { type Admission, countWrong } from './admission.ts'
import { asRefusal, logFailure } from './failure.ts'
import type { Language } from './language.ts'
import { isRefusalCode, refusals, type RefusalCode } from './refusals.ts'

export interface Annex {
  path: string
  methods: readonly ('GET' | 'POST')[]
  run(request: FastifyRequest, body: Buffer): Promise<AnnexReply>
  /** How it says that a call was refused, or that it failed. */
  refused(refused: Refused): AnnexReply
}

export interface AnnexReply {
  status: number
  headers: Record<string, string | string[]>
  body: string
}

export interface Refused {
  status: number
  code: RefusalCode
  /** For people, in their language; a protocol that knows plain letters only takes the English of the code. */
  message: string
  language: Language
}

const maxBodyBytes = 32_768

export function mountAnnexes(
  fastify: FastifyInstance,
  annexes: Annex[],
  tools: { admission: Admission; log: Log },
): void {
  fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser<Buffer>(
      '*',
      { parseAs: 'buffer', bodyLimit: maxBodyBytes },
      (_request, bytes, done) => done(null, bytes),
    )
    for (const annex of annexes)
      scope.route({
        method: [...annex.methods],
        url: annex.path.replace(/\{(\w+)\}/g, ':$1'),
        config: { isAnnex: true },
        handler: async (request, reply) => {
          const given = await annex.run(request, (request.body as Buffer | undefined) ?? Buffer.alloc(0))
          if (given.status === 401) await countWrong(tools.admission, request, reply)
          return send(reply, given)
        },
        errorHandler: refusalsOf(annex, tools.log),
      })
  })
}

const send = (reply: FastifyReply, { status, headers, body }: AnnexReply) =>
  reply.status(status).headers(headers).send(body)

/** Lets an annex say in its own way what was refused. */
export const refusalsOf =
  (annex: Annex, log: Log) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const refused = refusedOf(error, request, reply)
    logFailure(log, { error, request, ...refused })
    send(reply, annex.refused(refused))
  }

function refusedOf(error: unknown, request: FastifyRequest, reply: FastifyReply): Refused {
  const refusal = asRefusal(error)
  const known = refusal instanceof Refusal && isRefusalCode(refusal.code)
  const code: RefusalCode = known ? (refusal.code as RefusalCode) : 'internal_error'
  const retryAfter = known && refusal.details['retry_after']
  if (typeof retryAfter === 'number') reply.header('retry-after', retryAfter)
  const { language } = request.asked.wishes
  return { status: refusals[code].status, code, message: refusals[code][language], language }
}
