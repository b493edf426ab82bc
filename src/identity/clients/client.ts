// Clients (registered buyers) and their normalized phone numbers and e-mail addresses.

export interface Client {
  id: number
  name: string
  phone: string | null
  email: string | null
  externalIds: string[]
  version: number
  createdAt: Date
  updatedAt: Date
}

/** `passwordHash` is null for clients without a password, who cannot sign in with one. */
export interface ClientWithHash extends Client {
  passwordHash: string | null
}

/** What a client signs in with. */
export type Contact = { kind: 'phone'; phone: string } | { kind: 'email'; email: string }

/** Normalizes a phone number: `+998 90 123-45-67`, `998901234567` and `901234567` are equal. Undefined when invalid. */
export function phoneOf(text: string): string | undefined {
  const digits = text.replace(/[\s().-]/g, '').replace(/^00/, '+')
  if (!/^\+?[0-9]{7,15}$/.test(digits)) return undefined
  const international = digits.startsWith('+')
    ? digits
    : digits.length === 9
      ? `+998${digits}`
      : digits.startsWith('998')
        ? `+${digits}`
        : undefined
  const isWhole = international?.startsWith('+998')
    ? international.length === 13
    : international !== undefined
  return isWhole && /^\+[1-9]/.test(international!) ? international : undefined
}

const emailForm = /^[^\s@<>()",;:\\]{1,64}@[^\s@<>()",;:\\]{1,190}\.[^\s@<>()",;:\\.]{2,63}$/u

/** Normalizes an e-mail address to lower case. Undefined when invalid. */
export function emailOf(text: string): string | undefined {
  const email = text.trim().normalize('NFC').toLowerCase()
  return emailForm.test(email) && email.length <= 254 ? email : undefined
}

/** Parses a login; undefined when it is neither a phone number nor an e-mail address. */
export function contactOf(login: string): Contact | undefined {
  if (login.includes('@')) {
    const email = emailOf(login)
    return email === undefined ? undefined : { kind: 'email', email }
  }
  const phone = phoneOf(login)
  return phone === undefined ? undefined : { kind: 'phone', phone }
}

export interface Fault {
  path: string
  rule: string
  limit?: unknown
}

/** Normalized phone and e-mail, and the faults of invalid ones. */
export function contactsOf(given: { phone?: string | null | undefined; email?: string | null | undefined }): {
  phone: string | null
  email: string | null
  faults: Fault[]
} {
  const phone = given.phone == null ? null : phoneOf(given.phone)
  const email = given.email == null ? null : emailOf(given.email)
  const faults = [
    ...(phone === undefined ? [{ path: 'phone', rule: 'format', limit: '+998901234567' }] : []),
    ...(email === undefined ? [{ path: 'email', rule: 'format', limit: 'name@mail.uz' }] : []),
  ]
  return { phone: phone ?? null, email: email ?? null, faults }
}
