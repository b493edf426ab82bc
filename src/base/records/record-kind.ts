// A kind of record for import and export as NDJSON. Modules define their kinds: the schema, how a batch is stored, and how
// records are read back.

import type { TSchema } from 'typebox'
import type { Reader, Tx } from '../transaction.ts'
import type { FieldFault } from '../validation.ts'

export interface RecordKind {
  /** The value of `record` in a line, such as `offer`. */
  name: string
  /** The schema of a line without `record`. */
  shape: TSchema
  /** The field that identifies a record; default `id`. Records without it are all different. */
  key?: string
  /** Whose scopes import (`…:write`) and export (`…:read`) need; default `catalog`. */
  area?: 'catalog' | 'marketing' | 'admin'
  /** Whose `…:read` export needs, where it differs from `area`: drafts are not for every reader of the catalog. */
  exportArea?: 'admin'
  /** Whether a record is exported without `…:write` of its area or `admin:read` too; without this all are. */
  isOpen?(record: Record<string, unknown>): boolean
  /**
   * Stores records by their ids in few statements: new ones are inserted, others updated; unchanged ones publish no event.
   * Records that cannot be stored are returned and do not stop the others. No two records have the same key. `counts`
   * gets the number of records that were as given already.
   */
  load(tx: Tx, records: readonly unknown[], counts?: LoadCounts): Promise<RejectedRecord[]>
  /** Records in the order of their ids, after `last` of the previous page. */
  page(read: Reader, after: string | null, limit: number): Promise<RecordPage>
}

export interface LoadCounts {
  unchanged: number
}

export interface RecordPage {
  records: Record<string, unknown>[]
  /** The start of the next page; null on the last one. */
  last: string | null
}

/** A record that was not stored. */
export interface RejectedRecord {
  /** Its index in the batch. */
  at: number
  /** As in `validation_failed`: the field, the broken rule and the limit. */
  faults: FieldFault[]
  /** It references a record that does not exist yet; the rest of the file may contain it. */
  isMissingReference: boolean
}
