// Factors in Parquet, as Spark and other engines write them, and files that are damaged or claim to be huge.

import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { type ColumnMetaData, parquetMetadata } from 'hyparquet'
import { ByteWriter, type ColumnSource, type ParquetWriteOptions, parquetWriteBuffer } from 'hyparquet-writer'
import { writeMetadata } from 'hyparquet-writer/src/metadata.js'
import {
  addGroupInteractions,
  groupSize,
  stockTwoGroups,
  trainAndServe,
} from '../../../test/support/behaviour.ts'
import { assertRefused } from '../../../test/support/refused.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { Refusal } from '../../base/refusal.ts'
import { type Items, itemsOf } from '../models/items.ts'
import { readExternalModel } from './read-external-model.ts'

type Written = Omit<ParquetWriteOptions, 'writer' | 'columnData'>

/** As Spark: optional columns, and lists of three levels whose elements cannot be null. */
const sparkSchema: Written['schema'] = [
  { name: 'spark_schema', num_children: 2 },
  { name: 'id', type: 'INT32', repetition_type: 'OPTIONAL' },
  { name: 'features', repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', type: 'FLOAT', repetition_type: 'REQUIRED' },
]
interface Row {
  id: number | null
  features: readonly (number | null)[] | null
}
const written = (rows: readonly Row[], options: Written = {}, own: Partial<ColumnSource> = {}): Uint8Array =>
  new Uint8Array(
    parquetWriteBuffer({
      schema: sparkSchema,
      createdBy: 'parquet-mr version 1.13.1',
      rowGroupSize: 100,
      columnData: [
        { name: 'id', data: rows.map((it) => it.id), ...own },
        { name: 'features', data: rows.map((it) => it.features) as ColumnSource['data'], ...own },
      ],
      ...options,
    }),
  )

const products = 500
const items: Items = itemsOf(
  Array.from({ length: products }, (_, at) => ({
    productId: at + 1,
    categoryId: 1,
    departmentId: 1,
    brandId: 1,
    priceTiyin: 1,
    words: '',
  })),
)
const terms = { until: new Date('2026-11-01T00:00:00Z'), alpha: 1, regularisation: 0.1 }
async function* piecesOf(bytes: Uint8Array) {
  for (let from = 0; from < bytes.length; from += 1_000) yield bytes.subarray(from, from + 1_000)
}
const read = (...files: Uint8Array[]) =>
  readExternalModel(
    files.map((it, at) => ({ name: files.length > 1 ? `part-${at}` : '', source: piecesOf(it) })),
    items,
    terms,
  )

const rowsFrom = (first: number, last: number): Row[] =>
  Array.from({ length: last - first + 1 }, (_, at) => ({
    id: first + at,
    features: Array.from({ length: 10 }, (__, place) => Math.fround(((first + at) % 7) / 8 + place)),
  }))
const all = rowsFrom(1, products)
const expected = await read(written(all))

const codecs: [name: string, options: Written, own?: Partial<ColumnSource>][] = [
  ['uncompressed pages', { codec: 'UNCOMPRESSED' }],
  ['GZIP', { codec: 'GZIP', compressors: { GZIP: (it) => gzipSync(it) } }],
  ['ZSTD', { codec: 'ZSTD', compressors: { ZSTD: (it) => zstdCompressSync(it) } }],
  ['many small pages', { pageSize: 100 }],
  ['one row group', { rowGroupSize: products }],
  ['dictionary pages', {}, { encoding: 'RLE_DICTIONARY' }],
  [
    'lists named as other engines do, of numbers of 64 bits',
    {
      schema: [
        { name: 'schema', num_children: 2 },
        { name: 'id', type: 'INT64', repetition_type: 'REQUIRED' },
        { name: 'features', repetition_type: 'REQUIRED', converted_type: 'LIST', num_children: 1 },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'item', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
      ],
    },
  ],
]

test('a file with Snappy gives every factor', () => {
  const { external, report } = expected
  deepEqual(report, { read: products, known: products, unknown: 0, unknownNeighbours: 0 })
  ok(external.content.kind === 'factors')
  equal(external.content.dimensions, 10)
  deepEqual([...external.content.rows.subarray(16 * 11, 16 * 11 + 10)], all[11]!.features)
})

for (const [name, options, own] of codecs)
  test(`the same factors: ${name}`, async () => {
    const isLong = name.includes('64 bits')
    const rows = isLong ? all.map((it) => ({ ...it, id: BigInt(it.id!) as unknown as number })) : all
    deepEqual(await read(written(rows, options, own)), expected)
  })

test('the parts of a folder are one import', async () => {
  deepEqual(await read(...[1, 101, 301].map((at, n) => written(rowsFrom(at, [100, 300, 500][n]!)))), expected)
  await refused(read(written(rowsFrom(1, 10)), written(rowsFrom(10, 20))), 'part-1.rows.1.id', 'taken')
})

async function refused(result: Promise<unknown>, path: string, rule: string, text = /./): Promise<void> {
  await rejects(result, (error) => {
    ok(error instanceof Refusal, String(error))
    const fields = error.details['fields'] as { path: string; rule: string; limit?: unknown }[]
    const found = fields.find((it) => it.path === path && it.rule === rule)
    ok(found, JSON.stringify(fields))
    if (rule === 'parquet') match(String(found.limit), text)
    return true
  })
}

const changed = (at: number, features: Row['features'], id: Row['id'] = at + 1) =>
  written(all.map((it, place) => (place === at ? { id, features } : it)))
const ten = (value: number | null) => Array.from({ length: 10 }, () => value)
const wrongRows: [name: string, file: Uint8Array, path: string, rule: string][] = [
  ['of another length', changed(120, [1, 2]), 'rows.121.features', 'dimensions'],
  ['of no numbers', changed(3, []), 'rows.4.features', 'min_items'],
  ['without a list', changed(3, null), 'rows.4.features', 'required'],
  ['with NaN', changed(3, ten(Number.NaN)), 'rows.4.features.0', 'type'],
  ['with an infinite number', changed(3, ten(Infinity)), 'rows.4.features.0', 'type'],
  ['with a large number', changed(3, ten(1e9)), 'rows.4.features.0', 'maximum'],
  ['without an id', changed(3, ten(1), null), 'rows.4.id', 'type'],
  ['with a repeated id', changed(3, ten(1), 1), 'rows.4.id', 'taken'],
]
for (const [name, file, path, rule] of wrongRows)
  test(`a row ${name} is refused by its number`, () => refused(read(file), path, rule))

const whole = written(all)
const other = (columns: ColumnSource[]) => new Uint8Array(parquetWriteBuffer({ columnData: columns }))
const wrongFiles: [name: string, file: Uint8Array, text: RegExp][] = [
  ['that is truncated', whole.subarray(0, whole.length - 20), /truncated/],
  ['that is four bytes long', whole.subarray(0, 4), /truncated/],
  ['that lacks its middle', Buffer.concat([whole.subarray(0, 500), whole.subarray(5_000)]), /./],
  [
    'with another column',
    other([
      { name: 'id', data: [1] },
      { name: 'factors', data: [1.5] },
    ]),
    /needs the columns id/,
  ],
  [
    'whose ids are texts',
    other([
      { name: 'id', data: ['one'] },
      { name: 'features', data: [1.5] },
    ]),
    /column id must have whole numbers/,
  ],
  [
    'whose features are no lists',
    other([
      { name: 'id', data: Int32Array.of(1) },
      { name: 'features', data: [1.5] },
    ]),
    /column features must have lists/,
  ],
]
for (const [name, file, text] of wrongFiles)
  test(`a file ${name} is refused with the cause`, () => refused(read(file), '', 'parquet', text))

test('changed bytes anywhere are an import of other numbers or a refusal, and never a crash', async () => {
  const small = written(rowsFrom(1, 20), { codec: 'UNCOMPRESSED' })
  for (let at = 4; at < small.length; at += 37) {
    const damaged = small.slice()
    damaged[at]! ^= 0xff
    await read(damaged).catch((error: unknown) => ok(error instanceof Refusal, String(error)))
  }
})

const tenGigabytes = 10 * 1024 ** 3

/** A file of one row group with another footer. */
function withFooter(file: Uint8Array, change: (features: ColumnMetaData) => void): Uint8Array {
  const metadata = parquetMetadata(file)
  change(metadata.row_groups[0]!.columns[1]!.meta_data!)
  const length = new DataView(file.buffer, file.byteOffset).getUint32(file.byteLength - 8, true)
  const footer = new ByteWriter()
  writeMetadata(footer, metadata)
  return Buffer.concat([
    file.subarray(0, file.length - 8 - length),
    new Uint8Array(footer.getBuffer()),
    Buffer.from('PAR1'),
  ])
}

test('a row group that claims ten gigabytes is refused before it is read', async () => {
  const one = written(all, { rowGroupSize: products })
  const claims: [change: (features: ColumnMetaData) => void, text: RegExp][] = [
    [(it) => (it.total_uncompressed_size = BigInt(tenGigabytes)), /row group 0 has .* bytes, at most/],
    [(it) => (it.total_compressed_size = BigInt(tenGigabytes)), /truncated/],
    [(it) => (it.num_values = BigInt(tenGigabytes)), /too many values/],
  ]
  const before = process.memoryUsage().rss
  for (const [change, text] of claims) await refused(read(withFooter(one, change)), '', 'parquet', text)
  ok(process.memoryUsage().rss - before < 500e6)
})

test('a page that claims two gigabytes is refused before memory is allocated for it', async () => {
  const one = written(all.slice(0, 20), { rowGroupSize: products })
  const { columns } = parquetMetadata(one).row_groups[0]!
  const header = Number(columns[1]!.meta_data!.data_page_offset)
  // In a page header the uncompressed size follows its type: a field of delta 1, then a number of seven bits a byte.
  equal(one[header + 2], 0x15)
  let end = header + 3
  while (one[end]! >= 0x80) end++
  const claimed = Uint8Array.of(0xfe, 0xff, 0xff, 0xff, 0x0f)
  const longer = claimed.length - (end + 1 - (header + 3))
  const body = Buffer.concat([one.subarray(0, header + 3), claimed, one.subarray(end + 1)])
  const file = withFooter(body, (it) => (it.total_compressed_size += BigInt(longer)))
  await refused(read(file), '', 'parquet', /a page claims 21474836\d\d bytes/)
})

test('over HTTP: one file, counted and served; a damaged one leaves the model', async () => {
  const shop = await openPlatform()
  await stockTwoGroups(await openStock(shop))
  await addGroupInteractions(shop.app.shops.test.db)
  await trainAndServe(shop)
  const send = (file: Uint8Array) =>
    fetch(`${shop.url}/v1/recommendations/models/external?alpha=40`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${shop.keys.test}`,
        'content-type': 'application/vnd.apache.parquet',
      },
      body: Buffer.from(file),
    })
  const reply = await send(written(rowsFrom(1, 2 * groupSize + 5)))
  equal(reply.status, 200)
  const { data } = (await reply.json()) as { data: { known: number; unknown: number; model: { id: string } } }
  deepEqual([data.known, data.unknown], [2 * groupSize, 5])
  const damaged = await send(whole.subarray(0, 3_000))
  const text = await damaged.text()
  assertRefused('validation_failed', {
    status: damaged.status,
    headers: damaged.headers,
    text,
    body: JSON.parse(text),
  })
  const { body } = await shop.call('GET', '/v1/recommendations/models')
  equal(body.data.models.find((it: { is_active: boolean }) => it.is_active).id, data.model.id)
})
