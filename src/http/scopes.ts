/** What a credential may do: the ten scopes of SPEC-1 5.1, and those of a buyer's own profile (ADR 0031). */
export const scopes = [
  'catalog:read',
  'catalog:write',
  'cart:read',
  'cart:write',
  'orders:read',
  'orders:write',
  'marketing:read',
  'marketing:write',
  'admin:read',
  'admin:write',
  'profile:read',
  'profile:write',
] as const

export type Scope = (typeof scopes)[number]
