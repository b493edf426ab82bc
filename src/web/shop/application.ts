// How the storefront is registered: a web application like any other.

import type { Scope } from '../../http/scopes.ts'

export const storefrontName = 'Storefront'

export const signedInPath = '/shop/signed-in'

/** What the storefront may do for guests, and what it asks clients to allow. */
export const storefrontScopes: Scope[] = [
  'catalog:read',
  'cart:read',
  'cart:write',
  'orders:read',
  'orders:write',
  'profile:read',
  'profile:write',
]

/** `origins` are the addresses under which browsers reach the server. */
export const storefrontApplication = (origins: readonly string[]) => ({
  name: storefrontName,
  type: 'web' as const,
  scopes: storefrontScopes,
  redirectUrls: origins.map((it) => `${it}${signedInPath}`),
  // Visitors are limited by their network address when they ask for a page.
  rateLimit: 'none',
})
