// A file of records that is checked and corrected in the browser before it is imported.

import type { Bozor, Operations } from '../../../sdk/index.ts'

export type Report = Operations['records.import']['reply']
export type Refusal = Report['refusals'][number]
export type RecordName = NonNullable<Operations['records.import']['input']['record']>

export interface ImportFile {
  name: string
  /** The kind of all records of a CSV file; null for NDJSON, where every line names its kind. */
  record: RecordName | null
  lines: readonly string[]
}

export const recordNames: readonly RecordName[] = [
  'product',
  'offer',
  'stock',
  'category',
  'brand',
  'partner',
  'variant',
  'loan_condition',
  'delivery_method',
  'moderated_offer',
  'promotion',
  'exchange_rate',
  'client',
  'limits',
  'interaction',
]

/** Larger files are imported by the command line. */
export const maxFileBytes = 32 * 1024 * 1024
/** Lines of one request, so that the progress is visible. */
const linesPerRequest = 500
const timeoutMs = 600_000

export const isCsv = (name: string): boolean => /\.csv$/i.test(name)

/** The kind that the name of a CSV file suggests, such as `offers-november.csv`. */
export const recordOfName = (name: string): RecordName =>
  recordNames.find((it) => name.toLowerCase().includes(it.replace(/y$/, ''))) ?? 'product'

export const linesOf = (text: string): string[] => text.replace(/^\uFEFF/, '').split(/\r?\n/)

export const withLine = (file: ImportFile, number: number, text: string): ImportFile => ({
  ...file,
  lines: file.lines.with(number - 1, text),
})

/** What the server would refuse. */
export const checkFile = (bozor: Bozor, file: ImportFile): Promise<Report> =>
  send(bozor, file, { lines: file.lines, isDryRun: true })

interface Part {
  lines: readonly string[]
  /** Numbers of the lines in the file. */
  numbers: readonly number[]
}

/**
 * Imports the file in parts. Lines that were refused are sent once more at the end, because they may refer to a record of
 * a later part.
 */
export async function importFile(
  bozor: Bozor,
  file: ImportFile,
  onProgress: (share: number) => void,
): Promise<Report> {
  const parts = partsOf(file)
  const total: Report = { read: 0, stored: 0, unchanged: 0, refused: 0, refusals: [] }
  const refused: number[] = []
  for (const [at, part] of parts.entries()) {
    const report = await sendPart(bozor, file, part)
    total.read += report.read
    total.stored += report.stored
    total.unchanged += report.unchanged
    refused.push(...report.refusals.map((it) => it.line))
    total.refusals.push(...report.refusals)
    total.refused += report.refused
    onProgress((at + 1) / (parts.length + 1))
  }
  if (parts.length > 1 && refused.length > 0) {
    const again = await sendPart(bozor, file, partWith(file, refused))
    total.stored += again.stored
    total.unchanged += again.unchanged
    total.refused += again.refused - refused.length
    total.refusals = again.refusals
  }
  onProgress(1)
  return total
}

async function sendPart(bozor: Bozor, file: ImportFile, part: Part): Promise<Report> {
  const report = await send(bozor, file, { lines: part.lines, isDryRun: false })
  const refusals = report.refusals.map((it) => ({ ...it, line: part.numbers[it.line - 1] ?? it.line }))
  return { ...report, refusals }
}

const send = (
  bozor: Bozor,
  { record }: ImportFile,
  { lines, isDryRun }: { lines: readonly string[]; isDryRun: boolean },
): Promise<Report> =>
  bozor.records.import(
    { body: lines.join('\n'), ...(isDryRun && { dry_run: true }), ...(record && { record }) },
    { timeoutMs, ...(record && { headers: { 'Content-Type': 'text/csv' } }) },
  )

/** A cell in quotation marks may hold line breaks, so such a CSV file is sent as a whole. */
export function partsOf(file: ImportFile): Part[] {
  const first = file.record ? 2 : 1
  const numbers = file.lines.map((_, at) => at + 1).slice(first - 1)
  if (file.record && file.lines.some((it) => it.includes('"'))) return [partWith(file, numbers)]
  const parts: Part[] = []
  for (let at = 0; at < numbers.length; at += linesPerRequest)
    parts.push(partWith(file, numbers.slice(at, at + linesPerRequest)))
  return parts
}

/** Every part of a CSV file begins with the names of the fields. */
function partWith({ record, lines }: ImportFile, numbers: readonly number[]): Part {
  const all = record ? [1, ...numbers] : numbers
  return { lines: all.map((it) => lines[it - 1]!), numbers: all }
}
