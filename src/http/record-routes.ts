// Whole shops in and out as NDJSON: the paths around the import and the export of records.

import { Type } from 'typebox'
import type { Environment } from '../base/db.ts'
import { exportedLines } from '../base/export-records.ts'
import { importRecords, type ImportReport, maxRefusalsTold } from '../base/import-records.ts'
import type { RecordKind } from '../base/records.ts'
import { refuse } from '../base/refusal.ts'
import type { Language } from './language.ts'
import { download, type Principal, type Route, upload } from './route.ts'
import { integer, list, nullable, oneOf } from './schema.ts'
import type { Scope } from './scopes.ts'
import { spokenFaults } from './validation.ts'

const ndjson = 'application/x-ndjson'
/** Of one environment in one process: each takes a connection from those who buy. */
const importsAtOnce = 3
const busySeconds = 10
/** Of a strict import that was refused; `refusals` has the rest. */
const maxFieldsTold = 100

const count = (description: string) => integer(0, Number.MAX_SAFE_INTEGER, { description })

const report = Type.Object({
  read: count('Lines that were not empty.'),
  stored: count('Records that stand in the shop now as their lines say.'),
  refused: count('All refused lines, also those that are not told.'),
  refusals: list(
    Type.Object({
      line: integer(1, Number.MAX_SAFE_INTEGER, { description: 'Counted from 1, empty ones too.' }),
      record: nullable(Type.String({ examples: ['offer'] })),
      id: Type.Unsafe<string | number | null>({
        type: ['integer', 'number', 'string', 'null'],
        examples: [17],
      }),
      fields: list(
        Type.Object({
          path: Type.String({ examples: ['price_tiyin'] }),
          rule: Type.String({ examples: ['minimum'] }),
          message: Type.String({ examples: ['must be at least 1'] }),
        }),
      ),
    }),
    maxRefusalsTold,
  ),
})

/** Import and export of these kinds, in the order in which they depend on each other. */
export function recordRoutes(kinds: readonly RecordKind[]): Route[] {
  const names = kinds.map((it) => it.name)
  const underWay: Record<Environment, number> = { live: 0, test: 0 }
  return [
    upload('/v1/catalog/import', {
      summary: 'Import records',
      description: `One record a line, of any kind and in any order: ${names.map((it) => `\`${it}\``).join(', ')}. What has the same id is brought to what the line says, so the same file twice changes nothing. Lines are committed a thousand at a time; a line that is refused is reported and stops no other. It takes no \`Idempotency-Key\` and no dry run: send it again. Records of clients, limits and rates need \`admin:write\`, promotions \`marketing:write\`.`,
      scope: 'catalog:write',
      takes: [ndjson, 'application/jsonl'],
      example: exampleLines,
      query: Type.Object(
        {
          strict: Type.Optional(
            Type.Boolean({ description: 'All or nothing: one refused line leaves everything as it was.' }),
          ),
        },
        { additionalProperties: false },
      ),
      reply: report,
      run: async ({ db, body, query, signal, principal, language, environment }) => {
        if (underWay[environment] >= importsAtOnce)
          throw refuse('service_unavailable', { retry_after: busySeconds })
        underWay[environment]++
        try {
          const strict = query.strict ?? false
          const done = await importRecords(db, body, { kinds, strict, signal, lacks: lackedBy(principal) })
          if (strict && done.refused > 0) throw notWhole(done, language)
          return { data: told(done, language) }
        } finally {
          underWay[environment]--
        }
      },
    }),
    download('/v1/catalog/export', {
      summary: 'Export records',
      description:
        'Every record that your scopes let you read, one a line, as the import takes them; what others name comes first.',
      scope: 'catalog:read',
      gives: ndjson,
      example: exampleLines,
      query: Type.Object(
        {
          records: Type.Optional(
            Type.Array(oneOf(names), { description: 'Only these kinds.', maxItems: 100 }),
          ),
        },
        { additionalProperties: false },
      ),
      run: ({ db, query, principal }) => exportedLines(db, readable(kinds, query.records, principal)),
    }),
  ]
}

const exampleLines = `{"record":"brand","id":1,"slug":"artel","name":"Artel"}
{"record":"brand","id":2,"slug":"samsung","name":"Samsung"}
`

const lackedBy =
  (principal: Principal | null) =>
  ({ area = 'catalog' }: RecordKind): Scope | undefined =>
    principal?.scopes.has(`${area}:write`) ? undefined : `${area}:write`

/** The kinds that were asked for, which the caller must be allowed to read; else those that he is. */
function readable(
  kinds: readonly RecordKind[],
  asked: string[] | undefined,
  principal: Principal | null,
): RecordKind[] {
  const scopeOf = ({ area = 'catalog' }: RecordKind): Scope => `${area}:read`
  const may = (kind: RecordKind) => principal?.scopes.has(scopeOf(kind)) === true
  if (!asked) return kinds.filter(may)
  const wanted = kinds.filter((it) => asked.includes(it.name))
  const lacking = wanted.filter((it) => !may(it)).map(scopeOf)
  if (lacking.length > 0)
    throw refuse('insufficient_permissions', {
      required_scopes: [...new Set(lacking)],
      current_scopes: [...(principal?.scopes ?? [])],
    })
  return wanted
}

const told = (done: ImportReport, language: Language) => ({
  ...done,
  refusals: done.refusals.map(({ faults, ...line }) => ({ ...line, fields: spokenFaults(faults, language) })),
})

const notWhole = (done: ImportReport, language: Language) =>
  refuse('validation_failed', {
    ...told(done, language),
    fields: done.refusals
      .flatMap(({ line, faults }) =>
        faults.map((it) => ({ ...it, path: ['lines', line, it.path].filter(Boolean).join('.') })),
      )
      .slice(0, maxFieldsTold),
  })
