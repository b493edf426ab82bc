// The model file: a format mark, a header that lists the tables, the tables, and a checksum. Truncated, altered or
// incompatible files are rejected before use.

import { sha256, sha256OfParts } from '../../base/random.ts'
import { type Csr, RowWriter } from '../../ml/retrieval/sparse.ts'
import { familyOf } from '../../ml/selection/families.ts'
import { parseModel } from '../../ml/trees/parse-model.ts'
import { writtenModel } from '../../ml/trees/write-model.ts'
import { fullRuleShares, type Metrics, type Model, type RuleShares } from './model.ts'
import { type LearnedSources, type LearnerName, type Recipe, type Recipes, recipesOf } from './sources.ts'
import type { Factors, ExternalModel } from './external-model.ts'
import type { BlendWeights } from '../serving/model-query.ts'
import { rankerFault } from '../serving/ranker.ts'

/** Bytes that are not a model, or not one that this version can serve. */
export class ModelRejected extends Error {}

const mark = 'BOZOR-MODEL-3\n'
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
  repeats: Model['repeats']
  priceBand: number
  weights: BlendWeights
  /** Absent in files of earlier builds. */
  ruleShares?: RuleShares
  /** The learned sources without their tables. */
  sources: Recipes
  external?: ExternalHeader
  tables: { name: string; kind: Kind; length: number }[]
  rankerBytes: number
}

/** The imported model without its tables. */
type ExternalHeader = { until: string; products: number } & (
  | { kind: 'neighbours' }
  | Omit<Factors, 'rows' | 'index'>
)

export function modelFileBytes(model: Model): Buffer {
  const tables = tablesOf(model)
  const ranker = Buffer.from(model.ranker ? writtenModel(model.ranker) : '', 'utf8')
  const header: Header = {
    until: model.until.toISOString(),
    metrics: model.metrics,
    places: model.trends.places,
    repeats: model.repeats,
    priceBand: model.priceBand,
    weights: model.weights,
    ruleShares: model.ruleShares,
    sources: recipesOf(model.learned),
    ...(model.external && { external: externalHeader(model.external) }),
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
  // Parts are hashed one by one, so that a large model is copied once.
  return Buffer.concat([...parts, sha256OfParts(parts)])
}

/** The model in a file, or a ModelRejected that says what is wrong with it. */
export function parseModelFile(bytes: Buffer): Model {
  if (bytes.length < mark.length + checksumBytes)
    throw new ModelRejected('The file is too short for a model.')
  const body = bytes.subarray(0, -checksumBytes)
  if (!sha256(body).equals(bytes.subarray(-checksumBytes)))
    throw new ModelRejected('The checksum does not match: the file is truncated or altered.')
  if (body.toString('latin1', 0, mark.length) !== mark)
    throw new ModelRejected('The file is not a model of this version; train a new one.')
  const end = body.indexOf('\n', mark.length)
  const header = JSON.parse(body.toString('utf8', mark.length, end)) as Header
  const tables = readTables(body, end + 1, header)
  const text = body.toString('utf8', body.length - header.rankerBytes)
  const model: Model = {
    until: new Date(header.until),
    ...modelOf(tables, header),
    repeats: header.repeats,
    priceBand: header.priceBand,
    weights: header.weights,
    ruleShares: header.ruleShares ?? fullRuleShares,
    external: header.external && externalOf(tables, header.external),
    ranker: header.rankerBytes > 0 ? parseModel(text) : undefined,
    metrics: header.metrics,
  }
  const fault = model.ranker && rankerFault(model.ranker)
  if (fault) throw new ModelRejected(`The ranker cannot serve: ${fault}.`)
  if (model.items.count === 0) throw new ModelRejected('The model contains no products.')
  return model
}

function tablesOf({
  items,
  learned,
  alike,
  twins,
  sizes,
  varieties,
  mentions,
  companions,
  popularity,
  recent,
  expected,
  trends,
  rhythm,
  external,
}: Model): [string, Numbers][] {
  return [
    ['productIds', items.productIds],
    ['categories', items.categories],
    ['departments', items.departments],
    ['brands', items.brands],
    ['logPrices', items.logPrices],
    ['popularity', popularity],
    ['recent', recent],
    ...(expected ? [['expected', expected] satisfies [string, Numbers]] : []),
    ['gap', rhythm.gap],
    ['again', rhythm.again],
    ['second', rhythm.second],
    ...Object.entries(learned).flatMap(([name, { tables }]) =>
      Object.entries(tables).map(([table, values]): [string, Numbers] => [
        `${prefixOf(name)}.${table}`,
        values,
      ]),
    ),
    ...matrixTables('alike', alike),
    ['twins', twins],
    ...matrixTables('sizes', sizes),
    ['varieties', varieties],
    ...matrixTables('mentions', mentions),
    ['companions.categories', companions.categories],
    ...matrixTables('companions', companions.weights),
    ...matrixTables('trends', trends.weights),
    ...(external ? externalTables(external) : []),
  ]
}

/** For files of earlier builds: no sizes, varieties and mentions are known, and every category may be bought again. */
const emptyRows = (count: number): Csr => ({
  rows: count,
  cols: 0,
  offsets: new Int32Array(count + 1),
  indices: new Int32Array(),
  values: new Float32Array(),
})

const secondOf = (tables: ReadonlyMap<string, Numbers>, count: number): Float64Array =>
  tables.has('second') ? tableOf<Float64Array>(tables, 'second') : new Float64Array(count).fill(1)

/** For files without places. */
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
    found.set(name, new arrays[kind](...arrayAt(body, at, { bytes, length })))
    at = aligned(at + bytes)
  }
  return found
}

