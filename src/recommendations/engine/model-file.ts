// A model as bytes: a mark, a header that says which tables follow, the tables, and a checksum over all of it. What was
// cut, changed or made for another version is refused before anything of it is used.

import { sha256 } from '../../base/random.ts'
import { type Csr, RowWriter } from '../ml/retrieval/sparse.ts'
import { parseModel } from '../ml/trees/parse-model.ts'
import { writtenModel } from '../ml/trees/write-model.ts'
import { graphNames, type Graphs, type Metrics, type Model } from './model.ts'
import type { Factors, Outside } from './outside.ts'
import { rankerFault } from './ranker.ts'

/** Bytes that are no model, or not one that this version can serve. */
export class ModelRefused extends Error {}

const mark = 'BOZOR-MODEL-1\n'
const checksumBytes = 32
const alignment = 8

type Numbers = Float64Array | Float32Array | Int32Array
const arrays = { f64: Float64Array, f32: Float32Array, i32: Int32Array } as const
type Kind = keyof typeof arrays

interface Header {
  until: string
  metrics: Metrics
  /** The names of the rows of `trends`. */
  places?: readonly string[]
  outside?: OutsideHeader
  tables: { name: string; kind: Kind; length: number }[]
  rankerBytes: number
}

/** What was brought in, without its tables. */
type OutsideHeader = { until: string; products: number } & ({ kind: 'neighbours' } | Omit<Factors, 'rows'>)

export function writtenFile(model: Model): Buffer {
  const tables = tablesOf(model)
  const ranker = Buffer.from(model.ranker ? writtenModel(model.ranker) : '', 'utf8')
  const header: Header = {
    until: model.until.toISOString(),
    metrics: model.metrics,
    places: model.trends.places,
    ...(model.outside && { outside: outsideHeader(model.outside) }),
    tables: tables.map(([name, values]) => ({ name, kind: kindOf(values), length: values.length })),
    rankerBytes: ranker.length,
  }
  const parts: Buffer[] = [Buffer.from(`${mark}${JSON.stringify(header)}\n`, 'utf8')]
  const pad = (length: number) => Buffer.alloc((alignment - (length % alignment)) % alignment, ' ')
  parts.push(pad(parts[0]!.length))
  for (const [, values] of tables) {
    parts.push(Buffer.from(values.buffer, values.byteOffset, values.byteLength), pad(values.byteLength))
  }
  parts.push(ranker)
  const body = Buffer.concat(parts)
  return Buffer.concat([body, sha256(body)])
}

/** The model in a file, or a ModelRefused that says what is wrong with it. */
export function readFile(bytes: Buffer): Model {
  if (bytes.length < mark.length + checksumBytes) throw new ModelRefused('The file is too short for a model.')
  const body = bytes.subarray(0, -checksumBytes)
  if (!sha256(body).equals(bytes.subarray(-checksumBytes)))
    throw new ModelRefused('The checksum does not fit the file: it was cut or changed.')
  if (body.toString('latin1', 0, mark.length) !== mark)
    throw new ModelRefused('The file is not a model of this version.')
  const end = body.indexOf('\n', mark.length)
  const header = JSON.parse(body.toString('utf8', mark.length, end)) as Header
  const tables = readTables(body, end + 1, header)
  const text = body.toString('utf8', body.length - header.rankerBytes)
  const model: Model = {
    until: new Date(header.until),
    ...modelOf(tables, header),
    outside: header.outside && outsideOf(tables, header.outside),
    ranker: header.rankerBytes > 0 ? parseModel(text) : undefined,
    metrics: header.metrics,
  }
  const fault = model.ranker && rankerFault(model.ranker)
  if (fault) throw new ModelRefused(`The ranker cannot serve: ${fault}.`)
  if (model.items.count === 0) throw new ModelRefused('The model knows no goods.')
  return model
}

function tablesOf({
  items,
  graphs,
  popularity,
  recent,
  trends,
  rhythm,
  outside,
}: Model): [string, Numbers][] {
  return [
    ['productIds', items.productIds],
    ['categories', items.categories],
    ['departments', items.departments],
    ['brands', items.brands],
    ['logPrices', items.logPrices],
    ['popularity', popularity],
    ['recent', recent],
    ['gap', rhythm.gap],
    ['again', rhythm.again],
    ...graphNames.flatMap((name) => matrixTables(name, graphs[name])),
    ...matrixTables('trends', trends.weights),
    ...(outside ? outsideTables(outside) : []),
  ]
}

