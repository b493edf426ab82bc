// Reads a CSV file (RFC 4180) as lines of JSON of one record kind. The first row names the fields: `id`, `price_tiyin`, a
// part of a field as `name.ru`. Empty cells are left out, and lists are separated by `|`. Cells are separated by commas, or
// by semicolons when the first row has more of them, as spreadsheets write them in many countries.

import type { FieldFault } from '../validation.ts'
import type { Line } from './read-lines.ts'
import type { RecordKind } from './record-kind.ts'

interface Row {
  /** The number of its first line, from 1. */
  number: number
  cells: string[]
  fault?: FieldFault
}

/** The rows of the file as lines of JSON. A wrong header ends the reading with one refused line. */
export async function* readCsv(
  source: AsyncIterable<Uint8Array>,
  kind: RecordKind,
  maxLength: number,
): AsyncGenerator<Line[], void> {
  const parser = new RowParser(maxLength)
  let header: string[] | undefined
  for await (const rows of rowsOf(source, parser)) {
    if (rows === 'invalid_encoding') {
      yield [{ number: parser.lineNumber, bytes: null, faults: [{ path: '', rule: rows }] }]
      return
    }
    const lines: Line[] = []
    for (const row of rows) {
      if (header) lines.push(...lineOf(row, header, kind))
      else {
        header = row.cells.map((it) => it.trim())
        const faults = faultsOfHeader(header, kind)
        if (faults.length > 0) {
          yield [{ number: row.number, bytes: null, faults }]
          return
        }
      }
    }
    if (lines.length > 0) yield lines
  }
}

async function* rowsOf(
  source: AsyncIterable<Uint8Array>,
  parser: RowParser,
): AsyncGenerator<Row[] | 'invalid_encoding', void> {
  // The decoder leaves a byte order mark out.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const piece of source) yield parser.read(decoder.decode(piece, { stream: true }))
    yield [...parser.read(decoder.decode()), ...parser.end()]
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    yield 'invalid_encoding'
  }
}

interface Shape {
  type?: string | string[]
  properties?: Record<string, Shape>
  items?: Shape
}

const shapeAt = (kind: RecordKind, column: string): Shape | undefined =>
  column.split('.').reduce<Shape | undefined>((shape, part) => shape?.properties?.[part], kind.shape as Shape)

const faultsOfHeader = (header: readonly string[], kind: RecordKind): FieldFault[] =>
  header.flatMap((column, at): FieldFault[] => {
    if (!shapeAt(kind, column)) return [{ path: column, rule: 'unknown_field' }]
    return header.indexOf(column) < at ? [{ path: column, rule: 'unique' }] : []
  })

function lineOf({ number, cells, fault }: Row, header: readonly string[], kind: RecordKind): Line[] {
  if (fault) return [{ number, bytes: null, faults: [fault] }]
  if (cells.every((it) => it.trim() === '')) return []
  if (cells.length !== header.length)
    return [{ number, bytes: null, faults: [{ path: '', rule: 'cells', limit: header.length }] }]
  const record: Record<string, unknown> = { record: kind.name }
  header.forEach((column, at) => {
    if (cells[at] !== '') setAt(record, column.split('.'), valueOf(cells[at]!, shapeAt(kind, column)!))
  })
  return [{ number, bytes: Buffer.from(JSON.stringify(record)) }]
}

function setAt(record: Record<string, unknown>, [first, ...rest]: string[], value: unknown): void {
  if (rest.length === 0) record[first!] = value
  else setAt((record[first!] ??= {}) as Record<string, unknown>, rest, value)
}

const numberForm = /^-?(0|[1-9]\d{0,15})(\.\d{1,15})?$/
const flags: Record<string, boolean> = { true: true, false: false, 1: true, 0: false }

/** A cell as a value of its field. What does not fit stays text, and the check of the record explains it. */
function valueOf(cell: string, { type, items, properties }: Shape): unknown {
  const types = [type ?? []].flat()
  if (types.includes('array'))
    return cell
      .split('|')
      .map((it) => it.trim())
      .filter((it) => it !== '')
      .map((it) => valueOf(it, items ?? {}))
  // An object of a list is given by its first field: a picture by its path.
  if (types.includes('object')) return { [Object.keys(properties ?? { value: {} })[0]!]: cell }
  if ((types.includes('integer') || types.includes('number')) && numberForm.test(cell.trim()))
    return Number(cell)
  if (types.includes('boolean')) return flags[cell.trim().toLowerCase()] ?? cell
  return cell
}

/** Splits text into rows, piece by piece. */
class RowParser {
  lineNumber = 1
  readonly #maxLength: number
  #separator: string | undefined
  #cells: string[] = []
  #cell = ''
  #length = 0
  #state: 'start' | 'plain' | 'quoted' | 'after quote' = 'start'
  #began = 1
  #first = ''

  constructor(maxLength: number) {
    this.#maxLength = maxLength
  }

  /** The rows that a piece completes. */
  read(piece: string): Row[] {
    if (this.#separator !== undefined) return this.#split(piece)
    // The separator follows from the whole first row.
    this.#first += piece
    const end = this.#first.search(/[\r\n]/)
    if (end < 0 && this.#first.length <= this.#maxLength) return []
    return this.#splitFirst(end < 0 ? this.#first.length : end)
  }

  /** The last row, which needs no newline. */
  end(): Row[] {
    const rows = this.#separator === undefined ? this.#splitFirst(this.#first.length) : []
    if (this.#state === 'quoted') return [...rows, this.#row('open_quote')]
    if (this.#state !== 'start' || this.#cells.length > 0) rows.push(this.#row())
    return rows
  }

  #splitFirst(end: number): Row[] {
    const row = this.#first.slice(0, end)
    const count = (letter: string) => row.split(letter).length
    this.#separator = count(';') > count(',') ? ';' : ','
    const all = this.#first
    this.#first = ''
    return this.#split(all)
  }

  #split(text: string): Row[] {
    const rows: Row[] = []
    for (const letter of text) {
      if (letter === '\n') this.lineNumber++
      if (this.#state === 'quoted') this.#readQuoted(letter)
      else if (letter === '"' && this.#state !== 'plain') this.#openQuote()
      else if (letter === this.#separator) this.#endCell()
      else if (letter === '\n') rows.push(this.#row())
      else if (letter !== '\r') this.#add(letter, 'plain')
    }
    return rows
  }

  /** A quotation mark opens a cell, or is written twice inside of one. */
  #openQuote(): void {
    if (this.#state === 'after quote') this.#cell += '"'
    this.#state = 'quoted'
  }

  #readQuoted(letter: string): void {
    if (letter === '"') this.#state = 'after quote'
    else this.#add(letter, 'quoted')
  }

  #add(letter: string, state: 'plain' | 'quoted'): void {
    this.#length++
    if (this.#length <= this.#maxLength) this.#cell += letter
    this.#state = state
  }

  #endCell(): void {
    this.#length++
    if (this.#length <= this.#maxLength) this.#cells.push(this.#cell)
    this.#cell = ''
    this.#state = 'start'
  }

  #row(fault?: 'open_quote'): Row {
    this.#endCell()
    const row: Row = { number: this.#began, cells: this.#cells }
    if (fault) row.fault = { path: '', rule: fault }
    if (this.#length > this.#maxLength) row.fault = { path: '', rule: 'too_long', limit: this.#maxLength }
    this.#cells = []
    this.#length = 0
    this.#began = this.lineNumber
    return row
  }
}
