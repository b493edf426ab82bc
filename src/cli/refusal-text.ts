import type { Refusal } from '../base/refusal.ts'
import type { FieldFault } from '../base/validation.ts'
import { messageOf } from '../http/messages.ts'
import { isRefusalCode } from '../http/refusals.ts'
import { localizedFaults, withFaults } from '../http/validation.ts'

/** A refusal as one line, as the API says it. */
export function refusalText({ code, details }: Refusal): string {
  const { fields = [] } = details as { fields?: FieldFault[] }
  const message = isRefusalCode(code) ? messageOf(code, details, 'en') : code
  return withFaults(message, localizedFaults(fields, 'en'), 'en')
}
