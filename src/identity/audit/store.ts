// SQL of the audit log.

import type { Reader, Tx } from '../../base/database.ts'
import { type ListRequest, loadPage, type ListPage } from '../../base/listing.ts'
import type { AuditChange } from '../../http/audit-changes.ts'
import { timedUuid } from '../../base/random.ts'

export const actorKinds = ['member', 'application', 'client', 'command_line', 'anonymous'] as const
export type ActorKind = (typeof actorKinds)[number]

export interface AuditLogEntry {
  id: string
  at: Date
  actorKind: ActorKind
  actorId: string | null
  /** The name at that time. */
  actorName: string | null
  /** The key or session. */
  credential: string | null
  method: string
  path: string
  requestId: string | null
  /** Null for a command. */
  status: number | null
  /** What was changed, for example `brand/12`. */
  subject: string | null
  /** The types of the published events. */
  events: string[]
  changes: readonly AuditChange[]
}

/** Writes an entry with the actor's current name, together with the change. */
export function insertAuditLogEntry(tx: Tx, it: Omit<AuditLogEntry, 'id' | 'at' | 'actorName'>): void {
  tx.later(
    `insert into identity_audit
       (id, at, actor_kind, actor_id, actor_name, credential, method, path, request_id, status, subject, events, changes)
     values ($1, $2, $3, $4,
       case $3 when 'member' then (select name from identity_members where id = $4)
               when 'application' then (select name from identity_applications where application_id = $4) end,
       $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      timedUuid(tx.now),
      tx.now,
      it.actorKind,
      it.actorId,
      it.credential,
      it.method,
      it.path,
      it.requestId,
      it.status,
      it.subject,
      it.events,
      JSON.stringify(it.changes),
    ],
  )
}

export const auditSorts = ['at'] as const

export interface AuditFilter {
  actor?: string | undefined
  actorKind?: string | undefined
  subject?: string | undefined
  path?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

/** Subjects and paths ending in `*` match by prefix. */
export function listAuditLog(
  read: Reader,
  filter: AuditFilter,
  listing: ListRequest,
): Promise<ListPage<AuditLogEntry>> {
  const where: string[] = []
  const values: unknown[] = []
  const bind = (value: unknown) => `$${values.push(value)}`
  const matching = (column: string, text: string) =>
    where.push(
      text.endsWith('*') ? `starts_with(${column}, ${bind(text.slice(0, -1))})` : `${column} = ${bind(text)}`,
    )
  if (filter.actor !== undefined) where.push(`actor_id = ${bind(filter.actor)}`)
  if (filter.actorKind !== undefined) where.push(`actor_kind = ${bind(filter.actorKind)}`)
  if (filter.subject !== undefined) matching('subject', filter.subject)
  if (filter.path !== undefined) matching('path', filter.path)
  if (filter.from) where.push(`at >= ${bind(filter.from)}`)
  if (filter.to) where.push(`at < ${bind(filter.to)}`)
  return loadPage<AuditLogEntry>(
    read,
    {
      columns: `id, at, actor_kind as "actorKind", actor_id as "actorId", actor_name as "actorName", credential, method,
        path, request_id as "requestId", status, subject, events, changes`,
      from: 'identity_audit',
      where,
      values,
      sorts: { at: { by: 'at', type: 'timestamptz' } },
      key: { by: 'id', type: 'text' },
    },
    listing,
  )
}

export const auditPurgeSql = `delete from identity_audit where id in (
  select id from identity_audit where at < $1 order by at limit $2) returning 1`
