// What the rest of the house needs of identity, wired once: who calls, and the paths and pages on which people enter.

import type { Environment } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import type { Shop } from '../base/shop.ts'
import type { Authenticate } from '../http/admission.ts'
import type { Route } from '../http/route.ts'
import type { Page, ServerOptions } from '../http/server.ts'
import { recordDeed } from './audit.ts'
import { openAuthenticator } from './authenticate.ts'
import { oauthEndpoints } from './oauth/endpoints.ts'
import { entranceBy } from './oauth/entrance.ts'
import { openOrigins } from './origins.ts'
import { clientPages } from './pages/client-pages.ts'
import { memberPages } from './pages/member-pages.ts'
import { Passwords } from './password.ts'
import { noOwners, type Owners } from './register-client.ts'
import { clientRoutes } from './routes/clients.ts'
import { routes } from './routes/index.ts'
import { memberSessionRoutes } from './routes/member-sessions.ts'

export interface IdentityOptions {
  log: Log
  /** The shop's zone, by which the use of keys is counted. */
  zone: string
  publicUrl: string | undefined
  /** Which clients own something is known to modules above; without them nobody does. */
  owners?: Owners | undefined
}

export interface Identity {
  /** What the server is handed, because it stands below us and must know who calls. */
  forServer: Pick<
    ServerOptions,
    'authenticate' | 'noteAnswer' | 'recordDeed' | 'allowsCookiesFrom' | 'annexes'
  > & { authenticate: Authenticate }
  routes: Route[]
  pages: Page[]
  start(): Promise<void>
  close(): Promise<void>
}

export function openIdentity(shops: Record<Environment, Shop>, options: IdentityOptions): Identity {
  const { log, zone, publicUrl, owners = noOwners } = options
  const { authenticate, noteAnswer, close } = openAuthenticator(shops, { log, zone })
  const origins = openOrigins(shops, { publicUrl, log })
  const passwords = new Passwords()
  const clients = { shops, passwords, owners, log }
  return {
    forServer: {
      authenticate,
      noteAnswer,
      recordDeed,
      allowsCookiesFrom: origins.has,
      annexes: oauthEndpoints(shops, entranceBy(authenticate, clients)),
    },
    routes: [...routes, ...clientRoutes(clients), ...memberSessionRoutes({ db: shops.live.db, passwords })],
    pages: [...clientPages(clients), ...memberPages({ db: shops.live.db, passwords })],
    start: origins.start,
    close: async () => {
      origins.close()
      await close()
    },
  }
}
