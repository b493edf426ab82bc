// The recipient of a message or the holder of a consent: a client, or an address that belongs to no client.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { idInput, text } from '../../http/schema.ts'
import { emailOf, phoneOf } from '../../identity/index.ts'
import type { Channel } from '../templates/template.ts'

/** The wire shape of a recipient. */
export const recipientFields = {
  client_id: Type.Optional(idInput),
  address: Type.Optional(text({ max: 254, examples: ['aziza@mail.uz'] })),
}

/** The recipient in a body: either a client or an address. */
export function recipientOf(
  body: { client_id?: number | string; address?: string },
  path = '',
): { clientId: number } | { address: string } {
  const { client_id: clientId, address } = body
  if (clientId !== undefined && address === undefined) return { clientId: Number(clientId) }
  if (address !== undefined && clientId === undefined) return { address }
  throw refuse('validation_failed', {
    fields: [{ path: `${path}client_id`, rule: 'one_of', limit: ['client_id', 'address'] }],
  })
}

/** An address of a channel in its canonical form; refused when it is invalid. */
export function addressOf(given: string, channel: Channel, path: string): string {
  const address = channel === 'email' ? emailOf(given) : channel === 'sms' ? phoneOf(given) : given
  if (address === undefined)
    throw refuse('validation_failed', { fields: [{ path, rule: 'format', limit: addressExamples[channel] }] })
  return address
}

const addressExamples: Record<Channel, string> = {
  email: 'name@mail.uz',
  sms: '+998901234567',
  push: 'token',
}

/** Whose consent applies: a client's own, whatever their current address is, or that of an address. */
export const holderOf = (clientId: number | null, address: string | null): string =>
  clientId === null ? (address ?? '') : `client/${clientId}`
