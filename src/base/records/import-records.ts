// Imports NDJSON records in any order. Batches are stored as they arrive; records with missing references are retried at
// the end. Only one batch is held in memory.

import type { Database, Tx } from '../database.ts'
import { readCsv } from './read-csv.ts'
import { type Line, readLines } from './read-lines.ts'
import { loadBatch, loadInParts, type BatchOutcome } from './load-batch.ts'
import {
  type ParsedRecord,
  isRefused,
  maxLineBytes,
  type ParseRecord,
  recordParser,
  type RefusedLine,
} from './parse-record.ts'
import type { RecordKind } from './record-kind.ts'
import { retryWhileUnavailable } from '../retry.ts'
import { Refusal, refuse } from '../refusal.ts'
import { SpillFile } from './spill-file.ts'

export interface ImportOptions {
  /** In dependency order: referenced kinds first. */
  kinds: readonly RecordKind[]
  /** All or nothing: one refused line rolls everything back. */
  strict?: boolean
  /** The source is a CSV file with records of this kind. */
  csv?: string | undefined
  /** Stores nothing; the report says what would be stored. */
  dryRun?: boolean
  /** The scope that the caller needs for a kind and does not have. */
  lacks?(kind: RecordKind): string | undefined
  /** Ends the import after the current batch. */
  signal?: AbortSignal
  onProgress?(report: Readonly<ImportReport>): void
}

export interface ImportReport {
  /** Lines that were not empty. */
  read: number
  /** Records that were added or changed. */
  stored: number
  /** Records that were as given already. */
  unchanged: number
  refused: number
  /** The first refused lines by line number. */
  refusals: RefusedLine[]
}

export const maxRefusalsReported = 1_000
const batchLines = 1_000
/** Characters per batch, so that long lines do not fill the memory. */
const batchLength = 4 * 1024 * 1024
/** Every pass but the last stores something; no chain of references is this long. */
const maxPasses = 100
/** Events held per transaction. Subscribers of this process get older ones from the outbox, slightly later. */
const maxEventsHeld = 20_000

