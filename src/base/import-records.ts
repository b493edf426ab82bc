// Brings lines of NDJSON into a shop, in any order: batch by batch as they come, and what names something that is not
// there yet once more after the end. However long the file is, no more of it is held than a batch.

import type { Database, Tx } from './db.ts'
import { type Line, linesOf } from './lines.ts'
import { loadBatch, loadInParts, type Outcome } from './load-batch.ts'
import {
  type Entry,
  isRefused,
  maxLineBytes,
  type ReadRecord,
  recordReader,
  type RefusedLine,
} from './read-record.ts'
import type { RecordKind } from './records.ts'
import { withPatience } from './patience.ts'
import { Refusal, refuse } from './refusal.ts'
import { Spool } from './spool.ts'

export interface ImportOptions {
  /** In the order of dependence: what others name comes first. */
  kinds: readonly RecordKind[]
  /** All or nothing: one refused line leaves everything as it was. */
  strict?: boolean
  /** Names the right that the caller would need for a kind and does not have. */
  lacks?(kind: RecordKind): string | undefined
  /** Ends the import after the batch under way. */
  signal?: AbortSignal
  onProgress?(report: Readonly<ImportReport>): void
}

export interface ImportReport {
  /** Lines that were not empty. */
  read: number
  stored: number
  refused: number
  /** The first of the refused lines, by their numbers. */
  refusals: RefusedLine[]
}

export const maxRefusalsTold = 1_000
const batchLines = 1_000
/** Of text: a batch of the longest lines is stored before it fills the memory. */
const batchLength = 4 * 1024 * 1024
/** Every pass but the last stores something, and no chain of names in a shop is as long as this. */
const maxPasses = 100
/** Of one transaction. Listeners of this process hear the older ones from the outbox, a moment later. */
const maxFactsHeld = 20_000

