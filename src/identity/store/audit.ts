// The statements about the audit log.

import type { Reader, Tx } from '../../base/db.ts'
import { type Listing, sliceOf, type Slice } from '../../base/listing.ts'
import { timedUuid } from '../../base/random.ts'
import type { AuditRecord } from '../audit.ts'

/** Writes a record with the actor's present name. It travels with the change it tells of. */
export function insertAuditRecord(tx: Tx, it: Omit<AuditRecord, 'id' | 'at' | 'actorName'>): void {
  tx.later(
    `insert into identity_audit
       (id, at, actor_kind, actor_id, actor_name, credential, method, path, request_id, status, subject, facts)
     values ($1, $2, $3, $4,
       case $3 when 'member' then (select name from identity_members where id = $4)
               when 'application' then (select name from identity_applications where client_id = $4) end,
       $5, $6, $7, $8, $9, $10, $11)`,
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
      it.facts,
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

/** Records that match. A subject or a path may be given by its beginning, when it ends in `*`. */
export function listAuditRecords(
  read: Reader,
  filter: AuditFilter,
  listing: Listing,
): Promise<Slice<AuditRecord>> {
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
  return sliceOf<AuditRecord>(
    read,
    {
      columns: `id, at, actor_kind as "actorKind", actor_id as "actorId", actor_name as "actorName", credential, method,
        path, request_id as "requestId", status, subject, facts`,
      from: 'identity_audit',
      where,
      values,
      sorts: { at: { by: 'at', type: 'timestamptz' } },
      key: { by: 'id', type: 'text' },
    },
    listing,
  )
}

export const auditEnd = `delete from identity_audit where id in (
  select id from identity_audit where at < $1 order by at limit $2) returning 1`
