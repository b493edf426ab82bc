// A line becomes a record of a known kind, or the reasons why it does not.

import { jsonOfText, textOf } from './json.ts'
import type { Line } from './lines.ts'
import type { RecordKind } from './records.ts'
import { Refusal } from './refusal.ts'
import { type FaultsIn, faultFinder, type FieldFault } from './shape.ts'

/** A record as a line said it. */
export interface Entry {
  line: number
  kind: RecordKind
  /** What names the record among those of its kind; null when nothing does. */
  id: string | number | null
  record: unknown
  text: string
}

/** A line that was not stored, and why. */
export interface RefusedLine {
  line: number
  record: string | null
  id: string | number | null
  faults: FieldFault[]
}

export const maxLineBytes = 256 * 1024
const maxFaultsPerLine = 10
/** Names in a report are for people to find the line by. */
const maxNameLength = 100

export type ReadRecord = (line: Line) => Entry | RefusedLine | 'empty'

export const isRefused = (it: Entry | RefusedLine): it is RefusedLine => 'faults' in it

/** Makes the reader of lines of these kinds. `lacks` names the right that the caller would need for a kind. */
export function recordReader(
  kinds: readonly RecordKind[],
  lacks: (kind: RecordKind) => string | undefined = () => undefined,
): ReadRecord {
  const compile = faultFinder()
  const known = new Map(kinds.map((kind) => [kind.name, { kind, faultsIn: compile(kind.shape) }]))
  const names = kinds.map((it) => it.name)
  return ({ number, bytes }) => {
    let said: Said = { line: number, record: null, id: null }
    try {
      if (bytes === null) return refused(said, [{ path: '', rule: 'too_long', limit: maxLineBytes }])
      const text = textOf(bytes)
      if (/^[ \t\r]*$/.test(text)) return 'empty'
      const value = jsonOfText(text)
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return refused(said, [{ path: '', rule: 'type', limit: 'object' }])
      const { record: name, ...record } = value as Record<string, unknown>
      const found = typeof name === 'string' ? known.get(name) : undefined
      said = { line: number, record: nameOf(name), id: idOf(record, found?.kind) }
      const faults = found
        ? faultsOf(found, record, lacks(found.kind))
        : [{ path: 'record', rule: name === undefined ? 'required' : 'choice', limit: names }]
      if (!found || faults.length > 0) return refused(said, faults)
      return { line: number, kind: found.kind, id: said.id, record, text }
    } catch (error) {
      return refused(said, refusalFaults(error))
    }
  }
}

type Said = Omit<RefusedLine, 'faults'>

function faultsOf(
  { faultsIn }: { faultsIn: FaultsIn },
  record: object,
  missingScope: string | undefined,
): FieldFault[] {
  if (missingScope !== undefined) return [{ path: 'record', rule: 'scope', limit: missingScope }]
  return faultsIn(record)
}

/** The reasons of a refusal as faults of fields; anything else is thrown on. */
export function refusalFaults(error: unknown): FieldFault[] {
  if (!(error instanceof Refusal)) throw error
  const { fields, field, reason, limit } = error.details as {
    fields?: FieldFault[]
    field?: string
    reason?: string
    limit?: unknown
  }
  return (
    fields ?? [{ path: field ?? '', rule: reason ?? 'contradiction', ...(limit !== undefined && { limit }) }]
  )
}

export const refused = ({ line, record, id }: Said, faults: FieldFault[]): RefusedLine => ({
  line,
  record,
  id,
  faults: faults.slice(0, maxFaultsPerLine),
})

export const refusedEntry = ({ line, kind, id }: Entry, faults: FieldFault[]): RefusedLine =>
  refused({ line, record: kind.name, id }, faults)

const nameOf = (value: unknown): string | null =>
  typeof value === 'string' ? value.slice(0, maxNameLength).toWellFormed() : null

function idOf(record: Record<string, unknown>, kind: RecordKind | undefined): string | number | null {
  const value = record[kind?.key ?? 'id']
  return typeof value === 'number' && Number.isFinite(value) ? value : nameOf(value)
}
