import type { FastifyRequest } from 'fastify'
import type { Tx } from '../base/database.ts'
import type { AuditChange } from './audit-changes.ts'
import type {} from './request-state.ts'
import type { Principal, Route } from './route.ts'

/** A completed write, as the audit log records it. Bodies are left out: they may hold secrets, and reads never do. */
export interface AuditEntry {
  principal: Principal | null
  method: string
  /** The requested path without its query. */
  path: string
  /** The declared path, with parameter names in place of ids. */
  route: string
  requestId: string
  status: number
  /** Empty when the record cannot be read at the path of the write. */
  changes: readonly AuditChange[]
}

/** Stores the entry in the transaction of the write. */
export type RecordAuditEntry = (tx: Tx, entry: AuditEntry) => void

/** Changes by members, and all changes under `/v1/admin`. */
export const isAudited = ({ principal, route }: Pick<AuditEntry, 'principal' | 'route'>): boolean =>
  principal?.actor.kind === 'member' || route.startsWith('/v1/admin/')

export const auditEntryOf = (
  route: Route,
  { state, method, url }: FastifyRequest,
  status: number,
  changes: readonly AuditChange[] = [],
): AuditEntry => ({
  principal: state.principal,
  method,
  path: url.split('?', 1)[0]!,
  route: route.path,
  requestId: state.requestId,
  status,
  changes,
})
