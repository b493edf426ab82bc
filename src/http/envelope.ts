// The envelope of every JSON reply.

import { Refusal } from '../base/refusal.ts'
import type { FieldFault } from '../base/validation.ts'
import type { Language } from './language.ts'
import { messageOf, withViolationMessages } from './messages.ts'
import { isRefusalCode, type RefusalCode, refusals } from './refusals.ts'
import { localizedFaults, withFaults } from './validation.ts'

export const apiVersion = 'v1'

/** Wraps serialized data in the envelope of SPEC-1 2.1. */
export const successBody = (dataJson: string, requestId: string, now: Date): string =>
  `{"success":true,"data":${dataJson},"meta":${metaJson(requestId, now)}}`

const opening = Buffer.from('{"success":true,"data":')

/** The same for encoded bytes: encoding Cyrillic text is slow, so cached replies are kept encoded. */
export const successBytes = (dataJson: Buffer, requestId: string, now: Date): Buffer =>
  Buffer.concat([opening, dataJson, Buffer.from(`,"meta":${metaJson(requestId, now)}}`, 'latin1')])

export interface ErrorReply {
  status: number
  code: RefusalCode
  body: string
  retryAfterSeconds: number | undefined
}

/** The reply to a refusal. Any other error becomes `internal_error` and shows nothing of its cause. */
export function errorReply(
  error: unknown,
  context: { requestId: string; language: Language; now: Date },
): ErrorReply {
  const known =
    error instanceof Refusal && isRefusalCode(error.code) ? error : new Refusal('internal_error', {})
  const code = known.code as RefusalCode
  const { status, type } = refusals[code]
  const fields = known.details['fields'] as FieldFault[] | undefined
  const faults = fields && localizedFaults(fields, context.language)
  const sentence = messageOf(code, known.details, context.language)
  const message = faults ? withFaults(sentence, faults, context.language) : sentence
  const details = faults
    ? { ...known.details, fields: faults }
    : withViolationMessages(known.details, context.language)
  const body = `{"error":${JSON.stringify({ code, message, type, details })},"meta":${metaJson(context.requestId, context.now)}}`
  const retryAfter = known.details['retry_after']
  return { status, code, body, retryAfterSeconds: typeof retryAfter === 'number' ? retryAfter : undefined }
}

const metaJson = (requestId: string, now: Date) =>
  `{"request_id":"${requestId}","timestamp":"${now.toISOString()}","api_version":"${apiVersion}"}`
