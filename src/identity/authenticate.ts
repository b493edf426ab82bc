// Who calls. The form of a credential tells its kind and its environment; the environment's desk knows the rest.

import type { IncomingHttpHeaders } from 'node:http'
import type { Environment } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import { Refusal, refuse } from '../base/refusal.ts'
import type { Shop } from '../base/shop.ts'
import type { Authenticate, Caller } from '../http/admission.ts'
import type { Principal } from '../http/route.ts'
import { apiKeyCredential } from './api-key-credential.ts'
import { cookieOf } from './cookie.ts'
import type { CredentialKind } from './credential.ts'
import { isOurOwn } from './csrf.ts'
import { Desk } from './desk.ts'
import { accessTokenCredential } from './oauth/access-token-credential.ts'
import { memberCredential } from './member-credential.ts'
import { sessionCredential } from './session-credential.ts'
import { addUsage } from './store/usage.ts'
import { UsageCounts } from './usage.ts'

const noteUseEveryMs = 5_000

/** Every kind of credential. Where two cookies are sent, the kind that is meant is taken, else the first of them. */
export const credentialKinds: readonly CredentialKind[] = [
  apiKeyCredential,
  accessTokenCredential,
  sessionCredential,
  memberCredential,
]

export interface Authenticator {
  authenticate: Authenticate
  /** Counts a call for its key. */
  noteAnswer(principal: Principal, status: number): void
  close(): Promise<void>
}

export function openAuthenticator(
  shops: Record<Environment, Shop>,
  { log, zone, kinds = credentialKinds }: { log: Log; zone: string; kinds?: readonly CredentialKind[] },
): Authenticator {
  const usage = {
    live: new UsageCounts(shops.live.clock, zone),
    test: new UsageCounts(shops.test.clock, zone),
  }
  const open = (shop: Shop) => new Desk(shop, (it) => usage[shop.environment].note(it, 'refused'))
  const desks = { live: open(shops.live), test: open(shops.test) }
  const noteUse = () =>
    Promise.all(
      [shops.live, shops.test].flatMap(({ environment, db }) => [
        desks[environment].noteUse(),
        usage[environment].drain((counted) => db.transaction((tx) => addUsage(tx, counted))),
      ]),
    )
  const timer = setInterval(() => {
    noteUse().catch((error: unknown) => log.warn('the last use of credentials could not be noted', { error }))
  }, noteUseEveryMs).unref()
  const bearers = kinds.filter((it) => it.carrier === 'bearer')
  const cookies = kinds.filter((it) => it.carrier === 'cookie')
  return {
    authenticate: (caller) =>
      caller.headers.authorization === undefined
        ? fromCookie(desks, cookies, caller)
        : fromBearer(desks, bearers, caller.headers),
    noteAnswer: (principal, status) =>
      usage[principal.environment].note(principal, status < 400 ? 'served' : 'refused'),
    close: async () => {
      clearInterval(timer)
      await noteUse().catch(() => {})
    },
  }
}

type Desks = Record<Environment, Desk>

function fromBearer(
  desks: Desks,
  kinds: readonly CredentialKind[],
  headers: IncomingHttpHeaders,
): Principal | Promise<Principal> {
  const text = /^bearer +([^\s]+)$/i.exec(headers.authorization!)?.[1]
  if (text !== undefined)
    for (const kind of kinds) {
      const environment = kind.environmentOf(text, headers)
      if (environment) return desks[environment].principalOf(kind, text)
    }
  throw refuse('unauthorized', { reason: 'malformed' })
}

/** A browser sends cookies unasked, so a bad one is no fault of a call that needs none: it is told, not thrown. */
function fromCookie(
  desks: Desks,
  kinds: readonly CredentialKind[],
  caller: Caller,
): null | Promise<Principal | Refusal> {
  const meant = kinds.filter((it) => it.isMeant?.(caller.headers))
  for (const kind of [...meant, ...kinds]) {
    const text = cookieOf(caller, kind.cookie!)
    const environment = text && kind.environmentOf(text, caller.headers)
    if (!environment) continue
    if (!isOurOwn(caller, text)) return Promise.resolve(refuse('origin_mismatch', { header: 'Origin' }))
    return told(async () => {
      const principal = await desks[environment].principalOf(kind, text)
      return kind.actsIn ? { ...principal, environment: kind.actsIn(text, caller.headers) } : principal
    })
  }
  return null
}

async function told(look: () => Principal | Promise<Principal>): Promise<Principal | Refusal> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unauthorized') return error
    throw error
  }
}
