// Who changed what. A record is written in the transaction of the change, so that neither exists without the other.

import type { Tx } from '../base/db.ts'
import { subjectOf } from '../events.ts'
import type { Deed } from '../http/deed.ts'
import { insertAuditRecord } from './store/audit.ts'

export const actorKinds = ['member', 'application', 'client', 'machine', 'nobody'] as const
export type ActorKind = (typeof actorKinds)[number]

export interface AuditRecord {
  id: string
  at: Date
  actorKind: ActorKind
  actorId: string | null
  /** As it was called at the time. */
  actorName: string | null
  /** Which key or session it was. */
  credential: string | null
  method: string
  path: string
  requestId: string | null
  /** Null for a command. */
  status: number | null
  /** What it was about, such as `brand/12`. */
  subject: string | null
  /** What happened, as the facts that were told. */
  facts: string[]
}

/** Every change by a member is kept, and every change of the administration by anybody. */
export const isKept = ({ principal, route }: Pick<Deed, 'principal' | 'route'>): boolean =>
  principal?.actor.kind === 'member' || route.startsWith('/v1/admin/')

const maxPathLength = 1_000

/** Writes a deed into the audit log, if it belongs there. */
export function recordDeed(tx: Tx, deed: Deed): void {
  if (!isKept(deed)) return
  const subject = tx.told[0] ? subjectOf(tx.told[0].event) : null
  insertAuditRecord(tx, {
    ...actorOf(deed.principal, subject),
    credential: deed.principal?.id ?? null,
    method: deed.method,
    path: deed.path.slice(0, maxPathLength),
    requestId: deed.requestId,
    status: deed.status,
    subject,
    facts: tx.told.map((it) => it.event.type),
  })
}

/** Writes down what the owner of the machine did at the command line. */
export function recordCommand(tx: Tx, command: string): void {
  insertAuditRecord(tx, {
    actorKind: 'machine',
    actorId: null,
    credential: null,
    method: 'CLI',
    path: command,
    requestId: null,
    status: null,
    subject: tx.told[0] ? subjectOf(tx.told[0].event) : null,
    facts: tx.told.map((it) => it.event.type),
  })
}

type Who = Pick<AuditRecord, 'actorKind' | 'actorId'>

/** Who signs in or joins has no credential yet: the fact names the member. */
export function actorOf(principal: Deed['principal'], subject: string | null): Who {
  const [, signedIn] = /^member\/(.+)$/.exec(subject ?? '') ?? []
  if (!principal)
    return signedIn ? { actorKind: 'member', actorId: signedIn } : { actorKind: 'nobody', actorId: null }
  const { actor, application } = principal
  if (actor.kind === 'member') return { actorKind: 'member', actorId: actor.memberId }
  if (actor.kind === 'client') return { actorKind: 'client', actorId: String(actor.clientId) }
  return { actorKind: 'application', actorId: application?.id ?? null }
}
