// What may be asked for and what is given (SPEC-1 5.1): never more than the application may, and for a buyer never
// more than a buyer can do.

import { type Scope, scopes as allScopes } from '../../http/scopes.ts'

/** What a token that acts for a buyer may hold. */
export const buyerScopes: readonly Scope[] = [
  'catalog:read',
  'cart:read',
  'cart:write',
  'orders:read',
  'orders:write',
]

/** What an application may ask of a buyer. */
export const askableOf = (application: readonly Scope[]): Scope[] =>
  buyerScopes.filter((it) => application.includes(it))

const scopeForm = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/

/**
 * What is given for the `scope` of a request: all that is allowed when none is named, else exactly what is named.
 * Undefined when something is named that does not exist or is not allowed: nothing is widened or dropped in silence.
 */
export function givenScopes(asked: string | undefined, allowed: readonly Scope[]): Scope[] | undefined {
  if (asked === undefined) return allowed.length > 0 ? [...allowed] : undefined
  if (!scopeForm.test(asked)) return undefined
  const named = new Set(asked.split(' '))
  const given = allScopes.filter((it) => named.has(it) && allowed.includes(it))
  return given.length === named.size ? given : undefined
}

/** A list of scopes as text holds it; what is no scope of ours is not kept. */
export const scopesOf = (text: string | undefined): Scope[] =>
  allScopes.filter((it) => text?.split(' ').includes(it))
