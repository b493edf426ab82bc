// What a refused write says about its fields.

import { BozorError } from '../../../sdk/index.ts'
import { count } from './language.ts'

interface RefusedField {
  path: string
  limit?: unknown
  message?: string
}

/** Fields of the API that are in tiyin. People type and read sums. */
const isInTiyin = (path: string): boolean => /(^|[._])(amount|tiyin)$/.test(path)

const inSums = (message: string, limit: number): string =>
  message.replaceAll(String(limit), count(limit / 100))

/** Messages of a refused call with the paths of their fields, such as `audience.0.bought`. */
export function pathErrors(error: Error | null): [path: string, message: string][] {
  if (!(error instanceof BozorError)) return []
  const { fields } = error.details as { fields?: RefusedField[] }
  return (fields ?? []).map(({ path, limit, message = error.message }) => [
    path,
    isInTiyin(path) && typeof limit === 'number' ? inSums(message, limit) : message,
  ])
}

/** Messages of a refused write by field, in the language of the request. */
export function fieldErrors(error: Error | null): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [path, message] of pathErrors(error)) found[path.split('.')[0]!] ??= message
  return found
}