/** Stores what the lines say. Each batch is committed by itself; in strict, all of them together or not at all. */
export async function importRecords(
  db: Database,
  source: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportReport> {
  const report: ImportReport = { read: 0, stored: 0, refused: 0, refusals: [] }
  const readRecord = recordReader(options.kinds, options.lacks)
  const course: Course = { options, report, readRecord }
  const given = countedEntries(linesOf(source, maxLineBytes), course)
  try {
    if (options.strict) await storeTogether(db, given, course)
    else await storeAsTheyCome(db, given, course)
  } catch (error) {
    // Whoever is to try again learns how much was kept.
    if (error instanceof Refusal) Object.assign(error.details, { read: report.read, stored: report.stored })
    throw error
  }
  report.refusals.sort((a, b) => a.line - b.line)
  return report
}

interface Course {
  options: ImportOptions
  report: ImportReport
  readRecord: ReadRecord
}

type Batches = AsyncIterable<Entry[]>
type Load = (entries: Entry[]) => Promise<Outcome>

const storeAsTheyCome = (db: Database, given: Batches, course: Course): Promise<void> =>
  storeInPasses(given, course, (entries) =>
    loadInParts(entries, (part) =>
      withPatience(() => db.transaction((tx) => loadBatch(tx, course.options.kinds, part))),
    ),
  )

/**
 * All lines are read and set aside first: a transaction that waited for a slow sender would keep what it touched from
 * everybody else, and one that lost against another could not begin again.
 */
async function storeTogether(db: Database, given: Batches, course: Course): Promise<void> {
  const { report } = course
  const all = new Spool()
  let tried = report
  try {
    for await (const entries of given) await all.add(entries)
    await db.transaction(async (tx) => {
      tried = { ...report, refusals: [...report.refusals] }
      const load: Load = (entries) =>
        loadInParts(entries, (part) => tx.attempt(() => loadBatch(tx, course.options.kinds, part))).finally(
          () => forgetFacts(tx),
        )
      await storeInPasses(entriesOf(all, course.readRecord), { ...course, report: tried }, load)
      if (tried.refused > 0) throw new NotWhole()
    })
    Object.assign(report, tried)
  } catch (error) {
    if (!(error instanceof NotWhole)) throw error
    Object.assign(report, tried, { stored: 0 })
  } finally {
    await all.close()
  }
}

/** Undoes a transaction in which some line was refused. */
class NotWhole extends Error {}

function forgetFacts(tx: Tx): void {
  if (tx.told.length > maxFactsHeld) tx.told.splice(0, tx.told.length - maxFactsHeld)
}

/** Goes through what is left as long as that helps; what is left in the end is refused. */
async function storeInPasses(first: Batches, course: Course, load: Load): Promise<void> {
  let left = await pass(first, course, load)
  try {
    for (let passes = 1; left.lines.size > 0 && left.stored > 0 && passes < maxPasses; passes++) {
      const before = left
      left = await pass(entriesOf(before.lines, course.readRecord), course, load)
      await before.lines.close()
    }
    course.report.refused += left.lines.size
    note(course.report, left.refusals)
  } finally {
    await left.lines.close()
  }
}

interface Left {
  stored: number
  /** Lines that name something that is not there, and what each would be refused with. */
  lines: Spool
  refusals: RefusedLine[]
}

async function pass(batches: Batches, { options, report }: Course, load: Load): Promise<Left> {
  const left: Left = { stored: 0, lines: new Spool(), refusals: [] }
  try {
    for await (const entries of oneAhead(batches)) {
      if (options.signal?.aborted) throw refuse('service_unavailable', { retry_after: 1 })
      const { refused, later } = await load(entries)
      const stored = entries.length - refused.length - later.length
      left.stored += stored
      report.stored += stored
      report.refused += refused.length
      note(report, refused)
      await left.lines.add(later.map((it) => it.entry))
      for (const { refusal } of later) if (left.refusals.length < maxRefusalsTold) left.refusals.push(refusal)
      options.onProgress?.(report)
    }
    return left
  } catch (error) {
    await left.lines.close()
    throw error
  }
}

/** Reads the next batch while the database is busy with this one. */
async function* oneAhead(batches: Batches): AsyncGenerator<Entry[], void> {
  const source = batches[Symbol.asyncIterator]()
  let next = source.next()
  try {
    for (let batch = await next; !batch.done; batch = await next) {
      next = source.next()
      // Whoever asks for it hears of it; until then it is nobody's surprise.
      next.catch(() => {})
      yield batch.value
    }
  } finally {
    // Not waited for: whoever gives up does not wait for a slow sender.
    void source.return?.().catch(() => {})
  }
}

const note = ({ refusals }: ImportReport, more: RefusedLine[]): void => {
  for (const it of more) if (refusals.length < maxRefusalsTold) refusals.push(it)
}

/** The records among the lines, in batches; the other lines are refused here. */
async function* countedEntries(
  given: AsyncIterable<Line[]>,
  { report, readRecord }: Course,
): AsyncGenerator<Entry[], void> {
  for await (const { entries, refused } of batchesOf(given, readRecord)) {
    report.read += entries.length + refused.length
    report.refused += refused.length
    note(report, refused)
    if (entries.length > 0) yield entries
  }
}

/** What was set aside, in batches again. */
async function* entriesOf(spool: Spool, readRecord: ReadRecord): AsyncGenerator<Entry[], void> {
  for await (const { entries } of batchesOf(spool.lines(maxLineBytes), readRecord)) yield entries
}

interface Batch {
  entries: Entry[]
  refused: RefusedLine[]
}

async function* batchesOf(given: AsyncIterable<Line[]>, readRecord: ReadRecord): AsyncGenerator<Batch, void> {
  let batch: Batch = { entries: [], refused: [] }
  let length = 0
  for await (const lines of given)
    for (const line of lines) {
      const read = readRecord(line)
      if (read === 'empty') continue
      if (isRefused(read)) batch.refused.push(read)
      else batch.entries.push(read)
      length += isRefused(read) ? 0 : read.text.length
      if (batch.entries.length + batch.refused.length < batchLines && length < batchLength) continue
      // Lines are good until the next are asked for, and those of this piece have been read up to here.
      yield batch
      batch = { entries: [], refused: [] }
      length = 0
    }
  yield batch
}
