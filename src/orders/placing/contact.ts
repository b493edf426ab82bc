// The contact of an order: name, phone and e-mail of the person to call.

import { Type } from 'typebox'
import type { Buyer } from '../../base/buyer.ts'
import type { Tx } from '../../base/database.ts'
import { refuse } from '../../base/refusal.ts'
import { name, strict, text } from '../../http/schema.ts'
import { emailOf, findClients, phoneOf } from '../../identity/index.ts'
import type { Contact } from '../order.ts'

export const contactField = Type.Optional(
  Type.Object(
    {
      ...strict({ Name: name(200, 'Aziza') }).properties,
      Phone: text({ max: 40, examples: ['+998901234567'] }),
      Email: Type.Optional(text({ max: 254, examples: ['name@mail.uz'] })),
    },
    {
      additionalProperties: false,
      description: 'Required for guests. For clients it replaces the contact of the profile in this order.',
    },
  ),
)

interface SentContact {
  Name: string
  Phone: string
  Email?: string
}

/** The sent contact, else that of the client's profile; null for clients that are registered elsewhere. */
export async function contactOf(
  tx: Tx,
  buyer: Buyer,
  sent: SentContact | undefined,
): Promise<Contact | null> {
  if (sent) return normalized(sent)
  if (buyer.kind === 'guest')
    throw refuse('validation_failed', { fields: [{ path: 'Contact', rule: 'required' }] })
  const [client] = await findClients(tx, [buyer.clientId])
  return client ? { name: client.name, phone: client.phone, email: client.email } : null
}

function normalized({ Name, Phone, Email }: SentContact): Contact {
  const phone = phoneOf(Phone)
  const email = Email === undefined ? null : emailOf(Email)
  const fields = [
    ...(phone === undefined ? [{ path: 'Contact.Phone', rule: 'format', limit: '+998901234567' }] : []),
    ...(email === undefined ? [{ path: 'Contact.Email', rule: 'format', limit: 'name@mail.uz' }] : []),
  ]
  if (fields.length > 0) throw refuse('validation_failed', { fields })
  return { name: Name.trim(), phone: phone!, email: email! }
}
