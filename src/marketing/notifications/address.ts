import { refuse } from '../../base/refusal.ts'
import { emailOf, phoneOf } from '../../identity/index.ts'
import type { Channel } from '../templates/template.ts'

/** An address of a channel in its one spelling; refused when it can be nobody's. */
export function addressOf(given: string, channel: Channel, path: string): string {
  const address = channel === 'email' ? emailOf(given) : channel === 'sms' ? phoneOf(given) : given
  if (address === undefined)
    throw refuse('validation_failed', { fields: [{ path, rule: 'format', limit: likeness[channel] }] })
  return address
}

const likeness: Record<Channel, string> = { email: 'name@mail.uz', sms: '+998901234567', push: 'token' }
