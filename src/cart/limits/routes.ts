// Administration of purchase limits.

import { Type } from 'typebox'
import { get, patch, put, type Route } from '../../http/route.ts'
import { changes, instant, strict, named } from '../../http/schema.ts'
import type { StoredLimits } from './limits.ts'
import { limitsFields, limitsIn, recordOf, setLimits } from './limits-record.ts'
import { findLimits } from './store.ts'

const reply = Type.Object({ limits: named('Limits', Type.Object({ ...limitsFields, updated_at: instant })) })

const view = (it: StoredLimits) => ({
  data: { limits: { ...recordOf(it), updated_at: it.updatedAt.toISOString() } },
  version: it.version,
})

export const limitsRoutes: Route[] = [
  get('/v1/admin/limits', {
    summary: 'Read the purchase limits',
    scope: 'admin:read',
    reply,
    run: async ({ read }) => view(await findLimits(read)),
  }),
  put('/v1/admin/limits', {
    summary: 'Set all purchase limits',
    description: 'Every process applies them within a second.',
    scope: 'admin:write',
    body: strict(limitsFields),
    reply,
    versioned: true,
    run: async ({ tx, body, ifMatch }) => view(await setLimits(tx, limitsIn(body), { ifMatch })),
  }),
  patch('/v1/admin/limits', {
    summary: 'Change some purchase limits',
    scope: 'admin:write',
    body: changes(limitsFields),
    reply,
    versioned: true,
    run: async ({ tx, body, ifMatch }) => view(await setLimits(tx, limitsIn(body), { ifMatch })),
  }),
]
