// What errors of PostgreSQL mean to callers.

import pg from 'pg'
import { Refusal, refuse } from './refusal.ts'

/** The name of the unique constraint that rejected a row. */
export const violatedUnique = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code === '23505' ? error.constraint : undefined

/** The reference that broke a foreign key: its column, its value, and the table that holds it. */
export function brokenReference(error: unknown): { field: string; value: string; table: string } | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23503') return undefined
  const [, field = 'id', value = ''] = /\((\w+)\)=\(([^)]*)\)/.exec(error.detail ?? '') ?? []
  return { field, value, table: error.table ?? '' }
}

/** Whether a row violated a constraint or held a value that its column cannot store. */
export const isConstraintViolation = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')

/** Whether another transaction held a row lock for longer than `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '55P03'

/** Whether a statement took longer than `statement_timeout`. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '57014'

/** Whether a value could not be cast to the type of its column or parameter. */
export const isInvalidValue = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code?.startsWith('22') === true

export const isDivisionByZero = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '22012'

/** Deadlocks and serialization failures: the transaction may succeed when it is repeated. */
export const isContention = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001')

const busyCodes = new Set(['40P01', '40001', '55P03', '57014', '53300'])
const lostCodes = /^(08...|53[12]00|57P0[1-5]|58030|25006|XX001)$/
const lostSocket =
  /ECONN|ENOENT|EPIPE|ETIMEDOUT|Connection terminated|timeout exceeded when trying to connect|not queryable/

/** A fatal error ends the connection, or refuses it: the database takes none, or the password was changed. */
const isLost = ({ code = '', severity }: pg.DatabaseError): boolean =>
  lostCodes.test(code) || severity === 'FATAL' || severity === 'PANIC'

/** Throws a refusal when the database is busy or unreachable; rethrows everything else. */
export function throwAsRefusal(error: unknown): never {
  if (error instanceof Refusal) throw error
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (error instanceof pg.DatabaseError && busyCodes.has(code))
    throw refuse('service_unavailable', { retry_after: 1 })
  if ((error instanceof pg.DatabaseError && isLost(error)) || lostSocket.test(`${code} ${message}`))
    throw refuse('storage_unavailable', { retry_after: 2 })
  throw error
}
