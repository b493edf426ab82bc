// What kinds of bodies the server reads, and how strictly.

import type { FastifyInstance } from 'fastify'
import { isKeepable, jsonOf } from '../base/json.ts'
import { refuse } from '../base/refusal.ts'
import './asked.ts'
import { isPlainUtf8 } from './headers.ts'

/** Reads JSON in UTF-8 and nothing else. */
export function readStrictJson(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      if (!isPlainUtf8(request.headers))
        throw refuse('unsupported_media_type', { expected: 'application/json; charset=utf-8' })
      request.rawBody = bytes
      done(null, bytes.length === 0 ? undefined : jsonOf(bytes))
    } catch (error) {
      done(error as Error)
    }
  })
}

const formType = 'application/x-www-form-urlencoded'
const maxFormBytes = 16 * 1024

/** Reads what a browser sends for a form and nothing else. Of a field that comes twice, none can be believed. */
export function readForms(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser<string>(
    formType,
    { parseAs: 'string', bodyLimit: maxFormBytes },
    (_request, text, done) => {
      const fields = [...new URLSearchParams(text)]
      const form = Object.fromEntries(fields)
      const isPlain = Object.keys(form).length === fields.length && fields.flat().every(isKeepable)
      if (isPlain) done(null, form)
      else done(refuse('unsupported_media_type', { expected: formType }))
    },
  )
}
