/** What a credential may be allowed to do (SPEC-1 5.1). */
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
] as const

export type Scope = (typeof scopes)[number]
