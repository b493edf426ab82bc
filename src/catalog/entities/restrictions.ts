// Which entities a caller may read. A key inside a phone app sees what shoppers may see.

import type { RequestContext } from '../../http/route.ts'
import type { Scope } from '../../http/scopes.ts'

/** Callers without one of the scopes see only the entities that are open. */
export interface Restriction<E> {
  scopes: readonly Scope[]
  /** Selects the open ones. */
  condition: [sql: string, value: unknown]
  isOpen(entity: E): boolean
}

type Caller = Pick<RequestContext, 'principal'>

/** The restrictions that apply to a caller; none when the caller sees everything. */
export const restrictionsFor = <E>(
  restrictions: readonly Restriction<E>[],
  { principal }: Caller,
): Restriction<E>[] => restrictions.filter((it) => !it.scopes.some((scope) => principal?.scopes.has(scope)))

export const mayRead = <E>(restrictions: readonly Restriction<E>[], call: Caller, entity: E): boolean =>
  restrictionsFor(restrictions, call).every((it) => it.isOpen(entity))