/** A view into a file that has its memory for itself; else a copy, because its offset may not be aligned. */
function arrayAt(
  body: Buffer,
  at: number,
  { bytes, length }: { bytes: number; length: number },
): [buffer: ArrayBuffer, offset: number, length: number] {
  if (body.buffer.byteLength === body.length + checksumBytes) return [body.buffer as ArrayBuffer, at, length]
  const copy = new Uint8Array(bytes)
  copy.set(body.subarray(at, at + bytes))
  return [copy.buffer, 0, length]
}

const tableOf = <N extends Numbers>(tables: ReadonlyMap<string, Numbers>, name: string): N => {
  const found = tables.get(name)
  if (!found) throw new ModelRejected(`The model lacks its table ${name}.`)
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
  { places = [], sources }: Header,
): Pick<
  Model,
  | 'items'
  | 'learned'
  | 'alike'
  | 'twins'
  | 'sizes'
  | 'varieties'
  | 'mentions'
  | 'companions'
  | 'popularity'
  | 'recent'
  | 'expected'
  | 'trends'
  | 'rhythm'
> {
  const table = <N extends Numbers>(name: string): N => tableOf<N>(tables, name)
  const count = table('productIds').length
  const matrix = (name: string, rows: number): Csr => matrixOf(tables, name, { rows, cols: count })
  const known = (name: string): Csr =>
    tables.has(`${name}.offsets`) ? matrix(name, count) : emptyRows(count)
  return {
    items: {
      count,
      productIds: table<Float64Array>('productIds'),
      categories: table<Int32Array>('categories'),
      departments: table<Int32Array>('departments'),
      brands: table<Int32Array>('brands'),
      logPrices: table<Float32Array>('logPrices'),
    },
    learned: learnedOf(tables, sources),
    alike: matrix('alike', count),
    twins: table<Int32Array>('twins'),
    sizes: known('sizes'),
    varieties: tables.has('varieties') ? table<Int32Array>('varieties') : new Int32Array(count),
    mentions: known('mentions'),
    companions: {
      categories: table<Int32Array>('companions.categories'),
      weights: matrix('companions', table('companions.categories').length),
    },
    popularity: table<Float64Array>('popularity'),
    recent: table<Float64Array>('recent'),
    expected: tables.has('expected') ? table<Float64Array>('expected') : undefined,
    trends: { places, weights: places.length > 0 ? matrix('trends', places.length) : noRows(count) },
    rhythm: {
      gap: table<Float64Array>('gap'),
      again: table<Float64Array>('again'),
      second: secondOf(tables, count),
    },
  }
}

/** `alike` is also the name of the similarity of products. Files of earlier builds hold one of the two. */
const prefixOf = (source: string): string => (source === 'alike' ? 'learned.alike' : source)

/** Each learned source with its tables, which are named `source.table`. */
const learnedOf = (tables: ReadonlyMap<string, Numbers>, sources: Recipes): LearnedSources =>
  Object.fromEntries(
    (Object.entries(sources) as [LearnerName, Recipe][]).map(([name, recipe]) => {
      if (!familyOf(recipe.kind)) throw new ModelRejected(`The model uses an unknown family: ${recipe.kind}.`)
      const isNamed = tables.keys().some((table) => table.startsWith(`${prefixOf(name)}.`))
      const prefix = `${isNamed ? prefixOf(name) : name}.`
      const own = [...tables].filter(([table]) => table.startsWith(prefix))
      const named = own.map(([table, values]) => [table.slice(prefix.length), values])
      return [name, { ...recipe, tables: Object.fromEntries(named) }]
    }),
  )

const externalHeader = ({ until, products, content }: ExternalModel): ExternalHeader => {
  const common = { until: until.toISOString(), products }
  if (content.kind === 'neighbours') return { ...common, kind: content.kind }
  const { rows: _rows, gram: _gram, index: _index, ...terms } = content
  return { ...common, ...terms }
}

const externalTables = ({ content }: ExternalModel): [string, Numbers][] =>
  content.kind === 'neighbours' ? matrixTables('external', content.graph) : [['external.rows', content.rows]]

function externalOf(
  tables: ReadonlyMap<string, Numbers>,
  { until, products, ...content }: ExternalHeader,
): ExternalModel {
  const count = tableOf(tables, 'productIds').length
  return {
    until: new Date(until),
    products,
    content:
      content.kind === 'neighbours'
        ? { kind: content.kind, graph: matrixOf(tables, 'external', { rows: count, cols: count }) }
        : { ...content, rows: tableOf<Float32Array>(tables, 'external.rows') },
  }
}
