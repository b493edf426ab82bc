// A small OpenSearch server: the calls that the search engine makes, over documents in memory. It refuses any path,
// parameter or kind of query that it does not know, and documents that a strict mapping does not allow.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { text } from 'node:stream/consumers'

type Document = Record<string, unknown>
interface Stored {
  source: Document
  seqNo: number
}
interface Index {
  mappings: { _meta: unknown; properties: Record<string, unknown> }
  documents: Map<string, Stored>
  lookups: Map<string, Map<unknown, Set<string>>>
}

/** A call as the client's types describe it: the parameters and the body in one object. */
export interface RecordedCall {
  type: string
  request: Record<string, unknown>
}

export interface OpenSearchServer {
  url: string
  indices: Map<string, Index>
  aliases: Map<string, string>
  calls: RecordedCall[]
}

class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Query = Record<string, any>
type Body = Record<string, any>

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value == null ? [] : [value])

/** By value, the documents that have it in a field. */
function byValue({ documents }: Index, field: string): Map<unknown, Set<string>> {
  const found = new Map<unknown, Set<string>>()
  for (const [id, { source }] of documents)
    for (const value of listOf(source[field])) {
      const ids = found.get(value) ?? new Set()
      found.set(value, ids.add(id))
    }
  return found
}

/** The same, computed once until documents change. */
function lookup(index: Index, field: string): Map<unknown, Set<string>> {
  const found = index.lookups.get(field) ?? byValue(index, field)
  index.lookups.set(field, found)
  return found
}

const union = (sets: readonly Set<string>[]): Set<string> => new Set(sets.flatMap((it) => [...it]))

function matching(index: Index, query: Query): Set<string> {
  const [[kind, given], ...more] = Object.entries(query) as [[string, any]]
  if (more.length > 0) throw new Refused(400, 'a query has one kind')
  if (kind === 'match_all') return new Set(index.documents.keys())
  const [field, wanted] = Object.entries(given)[0] as [string, any]
  const none = new Set<string>()
  if (kind === 'terms') return union(wanted.map((it: unknown) => lookup(index, field).get(it) ?? none))
  if (kind === 'term') return lookup(index, field).get(wanted.value) ?? none
  if (kind === 'prefix') {
    const begun = [...lookup(index, field)].filter(([value]) => String(value).startsWith(wanted.value))
    return union(begun.map(([, ids]) => ids))
  }
  if (kind !== 'bool') throw new Refused(400, `unknown query ${kind}`)
  const { filter = [], should = [], must_not = [], minimum_should_match = 0, ...unknown } = given
  if (Object.keys(unknown).length > 0 || minimum_should_match > 1)
    throw new Refused(400, `unknown in bool: ${Object.keys(unknown).join()}`)
  const one = (it: Query) => matching(index, it)
  let found = filter
    .map(one)
    .reduce(
      (all: Set<string>, it: Set<string>) => new Set([...all].filter((id) => it.has(id))),
      minimum_should_match === 1 ? union(should.map(one)) : new Set(index.documents.keys()),
    )
  for (const it of must_not) {
    const excluded = one(it)
    found = new Set([...found].filter((id) => !excluded.has(id)))
  }
  return found
}

export async function openOpenSearchServer(): Promise<OpenSearchServer> {
  const indices = new Map<string, Index>()
  const aliases = new Map<string, string>()
  const calls: RecordedCall[] = []
  const indexOf = (name: string): Index => {
    const found = indices.get(aliases.get(name) ?? name)
    if (!found) throw new Refused(404, `no such index [${name}]`)
    return found
  }
  const handle = handler({ indices, aliases, calls }, indexOf)
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      try {
        const { pathname, searchParams } = new URL(request.url!, 'http://local')
        const parameters = Object.fromEntries(searchParams)
        const answer = handle(`${request.method} ${decodeURIComponent(pathname)}`, parameters, body)
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      } catch (error) {
        const status = error instanceof Refused ? error.status : 500
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify({ error: { type: String(error), reason: '' }, status }))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, indices, aliases, calls }
}

