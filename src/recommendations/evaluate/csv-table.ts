// A CSV file with a header as columns of text; quoted cells may hold commas and doubled quotes, not line breaks.
import { featureNumber, InputError, lineBatches, neededNumber } from './read-lines.ts'

const maxColumns = 10_000

export interface Table {
  file: string
  header: string[]
  rows: number
  texts(column: string): string[]
  isNumeric(column: string): boolean
  numbers(column: string): Float32Array
}

/** Reads a whole table. */
export async function readTable(file: string): Promise<Table> {
  let header: string[] | undefined
  const cells: string[][] = []
  for await (const batch of lineBatches(file)) {
    for (const { text, number } of batch) {
      const row = csvCells(text, `${file} line ${number}`)
      if (header === undefined) {
        header = checkedHeader(row, file)
        for (let i = 0; i < header.length; i++) cells.push([])
        continue
      }
      if (row.length !== header.length) {
        throw new InputError(`${file} line ${number}: ${row.length} cells, ${header.length} expected`)
      }
      row.forEach((cell, i) => cells[i]!.push(cell))
    }
  }
  if (header === undefined || cells[0]!.length === 0) throw new InputError(`${file}: it holds no rows`)
  return tableOf(file, header, cells)
}

function checkedHeader(header: string[], file: string): string[] {
  if (header.length > maxColumns) throw new InputError(`${file}: more than ${maxColumns} columns`)
  if (new Set(header).size < header.length) throw new InputError(`${file}: a column's name comes twice`)
  return header
}

function tableOf(file: string, header: string[], cells: string[][]): Table {
  const texts = (column: string) => cells[header.indexOf(column)]!
  return {
    file,
    header,
    rows: cells[0]!.length,
    texts,
    isNumeric: (column) => texts(column).every((text) => featureNumber(text) !== undefined),
    numbers: (column) =>
      Float32Array.from(texts(column), (text, row) => neededNumber(text, `${file} row ${row + 1}`)),
  }
}

/** The cells of one line. */
export function csvCells(line: string, place: string): string[] {
  if (!line.includes('"')) return line.split(',').map((cell) => cell.trim())
  const cells: string[] = []
  let at = 0
  while (at <= line.length) {
    if (line[at] === '"') {
      const { cell, end } = quotedCell(line, at, place)
      cells.push(cell)
      at = end + 1
    } else {
      const comma = line.indexOf(',', at)
      const end = comma === -1 ? line.length : comma
      cells.push(line.slice(at, end).trim())
      at = end + 1
    }
  }
  return cells
}

function quotedCell(line: string, start: number, place: string): { cell: string; end: number } {
  let cell = ''
  for (let at = start + 1; at < line.length; at++) {
    if (line[at] !== '"') cell += line[at]
    else if (line[at + 1] === '"') {
      cell += '"'
      at++
    } else if (at + 1 === line.length || line[at + 1] === ',') return { cell, end: at + 1 }
    else break
  }
  throw new InputError(`${place}: a quoted cell does not end`)
}
