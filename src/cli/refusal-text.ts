import type { Refusal } from '../base/refusal.ts'
import { messageOf } from '../http/messages.ts'
import { isRefusalCode } from '../http/refusals.ts'
import { localizedFaults } from '../http/validation.ts'

/** A refusal as one line: what is wrong, with the fields and the reason. */
export function refusalText({ code, details }: Refusal): string {
  const { fields = [], reason } = details as {
    fields?: Parameters<typeof localizedFaults>[0]
    reason?: string
  }
  const faults = localizedFaults(fields, 'en').map((it) => `${it.path} ${it.message}`.trim())
  const message = isRefusalCode(code) ? messageOf(code, details, 'en') : code
  return [message, ...(reason === undefined ? [] : [`${reason}.`]), ...faults.slice(0, 10)].join(' ')
}