/** Imports records. Each batch is its own transaction; in strict mode all batches are one. */
export async function importRecords(
  db: Database,
  source: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportReport> {
  const report: ImportReport = { read: 0, stored: 0, unchanged: 0, refused: 0, refusals: [] }
  const readRecord = recordParser(options.kinds, options.lacks)
  const state: ImportState = { options, report, readRecord }
  const given = countedEntries(linesOf(source, options), state)
  try {
    if (options.strict || options.dryRun) await storeInOneTransaction(db, given, state)
    else await storeBatchByBatch(db, given, state)
  } catch (error) {
    // The caller learns how many lines need not be sent again.
    const { read, stored, unchanged } = report
    if (error instanceof Refusal) Object.assign(error.details, { read, stored: stored + unchanged })
    throw error
  }
  report.refusals.sort((a, b) => a.line - b.line)
  return report
}

function linesOf(source: AsyncIterable<Uint8Array>, { csv, kinds }: ImportOptions): AsyncIterable<Line[]> {
  const kind = csv === undefined ? undefined : kinds.find((it) => it.name === csv)
  return kind ? readCsv(source, kind, maxLineBytes) : readLines(source, maxLineBytes)
}

interface ImportState {
  options: ImportOptions
  report: ImportReport
  readRecord: ParseRecord
}

type Batches = AsyncIterable<ParsedRecord[]>
type Load = (entries: ParsedRecord[]) => Promise<BatchOutcome>

const storeBatchByBatch = (db: Database, given: Batches, state: ImportState): Promise<void> =>
  storeInPasses(given, state, (entries) =>
    loadInParts(entries, (part) =>
      retryWhileUnavailable(() => db.transaction((tx) => loadBatch(tx, state.options.kinds, part))),
    ),
  )

/**
 * All lines are read into a temporary file first: a transaction that waits for a slow sender would hold locks, and one that
 * lost a deadlock could not be repeated.
 */
async function storeInOneTransaction(db: Database, given: Batches, state: ImportState): Promise<void> {
  const { report } = state
  const all = new SpillFile()
  let attempt = report
  try {
    for await (const entries of given) await all.add(entries)
    const run = state.options.dryRun ? db.dryRun.bind(db) : db.transaction.bind(db)
    await run(async (tx: Tx) => {
      attempt = { ...report, refusals: [...report.refusals] }
      const load: Load = (entries) =>
        loadInParts(entries, (part) => tx.attempt(() => loadBatch(tx, state.options.kinds, part))).finally(
          () => dropOldEvents(tx),
        )
      await storeInPasses(entriesOf(all, state.readRecord), { ...state, report: attempt }, load)
      if (state.options.strict && attempt.refused > 0) throw new LinesRefused()
    })
    Object.assign(report, attempt)
  } catch (error) {
    if (!(error instanceof LinesRefused)) throw error
    Object.assign(report, attempt, { stored: 0, unchanged: 0 })
  } finally {
    await all.close()
  }
}

/** Rolls back a strict import in which a line was refused. */
class LinesRefused extends Error {}

function dropOldEvents(tx: Tx): void {
  if (tx.published.length > maxEventsHeld) tx.published.splice(0, tx.published.length - maxEventsHeld)
}

/** Repeats passes over records with missing references while any are stored; the rest is refused. */
async function storeInPasses(first: Batches, state: ImportState, load: Load): Promise<void> {
  let left = await pass(first, state, load)
  try {
    for (let passes = 1; left.lines.size > 0 && left.accepted > 0 && passes < maxPasses; passes++) {
      const before = left
      left = await pass(entriesOf(before.lines, state.readRecord), state, load)
      await before.lines.close()
    }
    state.report.refused += left.lines.size
    note(state.report, left.refusals)
  } finally {
    await left.lines.close()
  }
}

interface Left {
  accepted: number
  /** Lines with missing references, and the refusal of each. */
  lines: SpillFile
  refusals: RefusedLine[]
}

async function pass(batches: Batches, { options, report }: ImportState, load: Load): Promise<Left> {
  const left: Left = { accepted: 0, lines: new SpillFile(), refusals: [] }
  try {
    for await (const entries of oneAhead(batches)) {
      if (options.signal?.aborted) throw refuse('service_unavailable', { retry_after: 1 })
      const { refused, later, unchanged } = await load(entries)
      const accepted = entries.length - refused.length - later.length
      left.accepted += accepted
      report.stored += accepted - unchanged
      report.unchanged += unchanged
      report.refused += refused.length
      note(report, refused)
      await left.lines.add(later.map((it) => it.entry))
      for (const { refusal } of later)
        if (left.refusals.length < maxRefusalsReported) left.refusals.push(refusal)
      options.onProgress?.(report)
    }
    return left
  } catch (error) {
    await left.lines.close()
    throw error
  }
}

/** Reads the next batch while the database stores this one. */
async function* oneAhead(batches: Batches): AsyncGenerator<ParsedRecord[], void> {
  const source = batches[Symbol.asyncIterator]()
  let next = source.next()
  try {
    for (let batch = await next; !batch.done; batch = await next) {
      next = source.next()
      // The error is reported when this batch is requested.
      next.catch(() => {})
      yield batch.value
    }
  } finally {
    // Not awaited: the sender may be slow.
    void source.return?.().catch(() => {})
  }
}

const note = ({ refusals }: ImportReport, more: RefusedLine[]): void => {
  for (const it of more) if (refusals.length < maxRefusalsReported) refusals.push(it)
}

/** Valid records in batches; other lines are refused here. */
async function* countedEntries(
  given: AsyncIterable<Line[]>,
  { report, readRecord }: ImportState,
): AsyncGenerator<ParsedRecord[], void> {
  for await (const { entries, refused } of batchesOf(given, readRecord)) {
    report.read += entries.length + refused.length
    report.refused += refused.length
    note(report, refused)
    if (entries.length > 0) yield entries
  }
}

/** Records of a spill file in batches. */
async function* entriesOf(file: SpillFile, readRecord: ParseRecord): AsyncGenerator<ParsedRecord[], void> {
  for await (const { entries } of batchesOf(file.lines(maxLineBytes), readRecord)) yield entries
}

interface Batch {
  entries: ParsedRecord[]
  refused: RefusedLine[]
}

async function* batchesOf(
  given: AsyncIterable<Line[]>,
  readRecord: ParseRecord,
): AsyncGenerator<Batch, void> {
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
      // The bytes of a line are valid until the next lines are read; these are parsed already.
      yield batch
      batch = { entries: [], refused: [] }
      length = 0
    }
  yield batch
}
