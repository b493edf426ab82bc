// A write that was done, as an audit log may keep it.

import type { FastifyRequest } from 'fastify'
import type { Tx } from '../base/db.ts'
import './asked.ts'
import type { Principal, Route } from './route.ts'

/** Who did what. Bodies are no part of it: they may hold secrets. */
export interface Deed {
  principal: Principal | null
  method: string
  /** The path as it was asked for, without its query. */
  path: string
  /** The path as it was declared, with names in place of ids. */
  route: string
  requestId: string
  status: number
}

/** Writes a deed down in the transaction that does it. */
export type RecordDeed = (tx: Tx, deed: Deed) => void

export const deedOf = (route: Route, { asked, method, url }: FastifyRequest, status: number): Deed => ({
  principal: asked.principal,
  method,
  path: url.split('?', 1)[0]!,
  route: route.path,
  requestId: asked.requestId,
  status,
})
