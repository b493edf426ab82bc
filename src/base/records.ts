// What a shop carries in and out as lines of NDJSON. Each module says what its kinds of record look like, how many of
// them are stored at once, and how they are read back; the import and the export know no more than this.

import type { TSchema } from 'typebox'
import type { Reader, Tx } from './db.ts'
import type { FieldFault } from './shape.ts'

export interface RecordKind {
  /** `record` of a line, such as `offer`. */
  name: string
  /** The shape of a line without `record`. */
  shape: TSchema
  /** The field that names a record; `id` unless said. Records without it are all different. */
  key?: string
  /** Whose scopes it takes: `catalog:write` to bring a record in and `catalog:read` to take it out, unless said. */
  area?: 'catalog' | 'marketing' | 'admin'
  /**
   * Stores records by their ids, in a few statements: new ones are added, others brought to what the record says, and
   * those that say nothing new change nothing and tell nothing. What cannot be stored is returned and stops no other.
   * No two of them have the same key.
   */
  load(tx: Tx, records: readonly unknown[]): Promise<Unloaded[]>
  /** The records after a place, in the order of their ids; a place is what the page before gave as `last`. */
  page(read: Reader, after: string | null, limit: number): Promise<RecordPage>
}

export interface RecordPage {
  records: Record<string, unknown>[]
  /** Where the next page goes on; null when this was the last one. */
  last: string | null
}

/** A record that was not stored, and why. */
export interface Unloaded {
  /** Its place among those that were given. */
  at: number
  /** What is wrong, as in `validation_failed`: the field, the broken rule, and what would do. */
  faults: FieldFault[]
  /** It names something that is not there: it may be there when the rest of the file has been read. */
  mayComeLater: boolean
}
