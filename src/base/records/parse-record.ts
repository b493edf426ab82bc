// Parses a line into a record of a known kind, or into the reasons why it is refused.

import { parseJson, decodeUtf8 } from '../json.ts'
import type { Line } from './read-lines.ts'
import type { RecordKind } from './record-kind.ts'
import { Refusal } from '../refusal.ts'
import { type Validator, validatorCompiler, type FieldFault } from '../validation.ts'

/** A record of a line that passed validation. */
export interface ParsedRecord {
  line: number
  kind: RecordKind
  /** Identifies the record among those of its kind; null when it has no key. */
  id: string | number | null
  record: unknown
  text: string
}

/** A line that was not stored. */
export interface RefusedLine {
  line: number
  record: string | null
  id: string | number | null
  faults: FieldFault[]
}

export const maxLineBytes = 256 * 1024
const maxFaultsPerLine = 10
/** Names in a report help people to find the line. */
const maxNameLength = 100

export type ParseRecord = (line: Line) => ParsedRecord | RefusedLine | 'empty'

export const isRefused = (it: ParsedRecord | RefusedLine): it is RefusedLine => 'faults' in it

/** Creates a parser for these kinds. `lacks` returns the scope that the caller needs for a kind and does not have. */
export function recordParser(
  kinds: readonly RecordKind[],
  lacks: (kind: RecordKind) => string | undefined = () => undefined,
): ParseRecord {
  const compile = validatorCompiler()
  const known = new Map(kinds.map((kind) => [kind.name, { kind, faultsIn: compile(kind.shape) }]))
  const names = kinds.map((it) => it.name)
  return ({ number, bytes, faults: found }) => {
    let header: Header = { line: number, record: null, id: null }
    if (found) return refused(header, found)
    try {
      if (bytes === null) return refused(header, [{ path: '', rule: 'too_long', limit: maxLineBytes }])
      const text = decodeUtf8(bytes)
      if (/^[ \t\r]*$/.test(text)) return 'empty'
      const value = parseJson(text)
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return refused(header, [{ path: '', rule: 'type', limit: 'object' }])
      const { record: name, ...record } = value as Record<string, unknown>
      const kind = typeof name === 'string' ? known.get(name) : undefined
      header = { line: number, record: nameOf(name), id: idOf(record, kind?.kind) }
      const faults = kind
        ? faultsOf(kind, record, lacks(kind.kind))
        : [{ path: 'record', rule: name === undefined ? 'required' : 'choice', limit: names }]
      if (!kind || faults.length > 0) return refused(header, faults)
      return { line: number, kind: kind.kind, id: header.id, record, text }
    } catch (error) {
      return refused(header, refusalFaults(error))
    }
  }
}

type Header = Omit<RefusedLine, 'faults'>

function faultsOf(
  { faultsIn }: { faultsIn: Validator },
  record: object,
  missingScope: string | undefined,
): FieldFault[] {
  if (missingScope !== undefined) return [{ path: 'record', rule: 'scope', limit: missingScope }]
  return faultsIn(record)
}

/** The reasons of a refusal as field faults; other errors are rethrown. */
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

export const refused = ({ line, record, id }: Header, faults: FieldFault[]): RefusedLine => ({
  line,
  record,
  id,
  faults: faults.slice(0, maxFaultsPerLine),
})

export const refusedEntry = ({ line, kind, id }: ParsedRecord, faults: FieldFault[]): RefusedLine =>
  refused({ line, record: kind.name, id }, faults)

const nameOf = (value: unknown): string | null =>
  typeof value === 'string' ? value.slice(0, maxNameLength).toWellFormed() : null

function idOf(record: Record<string, unknown>, kind: RecordKind | undefined): string | number | null {
  const value = record[kind?.key ?? 'id']
  return typeof value === 'number' && Number.isFinite(value) ? value : nameOf(value)
}
