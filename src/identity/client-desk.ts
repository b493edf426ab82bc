import type { Environment } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import type { Shop } from '../base/shop.ts'
import { networkOf } from '../http/admission.ts'
import type { Circumstances, Principal } from '../http/route.ts'
import type { Passwords } from './password.ts'
import type { Owners } from './register-client.ts'
import type { Browser } from './sign-in.ts'

/** What the paths and pages of clients are handed when the house is wired. */
export interface ClientDesk {
  shops: Record<Environment, Shop>
  passwords: Passwords
  owners: Owners
  log: Log
}

/** The network whose tries are counted; null for a server that calls for its buyers, who all come through it. */
export const countedNetwork = (principal: Principal | null, ip: string): string | null =>
  principal?.actor.kind === 'application' && principal.application?.type === 'server' ? null : networkOf(ip)

const longestUserAgent = 300

export const browserOf = ({
  principal,
  ip,
  userAgent = '',
}: Pick<Circumstances, 'principal' | 'ip' | 'userAgent'>): Browser => ({
  userAgent: userAgent.slice(0, longestUserAgent),
  network: networkOf(ip),
  before:
    principal?.actor.kind === 'client' && principal.application === null
      ? { id: principal.id, clientId: principal.actor.clientId }
      : null,
})
