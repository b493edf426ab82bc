import { deepEqual, equal, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Client } from '@opensearch-project/opensearch'
import { openOpenSearchServer, type RecordedCall } from '../../../test/support/opensearch.ts'
import { fill, find, holdsContract, indexed } from '../../../test/support/search-contract.ts'
import type { Environment } from '../../base/database.ts'
import { OpenSearchTexts } from './opensearch-texts.ts'

const server = await openOpenSearchServer()
const client = new Client({ node: server.url })
after(() => client.close())
const openTexts = (environment: Environment) =>
  new OpenSearchTexts(() => Promise.resolve(client), `bozor-${environment}`)

holdsContract('opensearch', openTexts)

test('a rebuild in OpenSearch moves the aliases to new indices and deletes the old ones', async () => {
  const own = () => [...server.indices.keys()].filter((it) => it.startsWith('bozor-live'))
  const before = own()
  for (const it of server.indices.values()) it.mappings._meta = { version: 0 }
  const { ask } = await fill(openTexts('live'), indexed.slice(0, 30))
  equal(own().length, 2)
  ok(before.length === 2 && before.every((it) => !server.indices.has(it)))
  const aliased = ['bozor-live-words', 'bozor-live-rows'].map((it) => server.aliases.get(it)!)
  deepEqual(aliased.sort(), own().sort())
  ok((await ask(find('смартфон'))).total > 0)
})

/** Every different form of a request once: its type, and the names in it. */
function forms(calls: readonly RecordedCall[]): RecordedCall[] {
  const namesIn = (value: unknown): string =>
    Array.isArray(value)
      ? [...new Set(value.map(namesIn))].join()
      : typeof value === 'object' && value !== null
        ? Object.entries(value)
            .map(([name, it]) => `${name}(${namesIn(it)})`)
            .join()
        : typeof value
  return [...new Map(calls.map((it) => [it.type + namesIn(it.request), it])).values()]
}

test('the requests to OpenSearch are those that its published API description allows', async () => {
  const kinds = new Set(server.calls.map((it) => it.type))
  for (const type of ['Bulk_Request', 'Search_Request', 'Mget_Request', 'Indices_UpdateAliases_Request'])
    ok(kinds.has(type), type)
  const lines = forms(server.calls).map(
    ({ type, request }, at) => `export const call${at}: API.${type} = ${JSON.stringify(request)}\n`,
  )
  // The client's types are generated from the description; they lack the field of a terms aggregation.
  const source = lines.join('').replaceAll('"terms":{"field":"words",', '"terms":{')
  const folder = await mkdtemp(join(import.meta.dirname, '../../../node_modules/.calls-'))
  after(() => rm(folder, { recursive: true }))
  await writeFile(
    join(folder, 'calls.ts'),
    `import type { API } from '@opensearch-project/opensearch'\n${source}`,
  )
  const compiler = join(import.meta.dirname, '../../../node_modules/.bin/tsc')
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'es2023',
  ]
  const compiled = await promisify(execFile)(compiler, [...options, join(folder, 'calls.ts')]).catch(
    (error: { stdout: string }) => error,
  )
  equal(compiled.stdout, '')
})