/** For a file of before there were places. */
const noRows = (cols: number): Csr => new RowWriter().matrix(cols)

const matrixTables = (name: string, { offsets, indices, values }: Csr): [string, Numbers][] => [
  [`${name}.offsets`, offsets],
  [`${name}.indices`, indices],
  [`${name}.values`, values],
]

const kindOf = (values: Numbers): Kind =>
  values instanceof Float64Array ? 'f64' : values instanceof Float32Array ? 'f32' : 'i32'

function readTables(body: Buffer, from: number, { tables }: Header): Map<string, Numbers> {
  const aligned = (at: number) => Math.ceil(at / alignment) * alignment
  let at = aligned(from)
  const found = new Map<string, Numbers>()
  for (const { name, kind, length } of tables) {
    const bytes = length * arrays[kind].BYTES_PER_ELEMENT
    // A copy of its own: the view into the file might begin anywhere.
    const copy = new Uint8Array(bytes)
    copy.set(body.subarray(at, at + bytes))
    found.set(name, new arrays[kind](copy.buffer))
    at = aligned(at + bytes)
  }
  return found
}

const tableOf = <N extends Numbers>(tables: ReadonlyMap<string, Numbers>, name: string): N => {
  const found = tables.get(name)
  if (!found) throw new ModelRefused(`The model lacks its table ${name}.`)
  return found as N
}

const matrixOf = (
  tables: ReadonlyMap<string, Numbers>,
  name: string,
  { rows, cols }: { rows: number; cols: number },
): Csr => ({
  rows,
  cols,
  offsets: tableOf<Int32Array>(tables, `${name}.offsets`),
  indices: tableOf<Int32Array>(tables, `${name}.indices`),
  values: tableOf<Float32Array>(tables, `${name}.values`),
})

function modelOf(
  tables: ReadonlyMap<string, Numbers>,
  { places = [] }: Header,
): Pick<Model, 'items' | 'graphs' | 'popularity' | 'recent' | 'trends' | 'rhythm'> {
  const table = <N extends Numbers>(name: string): N => tableOf<N>(tables, name)
  const count = table('productIds').length
  const matrix = (name: string, rows: number): Csr => matrixOf(tables, name, { rows, cols: count })
  return {
    items: {
      count,
      productIds: table<Float64Array>('productIds'),
      categories: table<Int32Array>('categories'),
      departments: table<Int32Array>('departments'),
      brands: table<Int32Array>('brands'),
      logPrices: table<Float32Array>('logPrices'),
    },
    graphs: Object.fromEntries(graphNames.map((name) => [name, matrix(name, count)])) as unknown as Graphs,
    popularity: table<Float64Array>('popularity'),
    recent: table<Float64Array>('recent'),
    trends: { places, weights: places.length > 0 ? matrix('trends', places.length) : noRows(count) },
    rhythm: { gap: table<Float64Array>('gap'), again: table<Float64Array>('again') },
  }
}

const outsideHeader = ({ until, products, learnt }: Outside): OutsideHeader => {
  const told = { until: until.toISOString(), products }
  if (learnt.kind === 'neighbours') return { ...told, kind: learnt.kind }
  const { rows: _rows, ...terms } = learnt
  return { ...told, ...terms }
}

const outsideTables = ({ learnt }: Outside): [string, Numbers][] =>
  learnt.kind === 'neighbours' ? matrixTables('outside', learnt.graph) : [['outside.rows', learnt.rows]]

function outsideOf(
  tables: ReadonlyMap<string, Numbers>,
  { until, products, ...learnt }: OutsideHeader,
): Outside {
  const count = tableOf(tables, 'productIds').length
  return {
    until: new Date(until),
    products,
    learnt:
      learnt.kind === 'neighbours'
        ? { kind: learnt.kind, graph: matrixOf(tables, 'outside', { rows: count, cols: count }) }
        : { ...learnt, rows: tableOf<Float32Array>(tables, 'outside.rows') },
  }
}
