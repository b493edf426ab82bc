// What a write changed: the fields of a record that differ between its reads before and after. Pure.

import { clip } from '../base/clip.ts'

/** Values are JSON texts; null when there is none, or when values of this kind are not kept. */
export interface AuditChange {
  field: string
  before: string | null
  after: string | null
}

const maxChanges = 40
const maxValueLength = 500
/** They change with every write. */
const ignored = new Set(['updated_at', 'version'])
/**
 * Records of persons and campaigns: the log keeps which field changed, not its values. Otherwise the log would hold
 * data of erased persons, and show campaigns to readers without their scope.
 */
const personal =
  /^\/v1\/(admin\/(clients|members|me|mandates|sessions)|orders|auth|marketing\/(campaign|templates|consents|notifications))/

type Fields = Record<string, unknown>

/**
 * Both are replies with the record under the same name: `{ product: { … } }`. Of a deleted record only the first reply is
 * read. A reply without a record under that name is no version of it, so nothing is known.
 */
export function auditChanges(
  route: string,
  before: unknown,
  after: unknown,
  { isDeleted }: { isDeleted: boolean },
): AuditChange[] {
  const known = recordsOf(before)
  const written = recordsOf(after)
  const name = Object.keys(known).find((it) => isDeleted || written[it])
  if (name === undefined) return []
  const old = known[name]!
  const next = isDeleted ? {} : written[name]!
  const keepsValues = !personal.test(route)
  const text = (value: unknown) =>
    value === undefined || !keepsValues ? null : clip(JSON.stringify(value), maxValueLength)
  return [...new Set([...Object.keys(old), ...Object.keys(next)])]
    .filter((it) => !ignored.has(it) && JSON.stringify(old[it]) !== JSON.stringify(next[it]))
    .slice(0, maxChanges)
    .map((field) => ({ field, before: text(old[field]), after: text(next[field]) }))
}

/** The records of a reply by name. */
const recordsOf = (reply: unknown): Record<string, Fields> =>
  Object.fromEntries(
    Object.entries(typeof reply === 'object' && reply !== null ? reply : {}).filter(
      ([, value]) => typeof value === 'object' && value !== null && !Array.isArray(value),
    ),
  ) as Record<string, Fields>
