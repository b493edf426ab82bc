// Imports by command, as an operator runs them: beside a running server, killed in the middle, and run again.

import { equal, match, ok } from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ndjson } from '../support/records.ts'
import { bozor, bozorChild, ending, startServer, temporaryFolder } from '../support/process.ts'
import { until } from '../support/until.ts'

const folder = temporaryFolder()
const env = { DATA_DIR: join(folder, 'data'), DEMO: 'false' }
const file = (name: string, records: readonly unknown[]) => {
  const path = join(folder, name)
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
/** Offers before what they name, so that a part of them waits for the end of the file. */
const goods = (count: number) => [
  ...numbers(count).map((id) => offer(id, (id % 500) + 1)),
  ...numbers(500).map(product),
  category,
  partner,
]

test('a command brings records in beside a running server, which shows them; and takes them out again', async () => {
  const path = '/v1/catalog/offers/7'
  equal((await server.call('GET', path)).status, 404)
  const done = await bozor(['import', file('goods.ndjson', goods(1_200)), '--env', 'test'], env)
  equal(done.code, 0, done.stderr)
  match(done.stdout, /^1702 lines read, 1702 records stored, 0 lines refused in /)
  await until(async () => (await server.call('GET', path)).status === 200)
  const cheaper = { ...offer(7, 8), price_tiyin: 5 }
  await bozor(['import', file('cheaper.ndjson', [cheaper])], env)
  await until(async () => JSON.stringify((await server.call('GET', path)).body.data).includes('"amount":5,'))

  const out = join(folder, 'out.ndjson')
  equal((await bozor(['export', out, '--env', 'test'], env)).code, 0)
  equal(statSync(out).mode & 0o777, 0o600)
  equal((await bozor(['import', out, '--env', 'live', '--strict'], env)).code, 0)
  const again = await bozor(['export', '--env', 'live'], env)
  equal(again.stdout, readFileSync(out, 'utf8'))
  const offers = await bozor(['export', '-', '--env', 'live', '--records', 'offer'], env)
  equal(offers.stdout.split('\n').length, 1_201)
})

test('refused lines are told on the side, and the command ends with 1', async () => {
  const bad = file('bad.ndjson', [{ ...offer(1, 8), price_tiyin: 0 }, offer(2, 77_777), '{', partner])
  const done = await bozor(['import', bad], env)
  equal(done.code, 1)
  match(done.stdout, /^4 lines read, 1 records stored, 3 lines refused in /)
  match(
    done.stderr,
    /^line 1, offer 1: price_tiyin must be at least 1\nline 2, offer 2: product_id names something that does not exist\nline 3: is not exactly one JSON value\n$/,
  )
  const strict = await bozor(['import', bad, '--strict', '--json'], env)
  equal(strict.code, 1)
  equal(JSON.parse(strict.stdout).stored, 0)
})

test('what is asked for wrongly is told in a sentence', async () => {
  const wrong: [string[], RegExp][] = [
    [['import'], /name one FILE/],
    [['import', join(folder, 'none')], /there is no file/],
    [['import', folder], /is a directory/],
    [['import', '-', '--env', 'prod'], /--env must be live or test/],
    [['export', '--records', 'car'], /there are no records "car"; there are category, /],
    [['export', join(folder, 'no', 'such')], /cannot be written/],
  ]
  for (const [args, sentence] of wrong) {
    const { code, stderr } = await bozor(args, env)
    equal(code, 1)
    match(stderr, sentence)
    ok(!stderr.includes('    at '))
  }
})

const everyone = [category, partner, ...numbers(500).map(product)]
const many = [...everyone, ...numbers(20_000).map((id) => offer(1_000_000 + id, (id % 500) + 1))]
const manyStored = async () => {
  const { stdout } = await bozor(['export', '--env', 'live', '--records', 'offer'], env)
  return stdout.split('\n').filter((it) => /"id":10\d{5},/.test(it)).length
}

/** The lines come, and their end is held back: the command is in the middle of its work for as long as we like. */
function heldImport(records: readonly unknown[]): ChildProcess {
  const child = bozorChild(['import', '-', '--env', 'live'], env, 'pipe')
  child.stdin!.on('error', () => {})
  child.stdin!.write(ndjson(records))
  return child
}

test('Ctrl-C ends an import after the batch under way, and says how much is stored', async () => {
  const child = heldImport(many.slice(0, 2_000))
  const ended = ending(child)
  await until(async () => (await manyStored()) > 0)
  child.kill('SIGINT')
  child.stdin!.end(ndjson(many.slice(2_000)))
  const { code, stderr } = await ended
  equal(code, 1)
  match(stderr, /^bozor: stopped after \d+ lines; \d000 records are stored, run it again for the rest\n$/)
})

test('killed -9 in the middle and run again, an import ends complete with nothing twice', async () => {
  const child = heldImport(many.slice(0, 15_000))
  await until(async () => (await manyStored()) >= 4_000)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const left = await manyStored()
  ok(left < 15_000)
  equal((left + everyone.length) % 1_000, 0)

  const done = await bozor(['import', file('many.ndjson', many), '--env', 'live'], env)
  match(done.stdout, /^20502 lines read, 20502 records stored, 0 lines refused/)
  equal(await manyStored(), 20_000)
  equal(await server.end('SIGTERM'), 0)
})
