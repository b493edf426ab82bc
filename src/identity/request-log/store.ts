// SQL of the request log.

import type { Reader, Tx } from '../../base/database.ts'
import { type ListPage, type ListRequest, loadPage } from '../../base/listing.ts'

export interface LoggedCall {
  id: string
  at: Date
  requestId: string
  method: string
  path: string
  route: string | null
  status: number
  errorCode: string | null
  ms: number
  /** The key, token or session; for a refused one only its kind. */
  credential: string | null
  applicationId: string | null
  userAgent: string | null
  requestBody: string | null
  replyBody: string | null
  /** Calls of the same kind before this one that were not kept, because there were too many. */
  skipped: number
}

export type ListedCall = Omit<LoggedCall, 'requestBody' | 'replyBody'> & { applicationName: string | null }

const storedColumns = [
  'id',
  'at',
  'request_id',
  'method',
  'path',
  'route',
  'status',
  'error_code',
  'ms',
  'credential',
  'application_id',
  'user_agent',
  'request_body',
  'reply_body',
  'skipped',
]

const listedColumns = `id::text, at, request_id as "requestId", method, path, route, status, error_code as "errorCode", ms,
  credential, application_id as "applicationId", user_agent as "userAgent", skipped,
  (select name from identity_applications where application_id = log.application_id) as "applicationName"`

export function insertCalls(tx: Tx, calls: readonly LoggedCall[]): void {
  tx.later(
    `insert into identity_request_log (${storedColumns.join(', ')})
     select * from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int4[],
       $8::text[], $9::float8[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::int4[])`,
    [
      calls.map((it) => it.id),
      calls.map((it) => it.at),
      calls.map((it) => it.requestId),
      calls.map((it) => it.method),
      calls.map((it) => it.path),
      calls.map((it) => it.route),
      calls.map((it) => it.status),
      calls.map((it) => it.errorCode),
      calls.map((it) => it.ms),
      calls.map((it) => it.credential),
      calls.map((it) => it.applicationId),
      calls.map((it) => it.userAgent),
      calls.map((it) => it.requestBody),
      calls.map((it) => it.replyBody),
      calls.map((it) => it.skipped),
    ],
  )
}

export const callSorts = ['at'] as const

export interface CallFilter {
  /** A request id, a part of a path, a key or an application. */
  q?: string | undefined
  requestId?: string | undefined
  path?: string | undefined
  method?: string | undefined
  /** `failed`, `4xx` or `404`. */
  status?: string | undefined
  credential?: string | undefined
  applicationId?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

export function listCalls(
  read: Reader,
  filter: CallFilter,
  listing: ListRequest,
): Promise<ListPage<ListedCall>> {
  const where: string[] = []
  const values: unknown[] = []
  const bind = (value: unknown) => `$${values.push(value)}`
  const same = (column: string, value: unknown) =>
    value !== undefined && where.push(`${column} = ${bind(value)}`)
  if (filter.q !== undefined) {
    const q = bind(filter.q)
    where.push(
      `(request_id = ${q} or credential = ${q} or application_id = ${q} or position(${q} in path) > 0)`,
    )
  }
  same('request_id', filter.requestId)
  same('method', filter.method)
  same('credential', filter.credential)
  same('application_id', filter.applicationId)
  if (filter.path?.endsWith('*')) where.push(`starts_with(path, ${bind(filter.path.slice(0, -1))})`)
  else same('path', filter.path)
  const [lowest, highest] = statusRange(filter.status)
  if (filter.status !== undefined) where.push(`status between ${bind(lowest)} and ${bind(highest)}`)
  if (filter.from) where.push(`at >= ${bind(filter.from)}`)
  if (filter.to) where.push(`at < ${bind(filter.to)}`)
  return loadPage<ListedCall>(
    read,
    {
      columns: listedColumns,
      from: 'identity_request_log log',
      where,
      values,
      sorts: { at: { by: 'at', type: 'timestamptz' } },
      key: { by: 'id::text', type: 'text' },
    },
    listing,
  )
}

export const statusForm = '^(failed|[1-5]xx|[1-5][0-9]{2})$'

function statusRange(status = ''): [lowest: number, highest: number] {
  if (status === 'failed') return [400, 599]
  return status.endsWith('xx')
    ? [Number(status[0]) * 100, Number(status[0]) * 100 + 99]
    : [Number(status), Number(status)]
}

export const findCall = (read: Reader, id: string) =>
  read.maybe<LoggedCall & ListedCall>(
    `select ${listedColumns}, request_body as "requestBody", reply_body as "replyBody"
     from identity_request_log log where id = $1`,
    [id],
  )

export const callsPurgeSql = `delete from identity_request_log where id in (
  select id from identity_request_log where at < $1 order by at limit $2) returning 1`

/** Deletes the oldest calls above a number of calls. */
export const callsTrimSql = `delete from identity_request_log where id in (
  select id from identity_request_log order by at desc, id desc offset $1 limit $2) returning 1`
