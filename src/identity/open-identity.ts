// Wires the module: authentication for the server, routes, pages and jobs.

import type { Environment } from '../base/database.ts'
import type { Log } from '../base/log.ts'
import type { Shop } from '../base/shop.ts'
import type { Vault } from '../base/vault.ts'
import type { Authenticate } from '../http/admission.ts'
import type { Module } from '../http/module.ts'
import type { ServerOptions } from '../http/server.ts'
import { keyRoutes, secretRoutes } from './applications/key-routes.ts'
import { openOrigins } from './applications/origins.ts'
import { applicationRoutes } from './applications/routes.ts'
import { hourlyUsageRoutes, usageRoutes } from './applications/usage-routes.ts'
import { recordAuditEntry } from './audit/audit.ts'
import { auditRoutes } from './audit/routes.ts'
import { openAuthenticator } from './authenticate.ts'
import { clientAdminRoutes } from './clients/admin-routes.ts'
import type { ClientData } from './clients/client-data.ts'
import { clientPages } from './clients/pages.ts'
import { clientRecords } from './clients/records.ts'
import { type FindClientsWithData, noClientsWithData } from './clients/register-client.ts'
import { clientRoutes } from './clients/routes.ts'
import { finishErasures, purgeOldRecords, purgeSessions, purgeTokens } from './jobs.ts'
import { memberPages } from './members/pages.ts'
import { memberRoutes } from './members/routes.ts'
import { memberRulesRoutes } from './members/rules.ts'
import { memberSessionRoutes } from './members/session-routes.ts'
import { openBuyerSessions } from './oauth/buyer-session.ts'
import { consentRoutes } from './oauth/consent-routes.ts'
import { openOauth } from './oauth/routes.ts'
import { Passwords } from './passwords.ts'
import { openRequestLog, purgeRequestLog } from './request-log/request-log.ts'

export interface IdentityOptions {
  log: Log
  /** The shop's time zone, used to count key usage by day. */
  zone: string
  publicUrl: string | undefined
  /** Encrypts secrets that must be readable again. */
  vault: Vault
  /** Finds the client ids that own data in the modules above. */
  clientsWithData?: FindClientsWithData | undefined
  /** What modules above keep about clients. */
  clientData?: readonly ClientData[] | undefined
}

export interface Identity extends Module {
  /** Injected into the server, which is below this module on the ladder. */
  forServer: Pick<ServerOptions, 'onReply' | 'recordApiCall' | 'recordAuditEntry' | 'allowsCookiesFrom'> & {
    authenticate: Authenticate
  }
}

export function openIdentity(shops: Record<Environment, Shop>, options: IdentityOptions): Identity {
  const { log, zone, publicUrl, clientsWithData = noClientsWithData, clientData = [] } = options
  const { authenticate, onReply, saveUsage, close } = openAuthenticator(shops, { log, zone })
  const origins = openOrigins(shops, { publicUrl, log })
  const requestLog = openRequestLog(shops, log)
  const passwords = new Passwords()
  const clientDeps = { shops, passwords, clientsWithData, log }
  const oauth = openOauth(shops, openBuyerSessions(authenticate, clientDeps))
  const memberDeps = { db: shops.live.db, passwords, vault: options.vault }
  return {
    forServer: {
      authenticate,
      onReply,
      recordApiCall: requestLog.record,
      recordAuditEntry,
      allowsCookiesFrom: origins.allows,
    },
    routes: [
      ...applicationRoutes,
      ...keyRoutes,
      ...secretRoutes,
      ...usageRoutes,
      ...hourlyUsageRoutes(saveUsage),
      ...auditRoutes,
      ...requestLog.routes,
      ...memberRulesRoutes,
      ...memberRoutes,
      ...consentRoutes,
      ...clientRoutes(clientDeps),
      ...clientAdminRoutes(clientData),
      ...memberSessionRoutes(memberDeps),
    ],
    rawRoutes: oauth.routes,
    jobs: [purgeRequestLog, purgeOldRecords, purgeSessions, purgeTokens, finishErasures(clientData)],
    recordKinds: [clientRecords],
    pages: [...clientPages(clientDeps), ...memberPages(memberDeps)],
    start: origins.start,
    loaded: oauth.loaded,
    close: async () => {
      origins.close()
      await requestLog.close()
      await close()
    },
  }
}
