// The import command beside a running server, killed during the import, and run again.

import { equal, match, ok } from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ndjson } from '../support/records.ts'
import {
  bozor,
  bozorChild,
  ending,
  startServer,
  preparedFolder,
  temporaryFolder,
} from '../support/process.ts'
import { waitUntil } from '../support/wait-until.ts'

const env = { DATA_DIR: await preparedFolder(), DEMO: 'false' }
const files = temporaryFolder()
const file = (name: string, records: readonly unknown[]) => {
  const path = join(files, name)
  writeFileSync(path, ndjson(records))
  return path
}
const server = await startServer(env)
const numbers = (to: number) => Array.from({ length: to }, (_, at) => at + 1)
const words = (text: string) => ({ ru: text, uz: text, en: text })
const category = { record: 'category', id: 1, slug: 'phones', name: words('Телефоны') }
const partner = { record: 'partner', id: 1, slug: 'texnomart', name: 'Texnomart' }
const product = (id: number) => ({
  record: 'product',
  id,
  category_id: 1,
  slug: `phone-${id}`,
  name: words(`Phone ${id}`),
})
const offer = (id: number, product_id: number) => ({
  record: 'offer',
  id,
  product_id,
  partner_id: 1,
  price_tiyin: 100_000 + id,
  quantity: 5,
})
/** Offers before their products, so that some of them wait for the end of the file. */
const offersFirst = (count: number) => [
  ...numbers(count).map((id) => offer(id, (id % 500) + 1)),
  ...numbers(500).map(product),
  category,
  partner,
]

test('the import command works beside a running server, which shows the records; export returns them', async () => {
  const path = '/v1/catalog/offers/7'
  equal((await server.call('GET', path)).status, 404)
  const done = await bozor(['import', file('offers.ndjson', offersFirst(1_200)), '--env', 'test'], env)
  equal(done.code, 0, done.stderr)
  match(done.stdout, /^1702 lines read, 1702 records stored, 0 unchanged, 0 lines refused in /)
  await waitUntil(async () => (await server.call('GET', path)).status === 200)
  const cheaper = { ...offer(7, 8), price_tiyin: 5 }
  await bozor(['import', file('cheaper.ndjson', [cheaper])], env)
  await waitUntil(async () =>
    JSON.stringify((await server.call('GET', path)).body.data).includes('"amount":5,'),
  )

  const out = join(files, 'out.ndjson')
  equal((await bozor(['export', out, '--env', 'test'], env)).code, 0)
  equal(statSync(out).mode & 0o777, 0o600)
  equal((await bozor(['import', out, '--env', 'live', '--strict'], env)).code, 0)
  const again = await bozor(['export', '--env', 'live'], env)
  equal(again.stdout, readFileSync(out, 'utf8'))
  const offers = await bozor(['export', '-', '--env', 'live', '--records', 'offer'], env)
  equal(offers.stdout.split('\n').length, 1_201)
})

test('refused lines go to stderr and the command exits with 1', async () => {
  const bad = file('bad.ndjson', [{ ...offer(1, 8), price_tiyin: 0 }, offer(2, 77_777), '{', partner])
  const done = await bozor(['import', bad], env)
  equal(done.code, 1)
  match(done.stdout, /^4 lines read, 0 records stored, 1 unchanged, 3 lines refused in /)
  match(
    done.stderr,
    /^line 1, offer 1: price_tiyin must be at least 1\nline 2, offer 2: product_id there is no product 77777\nline 3: must be exactly one JSON value\n$/,
  )
  const strict = await bozor(['import', bad, '--strict', '--json'], env)
  equal(strict.code, 1)
  equal(JSON.parse(strict.stdout).stored, 0)
})

test('import --dry-run says what would be stored and stores nothing', async () => {
  const fresh = file('fresh.ndjson', [{ ...partner, id: 555, slug: 'fresh' }, offer(3, 88_888)])
  const done = await bozor(['import', fresh, '--dry-run'], env)
  equal(done.code, 1)
  match(
    done.stdout,
    /^2 lines read, 1 records stored, 0 unchanged, 1 lines refused in .*; nothing was changed because of --dry-run\.$/m,
  )
  match(done.stderr, /^line 2, offer 3: product_id there is no product 88888$/m)
  const exported = await bozor(['export', '--env', 'live', '--records', 'partner'], env)
  ok(!exported.stdout.includes('"fresh"'))
})

test('wrong arguments are explained in one sentence', async () => {
  const wrong: [string[], RegExp, number?][] = [
    [['import'], /name one FILE/],
    [['import', join(files, 'none')], /there is no file/, 3],
    [['import', files], /is a directory/],
    [['import', join(files, 'shop.csv')], /name it, for example --csv product/],
    [['import', '-', '--csv', 'car'], /--csv must be one of category, /],
    [['import', '-', '--env', 'prod'], /--env must be live or test/],
    [['export', '--records', 'car'], /unknown record kinds "car"; known kinds: category, /],
    [['export', join(files, 'no', 'such')], /cannot write/, 1],
  ]
  for (const [args, sentence, expected = 2] of wrong) {
    const { code, stderr } = await bozor(args, env)
    equal(code, expected, stderr)
    match(stderr, sentence)
    ok(!stderr.includes('    at '))
  }
})

const everyone = [category, partner, ...numbers(500).map(product)]
const many = [...everyone, ...numbers(20_000).map((id) => offer(1_000_000 + id, (id % 500) + 1))]
const manyStored = async () => {
  const { text } = await server.call('GET', '/v1/catalog/export?records=offer', { key: server.keys.live })
  return text.split('\n').filter((it) => /"id":10\d{5},/.test(it)).length
}
/** Cheaper than an export, which would read all offers at every poll. */
const isStored = async (at: number) => {
  const path = `/v1/catalog/offers/${many[everyone.length + at - 1]!.id}`
  return (await server.call('GET', path, { key: server.keys.live })).status === 200
}

/** Sends the lines and keeps the input open: the command stays in the middle of its work. */
function heldImport(records: readonly unknown[]): ChildProcess {
  const child = bozorChild(['import', '-', '--env', 'live'], env, 'pipe')
  child.stdin!.on('error', () => {})
  child.stdin!.write(ndjson(records))
  return child
}

test('Ctrl-C ends an import after the current batch and prints how much is stored', async () => {
  const child = heldImport(many.slice(0, 2_000))
  const ended = ending(child)
  await waitUntil(() => isStored(1), { what: 'the first batch is stored' })
  child.kill('SIGINT')
  child.stdin!.end(ndjson(many.slice(2_000)))
  const { code, stderr } = await ended
  equal(code, 1)
  match(stderr, /^bozor: stopped after \d+ lines; \d000 records are stored, run it again for the rest\n$/)
})

test('an import killed with -9 and run again is complete without duplicates', async () => {
  const child = heldImport(many.slice(0, 15_000))
  await waitUntil(() => isStored(4_000), { what: 'four thousand offers are stored' })
  child.kill('SIGKILL')
  await once(child, 'exit')
  const left = await manyStored()
  ok(left < 15_000)
  equal((left + everyone.length) % 1_000, 0)

  const done = await bozor(['import', file('many.ndjson', many), '--env', 'live'], env)
  match(done.stdout, /^20502 lines read, \d+ records stored, \d+ unchanged, 0 lines refused/)
  equal(await manyStored(), 20_000)
  equal(await server.end('SIGTERM'), 0)
})
