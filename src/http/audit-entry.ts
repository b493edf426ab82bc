import type { FastifyRequest } from 'fastify'
import type { Tx } from '../base/database.ts'
import type {} from './request-state.ts'
import type { Principal, Route } from './route.ts'

/** A completed write, as the audit log records it. Bodies are left out: they may hold secrets. */
export interface AuditEntry {
  principal: Principal | null
  method: string
  /** The requested path without its query. */
  path: string
  /** The declared path, with parameter names in place of ids. */
  route: string
  requestId: string
  status: number
}

/** Stores the entry in the transaction of the write. */
export type RecordAuditEntry = (tx: Tx, entry: AuditEntry) => void

export const auditEntryOf = (
  route: Route,
  { state, method, url }: FastifyRequest,
  status: number,
): AuditEntry => ({
  principal: state.principal,
  method,
  path: url.split('?', 1)[0]!,
  route: route.path,
  requestId: state.requestId,
  status,
})
