import { deepEqual, equal, match } from 'node:assert/strict'
import { messageOf } from '../../src/http/messages.ts'
import { refusals, type RefusalCode } from '../../src/http/refusals.ts'
import { withFaults } from '../../src/http/validation.ts'

interface Answered {
  status: number
  headers: { get(name: string): string | null | undefined }
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

/** Internals that no reply may contain: stack traces, SQL, paths, package names, database errors. */
export const leaks =
  /\n\s+at |\.ts\b|node_modules|node:|fastify|FST_|\bpg\b|postgres|SQLSTATE|syntax error at|violates|relation "|\b(select|insert into|update|delete from) [a-z_]+ |\/src\//i

/** Fails unless the reply is this refusal in the standard format. Returns its details. */
// oxlint-disable-next-line typescript/no-explicit-any
export function assertRefused(code: RefusalCode, answered: Answered): any {
  const { status, headers, text, body } = answered
  equal(body?.error?.code, code, `${status} ${text.slice(0, 300)}`)
  equal(status, refusals[code].status)
  deepEqual(Object.keys(body), ['error', 'meta'])
  deepEqual(Object.keys(body.error), ['code', 'message', 'type', 'details'])
  equal(body.error.type, refusals[code].type)
  equal(Object.getPrototypeOf(body.error.details), Object.prototype)
  deepEqual(Object.keys(body.meta), ['request_id', 'timestamp', 'api_version'])
  match(body.meta.request_id, /^[A-Za-z0-9._-]{1,128}$/)
  equal(headers.get('x-request-id'), body.meta.request_id)
  match(body.meta.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  equal(body.meta.api_version, 'v1')
  equal(headers.get('content-type'), 'application/json; charset=utf-8')
  const language = headers.get('content-language') as 'ru' | 'uz' | 'en'
  const sentence = messageOf(code, body.error.details, language)
  const { fields } = body.error.details
  equal(body.error.message, fields ? withFaults(sentence, fields, language) : sentence)
  for (const name of ['server', 'x-powered-by']) equal(headers.get(name) ?? null, null)
  equal(leaks.test(text), false, text.slice(0, 300))
  const { violations, ...details } = body.error.details
  return violations ? { ...details, violations: withoutMessages(violations) } : details
}

/** Every violation has a text; the tests compare the rest. */
function withoutMessages(violations: Record<string, unknown>[]): Record<string, unknown>[] {
  return violations.map(({ message, ...rest }) => {
    match(String(message), /^[^{}]+\.$/)
    return rest
  })
}
