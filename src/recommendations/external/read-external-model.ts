// Reads an external model from NDJSON: `{"id":10,"features":[…]}`, as Spark writes the item factors of its ALS, or
// `{"id":10,"neighbours":[{"id":11,"score":0.8},…]}`; or factors from Parquet files. One invalid line or row rejects the
// whole import.

import { Type } from 'typebox'
import { parseJson, decodeUtf8 } from '../../base/json.ts'
import { readLines } from '../../base/records/read-lines.ts'
import { maxLineBytes, refusalFaults } from '../../base/records/parse-record.ts'
import { refuse } from '../../base/refusal.ts'
import { type Validator, validatorCompiler, type FieldFault } from '../../base/validation.ts'
import { idInput, strict } from '../../http/schema.ts'
import { type Items, type Places, placesOf } from '../models/items.ts'
import { type FoldInOptions, type ExternalModel, widthOf } from '../models/external-model.ts'
import { writeBest } from '../../ml/retrieval/neighbours.ts'
import type { ParquetRow } from './parquet-thread.ts'
import { parquetRows, startsAsParquet } from './read-parquet.ts'
import { RowWriter } from '../../ml/retrieval/sparse.ts'

export const maxDimensions = 256
export const maxNeighbours = 1_000
/** Weaker neighbours cost time and add nothing. */
const keptNeighbours = 200
const maxLines = 2_000_000
/** Larger values would dominate all others, and their products could overflow. */
const maxFactor = 1e6
const maxScore = 1e9
const maxReportedFaults = 100

export interface ReadResult {
  external: ExternalModel
  report: ImportReport
}

export interface ImportReport {
  /** Non-empty lines, or rows. */
  read: number
  /** Lines of products in the model. */
  known: number
  unknown: number
  /** Neighbours that are not in the model. */
  unknownNeighbours: number
}

export interface ImportOptions extends FoldInOptions {
  until: Date
}

const factorLine = strict({
  id: idInput,
  features: Type.Array(Type.Number({ minimum: -maxFactor, maximum: maxFactor }), {
    minItems: 1,
    maxItems: maxDimensions,
  }),
})
const neighbourLine = strict({
  id: idInput,
  neighbours: Type.Array(strict({ id: idInput, score: Type.Number({ minimum: 0, maximum: maxScore }) }), {
    maxItems: maxNeighbours,
  }),
})
type Line = { id: number | string } & (
  | { features: number[] }
  | { neighbours: { id: number | string; score: number }[] }
)

/** One file, or a file of a folder with its name. */
export interface ImportPart {
  name: string
  source: AsyncIterable<Uint8Array>
}

/** Reads lines or rows in a stream, keeping only products of the model. */
export async function readExternalModel(
  parts: readonly ImportPart[],
  items: Items,
  terms: ImportOptions,
): Promise<ReadResult> {
  const collector = new LineCollector(items, terms)
  for (const { name, source: given } of parts) {
    const { isParquet, source } = await startsAsParquet(given)
    let row = 0
    if (isParquet)
      for await (const rows of parquetRows(source, name))
        for (const it of rows) collector.addRow([name, 'rows', ++row], it)
    else
      for await (const lines of readLines(source, maxLineBytes))
        for (const { number, bytes } of lines) collector.add([name, 'lines', number], bytes)
  }
  return collector.result()
}

/** Where a fault is: the name of the part, and the line or row in it. */
type Place = readonly [part: string, kind: 'lines' | 'rows', number: number]

class LineCollector {
  readonly #items: Items
  readonly #terms: ImportOptions
  readonly #placeOf: Places
  readonly #faultsIn: Record<'factors' | 'neighbours', Validator>
  readonly #seen = new Set<number>()
  readonly #faults: FieldFault[] = []
  readonly #report: ImportReport = { read: 0, known: 0, unknown: 0, unknownNeighbours: 0 }
  readonly #neighbours = new Map<number, { ids: number[]; scores: number[] }>()
  #kind: 'factors' | 'neighbours' | undefined
  #dimensions = 0
  #rows = new Float32Array()

  constructor(items: Items, terms: ImportOptions) {
    const compile = validatorCompiler()
    this.#items = items
    this.#terms = terms
    this.#placeOf = placesOf(items)
    this.#faultsIn = { factors: compile(factorLine), neighbours: compile(neighbourLine) }
  }

