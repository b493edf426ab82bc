// What another engine has learnt, as lines of NDJSON: `{"id":10,"features":[…]}`, as Spark writes the item factors of its
// ALS, or `{"id":10,"neighbours":[{"id":11,"score":0.8},…]}`. All of it is right, or none of it is taken.

import { Type } from 'typebox'
import { jsonOfText, textOf } from '../../base/json.ts'
import { linesOf } from '../../base/lines.ts'
import { maxLineBytes, refusalFaults } from '../../base/read-record.ts'
import { refuse } from '../../base/refusal.ts'
import { type FaultsIn, faultFinder, type FieldFault } from '../../base/shape.ts'
import { givenId, strict } from '../../http/schema.ts'
import { type Items, placesOf } from '../engine/items.ts'
import { type FoldingTerms, type Outside, widthOf } from '../engine/outside.ts'
import { writeBest } from '../ml/retrieval/neighbours.ts'
import { RowWriter } from '../ml/retrieval/sparse.ts'

export const mostDimensions = 256
export const mostNeighbours = 1_000
/** Beyond these, the weaker ones add nothing but time. */
const keptNeighbours = 200
const mostLines = 2_000_000
/** Larger numbers would drown all others, and their products might be none. */
const largestFactor = 1e6
const largestScore = 1e9
const maxFaultsTold = 100

export interface Knowledge {
  outside: Outside
  report: KnowledgeReport
}

export interface KnowledgeReport {
  /** Lines that were not empty. */
  read: number
  /** Lines about products that the model knows. */
  known: number
  unknown: number
  /** Neighbours that were left out because the model does not know them. */
  unknownNeighbours: number
}

export interface KnowledgeTerms extends FoldingTerms {
  until: Date
}

const factorLine = strict({
  id: givenId,
  features: Type.Array(Type.Number({ minimum: -largestFactor, maximum: largestFactor }), {
    minItems: 1,
    maxItems: mostDimensions,
  }),
})
const neighbourLine = strict({
  id: givenId,
  neighbours: Type.Array(strict({ id: givenId, score: Type.Number({ minimum: 0, maximum: largestScore }) }), {
    maxItems: mostNeighbours,
  }),
})
type Line = { id: number | string } & (
  | { features: number[] }
  | { neighbours: { id: number | string; score: number }[] }
)

/** Reads lines about the goods of a model, holding no more than what it knows of them. */
export async function readKnowledge(
  source: AsyncIterable<Uint8Array>,
  items: Items,
  terms: KnowledgeTerms,
): Promise<Knowledge> {
  const gathering = new Gathering(items, terms)
  for await (const lines of linesOf(source, maxLineBytes))
    for (const { number, bytes } of lines) gathering.add(number, bytes)
  return gathering.knowledge()
}

class Gathering {
  readonly #items: Items
  readonly #terms: KnowledgeTerms
  readonly #placeOf: ReadonlyMap<number, number>
  readonly #faultsIn: Record<'factors' | 'neighbours', FaultsIn>
  readonly #said = new Set<number>()
  readonly #faults: FieldFault[] = []
  readonly #report: KnowledgeReport = { read: 0, known: 0, unknown: 0, unknownNeighbours: 0 }
  readonly #neighbours = new Map<number, { ids: number[]; scores: number[] }>()
  #kind: 'factors' | 'neighbours' | undefined
  #dimensions = 0
  #rows = new Float32Array()

  constructor(items: Items, terms: KnowledgeTerms) {
    const compile = faultFinder()
    this.#items = items
    this.#terms = terms
    this.#placeOf = placesOf(items)
    this.#faultsIn = { factors: compile(factorLine), neighbours: compile(neighbourLine) }
  }

  add(number: number, bytes: Uint8Array | null): void {
    const faults = this.#faultsOf(bytes)
    if (this.#report.read > mostLines) throw refuse('payload_too_large', { limit_lines: mostLines })
    if (faults.length === 0) return
    for (const { path, ...fault } of faults)
      this.#faults.push({ path: ['lines', number, path].filter((it) => it !== '').join('.'), ...fault })
    if (this.#faults.length >= maxFaultsTold) this.#refuse()
  }

  knowledge(): Knowledge {
    if (this.#faults.length > 0) this.#refuse()
    const { until, alpha, regularisation } = this.#terms
    const report = this.#report
    if (report.known === 0)
      throw refuse('validation_failed', { fields: [{ path: '', rule: 'exists' }], ...told(report) })
    const learnt =
      this.#kind === 'factors'
        ? { kind: 'factors' as const, dimensions: this.#dimensions, rows: this.#rows, alpha, regularisation }
        : { kind: 'neighbours' as const, graph: this.#graph() }
    return { outside: { until, products: report.known, learnt }, report }
  }

  #faultsOf(bytes: Uint8Array | null): FieldFault[] {
    if (bytes === null) return [{ path: '', rule: 'too_long', limit: maxLineBytes }]
    try {
      const text = textOf(bytes)
      if (/^[ \t\r]*$/.test(text)) return []
      this.#report.read++
      return this.#take(jsonOfText(text))
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
    if (this.#said.has(id)) return [{ path: 'id', rule: 'taken' }]
    this.#said.add(id)
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
    throw refuse('validation_failed', { fields: this.#faults.slice(0, maxFaultsTold), ...told(this.#report) })
  }
}

const told = ({ read, known, unknown }: KnowledgeReport) => ({ read, known, unknown })