function handler(
  { indices, aliases, calls }: Pick<OpenSearchServer, 'indices' | 'aliases' | 'calls'>,
  indexOf: (name: string) => Index,
) {
  const routes: [RegExp, (path: string[], parameters: Body, body: string) => unknown][] = [
    [
      /^HEAD \/_alias\/([\w-]+)$/,
      ([name]) => {
        calls.push({ type: 'Indices_ExistsAlias_Request', request: { name } })
        if (!aliases.has(name!)) throw new Refused(404, 'no such alias')
        return true
      },
    ],
    [
      /^GET \/_alias\/([\w-]+)$/,
      ([name]) => {
        calls.push({ type: 'Indices_GetAlias_Request', request: { name } })
        return { [aliases.get(name!)!]: { aliases: { [name!]: {} } } }
      },
    ],
    [
      /^GET \/([\w-]+)\/_mapping$/,
      ([index]) => {
        calls.push({ type: 'Indices_GetMapping_Request', request: { index } })
        return { [aliases.get(index!) ?? index!]: { mappings: indexOf(index!).mappings } }
      },
    ],
    [
      /^PUT \/([\w-]+)$/,
      ([index], parameters, text) => {
        const body = JSON.parse(text) as Body
        calls.push({ type: 'Indices_Create_Request', request: { index, ...parameters, body } })
        if (indices.has(index!)) throw new Refused(400, 'the index exists')
        indices.set(index!, { mappings: body['mappings'], documents: new Map(), lookups: new Map() })
        return { acknowledged: true, index, shards_acknowledged: true }
      },
    ],
    [
      /^DELETE \/([\w,-]+)$/,
      ([names]) => {
        const index = names!.split(',')
        calls.push({ type: 'Indices_Delete_Request', request: { index } })
        for (const it of index) if (!indices.delete(it)) throw new Refused(404, `no such index ${it}`)
        return { acknowledged: true }
      },
    ],
    [
      /^(?:GET|POST) \/([\w,-]+)\/_refresh$/,
      ([names]) => {
        calls.push({ type: 'Indices_Refresh_Request', request: { index: names!.split(',') } })
        for (const it of names!.split(',')) indexOf(it)
        return { _shards: {} }
      },
    ],
    [
      /^POST \/_aliases$/,
      (_, parameters, text) => {
        const body = JSON.parse(text) as { actions: Body[] }
        calls.push({ type: 'Indices_UpdateAliases_Request', request: { ...parameters, body } })
        for (const { add, remove } of body.actions)
          if (add) aliases.set(add.alias, add.index)
          else
            for (const alias of remove.aliases) if (aliases.get(alias) === remove.index) aliases.delete(alias)
        return { acknowledged: true }
      },
    ],
    [
      /^POST \/_bulk$/,
      (_, parameters, text) => {
        const body = text
          .trim()
          .split('\n')
          .map((it) => JSON.parse(it) as Body)
        calls.push({ type: 'Bulk_Request', request: { ...parameters, body } })
        return { took: 1, errors: false, items: bulk(body, indexOf) }
      },
    ],
    [
      /^(?:GET|POST) \/([\w-]+)\/_mget$/,
      ([index], parameters, text) => {
        const body = JSON.parse(text) as { ids: string[] }
        calls.push({ type: 'Mget_Request', request: { index, ...parameters, body } })
        const { documents } = indexOf(index!)
        return { docs: body.ids.map((id) => shown(index!, id, documents.get(id))) }
      },
    ],
    [
      /^(?:GET|POST) \/([\w-]+)\/_search$/,
      ([index], parameters, text) => {
        const body = JSON.parse(text) as Body
        calls.push({ type: 'Search_Request', request: { index, ...parameters, body } })
        return search(indexOf(index!), body)
      },
    ],
  ]
  return (call: string, parameters: Body, body: string): unknown => {
    for (const [pattern, run] of routes) {
      const match = pattern.exec(call)
      if (match) return run(match.slice(1), parameters, body)
    }
    throw new Refused(400, `unknown call ${call}`)
  }
}

const shown = (index: string, id: string, it: Stored | undefined) =>
  it
    ? { _index: index, _id: id, found: true, _seq_no: it.seqNo, _primary_term: 1, _source: it.source }
    : { _index: index, _id: id, found: false }

function bulk(lines: Body[], indexOf: (name: string) => Index): Body[] {
  const items: Body[] = []
  for (let at = 0; at < lines.length; at++) {
    const [action, { _index, _id, if_seq_no }] = Object.entries(lines[at]!)[0] as [string, Body]
    const { documents, mappings, lookups } = indexOf(_index)
    lookups.clear()
    const known = documents.get(_id)
    if (action === 'delete') {
      documents.delete(_id)
      items.push({ delete: { _index, _id, status: known ? 200 : 404 } })
      continue
    }
    const source = lines[++at]!
    const strange = Object.keys(source).filter((it) => !(it in mappings.properties))
    if (strange.length > 0) throw new Refused(400, `strict_dynamic_mapping_exception: ${strange}`)
    const isConflict = action === 'create' ? known : if_seq_no !== undefined && known?.seqNo !== if_seq_no
    if (!isConflict) documents.set(_id, { source, seqNo: (known?.seqNo ?? -1) + 1 })
    items.push({ [action]: { _index, _id, status: isConflict ? 409 : 201 } })
  }
  return items
}

function search(index: Index, body: Body): Body {
  const { query = { match_all: {} }, size, sort, search_after: after, aggs } = body
  let hits = Array.from(matching(index, query), (id): [string, Stored] => [id, index.documents.get(id)!])
  const field = sort && Object.keys(sort[0])[0]!
  const value = ([, { source }]: [string, Stored]) => source[field] as number
  if (sort) hits.sort((a, b) => (value(a) < value(b) ? -1 : 1))
  if (after) hits = hits.filter((it) => value(it) > after[0])
  const counts = aggs && lookup(index, aggs.rows.terms.field)
  return {
    hits: {
      hits: hits
        .slice(0, size)
        .map((it) => ({ _id: it[0], _source: it[1].source, ...(sort && { sort: [value(it)] }) })),
    },
    ...(aggs && {
      aggregations: {
        rows: {
          buckets: aggs.rows.terms.include
            .filter((it: string) => counts.has(it))
            .map((key: string) => ({ key, doc_count: counts.get(key).size })),
        },
      },
    }),
  }
}