  add(place: Place, bytes: Uint8Array | null): void {
    this.#note(place, this.#faultsOf(bytes))
  }

  addRow(place: Place, row: ParquetRow): void {
    this.#report.read++
    this.#note(place, this.#take(row))
  }

  #note(place: Place, faults: readonly FieldFault[]): void {
    if (this.#report.read > maxLines) throw refuse('payload_too_large', { limit_lines: maxLines })
    if (faults.length === 0) return
    for (const { path, ...fault } of faults)
      this.#faults.push({ path: [...place, path].filter((it) => it !== '').join('.'), ...fault })
    if (this.#faults.length >= maxReportedFaults) this.#refuse()
  }

  result(): ReadResult {
    if (this.#faults.length > 0) this.#refuse()
    const { until, alpha, regularisation } = this.#terms
    const report = this.#report
    if (report.known === 0)
      throw refuse('validation_failed', { fields: [{ path: '', rule: 'exists' }], ...reportView(report) })
    const content =
      this.#kind === 'factors'
        ? { kind: 'factors' as const, dimensions: this.#dimensions, rows: this.#rows, alpha, regularisation }
        : { kind: 'neighbours' as const, graph: this.#graph() }
    return { external: { until, products: report.known, content }, report }
  }

  #faultsOf(bytes: Uint8Array | null): FieldFault[] {
    if (bytes === null) return [{ path: '', rule: 'too_long', limit: maxLineBytes }]
    try {
      const text = decodeUtf8(bytes)
      if (/^[ \t\r]*$/.test(text)) return []
      this.#report.read++
      return this.#take(parseJson(text))
    } catch (error) {
      return refusalFaults(error)
    }
  }

  #take(value: unknown): FieldFault[] {
    const isFactors = typeof value === 'object' && value !== null && 'features' in value
    this.#kind ??= isFactors ? 'factors' : 'neighbours'
    const faults = this.#faultsIn[this.#kind](value)
    if (faults.length > 0) return faults
    const line = value as Line
    const id = Number(line.id)
    if (this.#seen.has(id)) return [{ path: 'id', rule: 'taken' }]
    this.#seen.add(id)
    const place = this.#placeOf.get(id)
    if (place === undefined) this.#report.unknown++
    else this.#report.known++
    return 'features' in line
      ? this.#takeFactors(place, line.features)
      : this.#takeNeighbours(place, line.neighbours)
  }

  #takeFactors(place: number | undefined, features: readonly number[]): FieldFault[] {
    if (this.#dimensions === 0) {
      this.#dimensions = features.length
      this.#rows = new Float32Array(this.#items.count * widthOf(features.length))
    }
    if (features.length !== this.#dimensions)
      return [{ path: 'features', rule: 'dimensions', limit: this.#dimensions }]
    if (place !== undefined) this.#rows.set(features, place * widthOf(this.#dimensions))
    return []
  }

  #takeNeighbours(
    place: number | undefined,
    neighbours: readonly { id: number | string; score: number }[],
  ): FieldFault[] {
    const [ids, scores]: [number[], number[]] = [[], []]
    const seen = new Set<number>()
    for (const [at, { id, score }] of neighbours.entries()) {
      if (seen.has(Number(id))) return [{ path: `neighbours.${at}.id`, rule: 'taken' }]
      seen.add(Number(id))
      const other = this.#placeOf.get(Number(id))
      if (other === undefined) this.#report.unknownNeighbours++
      else if (other !== place && score > 0) {
        ids.push(other)
        scores.push(score)
      }
    }
    if (place !== undefined) this.#neighbours.set(place, { ids, scores })
    return []
  }

  #graph() {
    const writer = new RowWriter()
    const scores = new Float64Array(this.#items.count)
    for (let place = 0; place < this.#items.count; place++) {
      const row = this.#neighbours.get(place)
      row?.ids.forEach((id, at) => (scores[id] = row.scores[at]!))
      writeBest(writer, scores, { keep: keptNeighbours, candidates: row?.ids ?? [] })
    }
    return writer.matrix(this.#items.count)
  }

  #refuse(): never {
    throw refuse('validation_failed', {
      fields: this.#faults.slice(0, maxReportedFaults),
      ...reportView(this.#report),
    })
  }
}

const reportView = ({ read, known, unknown }: ImportReport) => ({ read, known, unknown })
