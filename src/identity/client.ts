// A buyer who is known by name, and the two ways to reach him, each in one spelling only.

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

/** A client with what proves that it is he. Null when he has no password and so cannot sign in by one. */
export interface ClientWithHash extends Client {
  passwordHash: string | null
}

/** How a client is reached, and what he signs in with. */
export type Contact = { kind: 'phone'; phone: string } | { kind: 'email'; email: string }

/** `+998 90 123-45-67`, `998901234567` and `901234567` are one number; undefined when it is none. */
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

/** The address in small letters, because nobody means two people by two spellings; undefined when it is none. */
export function emailOf(text: string): string | undefined {
  const email = text.trim().normalize('NFC').toLowerCase()
  return emailForm.test(email) && email.length <= 254 ? email : undefined
}

/** What somebody typed in order to sign in; undefined when it can be nobody's. */
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

/** Phone and e-mail as they are kept, and what is wrong with those that cannot be. */
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
