// The shape of every reply: what went well, and what was refused and why.

import { Refusal } from '../base/refusal.ts'
import type { FieldFault } from '../base/shape.ts'
import type { Language } from './language.ts'
import { isRefusalCode, type RefusalCode, refusals } from './refusals.ts'
import { spokenFaults } from './validation.ts'

export const apiVersion = 'v1'

/** `data`, already written as JSON, in the envelope of SPEC-1 2.1. */
export const successBody = (dataJson: string, requestId: string, now: Date): string =>
  `{"success":true,"data":${dataJson},"meta":${metaJson(requestId, now)}}`

const opening = Buffer.from('{"success":true,"data":')

/** The same from bytes: text beyond Latin is slow to encode, so what is kept is kept encoded. */
export const successBytes = (dataJson: Buffer, requestId: string, now: Date): Buffer =>
  Buffer.concat([opening, dataJson, Buffer.from(`,"meta":${metaJson(requestId, now)}}`, 'latin1')])

export interface ErrorReply {
  status: number
  code: RefusalCode
  body: string
  retryAfterSeconds: number | undefined
}

/** The reply to a refusal, or to a bug: then nothing of the bug is shown. */
export function errorReply(
  error: unknown,
  context: { requestId: string; language: Language; now: Date },
): ErrorReply {
  const known =
    error instanceof Refusal && isRefusalCode(error.code) ? error : new Refusal('internal_error', {})
  const code = known.code as RefusalCode
  const { status, type, [context.language]: message } = refusals[code]
  const fields = known.details['fields'] as FieldFault[] | undefined
  const details = fields
    ? { ...known.details, fields: spokenFaults(fields, context.language) }
    : known.details
  const body = `{"error":${JSON.stringify({ code, message, type, details })},"meta":${metaJson(context.requestId, context.now)}}`
  const retryAfter = known.details['retry_after']
  return { status, code, body, retryAfterSeconds: typeof retryAfter === 'number' ? retryAfter : undefined }
}

const metaJson = (requestId: string, now: Date) =>
  `{"request_id":"${requestId}","timestamp":"${now.toISOString()}","api_version":"${apiVersion}"}`
