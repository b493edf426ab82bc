import type { Environment } from '../../base/db.ts'
import type { Vault } from '../../base/vault.ts'
import type { Route } from '../../http/route.ts'
import type { Tail } from '../tail.ts'
import { deliveryRoutes } from './deliveries.ts'
import { eventRoutes } from './events.ts'
import { webhookRoutes } from './webhooks.ts'

export const routesOver = ({ vault, tails }: { vault: Vault; tails: Record<Environment, Tail> }): Route[] => [
  ...webhookRoutes(vault),
  ...deliveryRoutes,
  ...eventRoutes(tails),
]
