// Every path of the module.

import type { Route } from '../../http/route.ts'
import { applicationRoutes } from './applications.ts'

export const routes: Route[] = [...applicationRoutes]
