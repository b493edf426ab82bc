// How values travel to PostgreSQL and back.

import pg from 'pg'

/** The driver formats a Date field by field in the local zone; ISO is faster. */
export const asWritten = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value)

const int8 = 20
const int8Array = 1016
const timestamptz = 1184
const parseInt8Array = (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(safeInteger))

/** The driver's parsers, except that int8 becomes a number: every id and amount fits one. */
export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === int8) return safeInteger
  if (oid === int8Array) return parseInt8Array
  if (oid === timestamptz) return instantOf
  return pg.types.getTypeParser(oid, format as 'text')
}

/** Connections use UTC, so every instant ends in `+00`. */
const instantOf = (text: string): Date => new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`${text} does not fit a number`)
  return value
}
