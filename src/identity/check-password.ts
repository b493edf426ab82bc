import type { Database } from '../base/db.ts'
import { spend, type Try } from './attempts.ts'
import { type ClientWithHash, contactOf } from './client.ts'
import type { Passwords } from './password.ts'
import { findClientByContact } from './store/clients.ts'

export interface SignInClaim {
  /** A phone number or an e-mail, as it was typed. */
  login: string
  password: string
  /** Null when a server calls for its buyers: all of them come from one network. */
  network: string | null
}

/** A claim that was looked at: by whom it was made, if it is true, and what it cost. */
export interface CheckedClaim {
  client: ClientWithHash | undefined
  tries: Try[]
}

/**
 * Finds the client behind a login and a password. Who does not exist, who has no password and who has another one
 * cost the same work and give the same result. It takes as long as a hash, so no transaction waits for it.
 */
export async function checkPassword(
  { db, passwords }: { db: Database; passwords: Passwords },
  { login, password, network }: SignInClaim,
): Promise<CheckedClaim> {
  const contact = contactOf(login)
  const who = contact === undefined ? login : JSON.stringify(contact)
  const tries: Try[] = [
    { budget: 'signInAccount', who },
    ...(network === null ? [] : [{ budget: 'signInNetwork' as const, who: network }]),
  ]
  await spend(db, tries)
  const found = await findClientByContact(db.read(), contact ?? { kind: 'email', email: '' })
  const isRight = await passwords.matches(password, found?.passwordHash)
  return { client: isRight ? found : undefined, tries }
}
