// Parsers of request bodies.

import type { FastifyInstance } from 'fastify'
import { isStorableText, parseJsonBytes } from '../base/json.ts'
import { refuse } from '../base/refusal.ts'
import './request-state.ts'
import { isPlainUtf8 } from './headers.ts'

/** Accepts JSON in UTF-8, under this and other media types of JSON, and nothing else. */
export function registerJsonParser(fastify: FastifyInstance, others: readonly string[] = []): void {
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser<Buffer>(
    ['application/json', ...others],
    { parseAs: 'buffer' },
    (request, bytes, done) => {
      try {
        if (!isPlainUtf8(request.headers))
          throw refuse('unsupported_media_type', { expected: 'application/json; charset=utf-8' })
        request.rawBody = bytes
        done(null, bytes.length === 0 ? undefined : parseJsonBytes(bytes))
      } catch (error) {
        done(error as Error)
      }
    },
  )
}

const formType = 'application/x-www-form-urlencoded'
const maxFormBytes = 16 * 1024

/** Accepts forms and nothing else. A repeated field is an error, because either value could be meant. */
export function registerFormParser(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser<string>(
    formType,
    { parseAs: 'string', bodyLimit: maxFormBytes },
    (_request, text, done) => {
      const fields = [...new URLSearchParams(text)]
      const form = Object.fromEntries(fields)
      const isPlain = Object.keys(form).length === fields.length && fields.flat().every(isStorableText)
      if (isPlain) done(null, form)
      else done(refuse('unsupported_media_type', { expected: formType }))
    },
  )
}
