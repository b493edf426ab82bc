// The audit log: who changed what. An entry is written in the transaction of the change.

import type { Tx } from '../../base/database.ts'
import { subjectOf } from '../../events.ts'
import { type AuditEntry, isAudited } from '../../http/audit-entry.ts'
import { type AuditLogEntry, insertAuditLogEntry } from './store.ts'

const maxPathLength = 1_000

/** Writes an audit entry for a request, if it is audited. */
export function recordAuditEntry(tx: Tx, entry: AuditEntry): void {
  if (!isAudited(entry)) return
  const subject = tx.published[0] ? subjectOf(tx.published[0].event) : null
  insertAuditLogEntry(tx, {
    ...actorOf(entry.principal, subject),
    credential: entry.principal?.id ?? null,
    method: entry.method,
    path: entry.path.slice(0, maxPathLength),
    requestId: entry.requestId,
    status: entry.status,
    subject,
    events: tx.published.map((it) => it.event.type),
    changes: entry.changes,
  })
}

/** Writes an audit entry for a command of the command line. */
export function recordCommand(tx: Tx, command: string): void {
  insertAuditLogEntry(tx, {
    actorKind: 'command_line',
    actorId: null,
    credential: null,
    method: 'CLI',
    path: command,
    requestId: null,
    status: null,
    subject: tx.published[0] ? subjectOf(tx.published[0].event) : null,
    events: tx.published.map((it) => it.event.type),
    changes: [],
  })
}

type AuditActor = Pick<AuditLogEntry, 'actorKind' | 'actorId'>

/** At sign-in there is no credential yet; the event names the member. */
export function actorOf(principal: AuditEntry['principal'], subject: string | null): AuditActor {
  const [, signedIn] = /^member\/(.+)$/.exec(subject ?? '') ?? []
  if (!principal)
    return signedIn ? { actorKind: 'member', actorId: signedIn } : { actorKind: 'anonymous', actorId: null }
  const { actor, application } = principal
  if (actor.kind === 'member') return { actorKind: 'member', actorId: actor.memberId }
  if (actor.kind === 'client') return { actorKind: 'client', actorId: String(actor.clientId) }
  return { actorKind: 'application', actorId: application?.id ?? null }
}
