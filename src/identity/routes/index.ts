// Every path of the module.

import type { Route } from '../../http/route.ts'
import { applicationRoutes } from './applications.ts'
import { auditRoutes } from './audit.ts'
import { consentRoutes } from './consents.ts'
import { keyRoutes } from './keys.ts'
import { memberRoutes } from './members.ts'
import { secretRoutes } from './secrets.ts'
import { usageRoutes } from './usage.ts'

export const routes: Route[] = [
  ...applicationRoutes,
  ...keyRoutes,
  ...secretRoutes,
  ...usageRoutes,
  ...auditRoutes,
  ...memberRoutes,
  ...consentRoutes,
]
