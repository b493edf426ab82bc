// Import and export of records as NDJSON.

import { Type } from 'typebox'
import type { Environment } from '../base/database.ts'
import { exportedLines } from '../base/records/export-records.ts'
import { importRecords, type ImportReport, maxRefusalsReported } from '../base/records/import-records.ts'
import type { RecordKind } from '../base/records/record-kind.ts'
import { refuse } from '../base/refusal.ts'
import type { Language } from './language.ts'
import { download, type Principal, type Route, upload } from './route.ts'
import { integer, list, nullable, oneOf } from './schema.ts'
import type { Scope } from './scopes.ts'
import { localizedFaults } from './validation.ts'

const ndjson = 'application/x-ndjson'
const csv = 'text/csv'
/** Per environment and process: each import holds a database connection. */
const importsAtOnce = 3
const busySeconds = 10
/** Of a refused strict import; `refusals` has the rest. */
const maxFieldsReported = 100

const count = (description: string) => integer(0, Number.MAX_SAFE_INTEGER, { description })

const report = Type.Object({
  read: count('Lines read, without empty ones.'),
  stored: count('Records that were added or changed.'),
  unchanged: count('Records that were as given already.'),
  refused: count('All refused lines, also those that are not listed.'),
  refusals: list(
    Type.Object({
      line: integer(1, Number.MAX_SAFE_INTEGER, { description: 'Line number from 1, empty lines included.' }),
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
          limit: Type.Optional(
            Type.Unknown({ description: 'The limit, the allowed values, or an example.', examples: [1] }),
          ),
        }),
      ),
    }),
    maxRefusalsReported,
  ),
})

/** The kinds are given in order of dependency. */
export function recordRoutes(kinds: readonly RecordKind[]): Route[] {
  const names = kinds.map((it) => it.name)
  const running: Record<Environment, number> = { live: 0, test: 0 }
  return [
    upload('/v1/catalog/import', {
      summary: 'Import records',
      description: `One record per line, of any kind and in any order: ${names.map((it) => `\`${it}\``).join(', ')}. A record with a known id is updated, so importing a file twice changes nothing. Lines are committed a thousand at a time; a refused line is reported and does not stop the others. Imports take no \`Idempotency-Key\`: repeat them instead. A CSV file has records of one kind, which \`record\` names; its first row has the fields, such as \`id\`, \`name.ru\` or \`price_tiyin\`, and lists are separated by \`|\`. Records of clients, limits and exchange rates need \`admin:write\`, promotions \`marketing:write\`.`,
      scope: 'catalog:write',
      accepts: [ndjson, 'application/jsonl', csv],
      example: exampleLines,
      query: Type.Object(
        {
          strict: Type.Optional(
            Type.Boolean({ description: 'All or nothing: if one line is refused, nothing is stored.' }),
          ),
          dry_run: Type.Optional(
            Type.Boolean({ description: 'Stores nothing; the report says what would be stored.' }),
          ),
          record: Type.Optional(
            oneOf(names, { description: 'The kind of the records in a CSV file (`text/csv`).' }),
          ),
        },
        { additionalProperties: false },
      ),
      reply: report,
      run: async ({ db, body, query, signal, principal, language, environment, rawRequest }) => {
        if (running[environment] >= importsAtOnce)
          throw refuse('service_unavailable', { retry_after: busySeconds })
        running[environment]++
        try {
          const strict = query.strict ?? false
          const done = await importRecords(db, body, {
            kinds,
            strict,
            csv: csvKind(query.record, rawRequest.headers['content-type']),
            dryRun: query.dry_run ?? false,
            signal,
            lacks: missingScope(principal),
          })
          if (strict && done.refused > 0) throw strictImportRefused(done, language)
          return { data: reportView(done, language) }
        } finally {
          running[environment]--
        }
      },
    }),
    download('/v1/catalog/export', {
      summary: 'Export records',
      description:
        'All records that your scopes allow, one per line, in the format of the import. Records that others refer to come first. A credential may run four downloads at once.',
      scope: 'catalog:read',
      produces: ndjson,
      example: exampleLines,
      query: Type.Object(
        {
          records: Type.Optional(
            Type.Array(oneOf(names), { description: 'Only records of these kinds.', maxItems: 100 }),
          ),
        },
        { additionalProperties: false },
      ),
      run: ({ db, query, principal }) => exportedLines(db, readable(kinds, query.records, principal)),
    }),
  ]
}

/** The kind of the records of a CSV file; undefined for NDJSON. */
function csvKind(record: string | undefined, contentType = ''): string | undefined {
  const isCsv = contentType.toLowerCase().startsWith(csv)
  if (isCsv === (record !== undefined)) return record
  throw refuse('validation_failed', {
    fields: [{ path: 'record', rule: isCsv ? 'required' : 'unused_without_csv' }],
  })
}

const exampleLines = `{"record":"brand","id":1,"slug":"artel","name":"Artel"}
{"record":"brand","id":2,"slug":"samsung","name":"Samsung"}
`

const missingScope =
  (principal: Principal | null) =>
  ({ area = 'catalog' }: RecordKind): Scope | undefined =>
    principal?.scopes.has(`${area}:write`) ? undefined : `${area}:write`

/** The requested kinds, which the caller must be allowed to read; by default all that the caller may read. */
function readable(
  kinds: readonly RecordKind[],
  requested: string[] | undefined,
  principal: Principal | null,
): RecordKind[] {
  const scopeOf = ({ area = 'catalog', exportArea }: RecordKind): Scope => `${exportArea ?? area}:read`
  const may = (kind: RecordKind) => principal?.scopes.has(scopeOf(kind)) === true
  const shown = (kind: RecordKind) => (seesAll(kind, principal) ? kind : onlyOpen(kind))
  if (!requested) return kinds.filter(may).map(shown)
  const wanted = kinds.filter((it) => requested.includes(it.name))
  const lacking = wanted.filter((it) => !may(it)).map(scopeOf)
  if (lacking.length > 0)
    throw refuse('insufficient_permissions', {
      required_scopes: [...new Set(lacking)],
      current_scopes: [...(principal?.scopes ?? [])],
    })
  return wanted.map(shown)
}

const seesAll = ({ area = 'catalog', isOpen }: RecordKind, principal: Principal | null): boolean =>
  !isOpen || principal?.scopes.has(`${area}:write`) === true || principal?.scopes.has('admin:read') === true

/** The same kind without the records that are not open. */
const onlyOpen = (kind: RecordKind): RecordKind => ({
  ...kind,
  page: async (read, after, limit) => {
    const { records, last } = await kind.page(read, after, limit)
    return { records: records.filter((it) => kind.isOpen!(it)), last }
  },
})

const reportView = (done: ImportReport, language: Language) => ({
  ...done,
  refusals: done.refusals.map(({ faults, ...line }) => ({
    ...line,
    fields: localizedFaults(faults, language),
  })),
})

const strictImportRefused = (done: ImportReport, language: Language) =>
  refuse('validation_failed', {
    ...reportView(done, language),
    fields: done.refusals
      .flatMap(({ line, faults }) =>
        faults.map((it) => ({ ...it, path: ['lines', line, it.path].filter(Boolean).join('.') })),
      )
      .slice(0, maxFieldsReported),
  })
