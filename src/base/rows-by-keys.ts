// Rows whose column is one of some keys, by statements of fixed length.

import type { Reader } from './database.ts'

type Key = number | string

/**
 * List lengths with prepared statements of their own; a list is padded with its last key. For arrays of unknown length
 * PostgreSQL plans again on every call, and with many joins planning costs more than reading.
 */
const lengths = [1, 2, 4, 8, 16, 32, 64, 128, 256]

const places = (count: number) => Array.from({ length: count }, (_, at) => `$${at + 1}`).join(', ')

/** `statement` completes a query with the condition on the column. */
export function rowsByKeys<Row>(
  column: string,
  statement: (condition: string) => string,
): (read: Reader, keys: readonly Key[]) => Promise<Row[]> {
  const any = statement(`${column} = any($1)`)
  const statements = lengths.map((it) => statement(`${column} in (${places(it)})`))
  return (read, keys) => {
    const at = lengths.findIndex((it) => it >= keys.length)
    if (at < 0 || keys.length === 0) return read.all<Row>(any, [keys])
    const padding = Array<Key>(lengths[at]! - keys.length).fill(keys.at(-1)!)
    return read.all<Row>(statements[at]!, [...keys, ...padding])
  }
}
