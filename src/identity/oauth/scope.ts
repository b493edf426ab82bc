// Which scopes are requested and granted (SPEC-1 5.1): never more than the application has, and for a buyer only the
// scopes that a buyer may grant.

import { type Scope, scopes as allScopes } from '../../http/scopes.ts'

/** Scopes that a token acting for a buyer may hold. */
export const buyerScopes: readonly Scope[] = [
  'catalog:read',
  'cart:read',
  'cart:write',
  'orders:read',
  'orders:write',
  'profile:read',
  'profile:write',
]

/** Scopes that an application may request from a buyer. */
export const requestableOf = (application: readonly Scope[]): Scope[] =>
  buyerScopes.filter((it) => application.includes(it))

const scopeForm = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/

/**
 * The granted scopes for the `scope` parameter: all allowed ones when it is absent, else exactly those named. Undefined
 * when a named scope is unknown or not allowed; scopes are never dropped silently.
 */
export function grantedScopes(requested: string | undefined, allowed: readonly Scope[]): Scope[] | undefined {
  if (requested === undefined) return allowed.length > 0 ? [...allowed] : undefined
  if (!scopeForm.test(requested)) return undefined
  const named = new Set(requested.split(' '))
  const given = allScopes.filter((it) => named.has(it) && allowed.includes(it))
  return given.length === named.size ? given : undefined
}

/** Scopes in a space-separated list; unknown words are ignored. */
export const scopesOf = (text: string | undefined): Scope[] =>
  allScopes.filter((it) => text?.split(' ').includes(it))
