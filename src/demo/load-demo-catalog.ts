import type { Reader, Tx } from '../base/database.ts'
import type { RecordKind } from '../base/records/record-kind.ts'
import { conflict } from '../base/conflict.ts'
import { addCategories } from '../catalog/index.ts'
import { categories } from './categories.ts'
import type { DemoRecords } from './demo-records.ts'

const batchSize = 1_000

/**
 * Adds the demo catalog and returns the number of added records by kind. Records with existing ids are not changed.
 * Categories are added first: this locks the category tree, so a concurrent load waits until this one ends.
 */
export async function loadDemoCatalog(
  tx: Tx,
  { category: _tree, ...records }: DemoRecords,
  kinds: readonly RecordKind[],
): Promise<Record<string, number>> {
  const added: Record<string, number> = { category: (await addCategories(tx, categories)).length }
  const linesOf = new Map<string, readonly object[]>(Object.entries(records))
  for (const kind of kinds) {
    const lines = linesOf.get(kind.name) as readonly Line[] | undefined
    if (lines) added[kind.name] = await addRecords(tx, kind, lines)
  }
  return added
}

type Line = Record<string, unknown>

/** Adds the records whose keys do not exist. Any conflict refuses the whole load. */
async function addRecords(tx: Tx, kind: RecordKind, lines: readonly Line[]): Promise<number> {
  const key = kind.key ?? 'id'
  const standing = await existingKeys(tx, kind, { key, lines })
  const wanted = lines.filter((it) => !standing.has(it[key])).map(({ record: _name, ...rest }) => rest)
  for (let begin = 0; begin < wanted.length; begin += batchSize) {
    const [clash] = await kind.load(tx, wanted.slice(begin, begin + batchSize))
    if (clash) {
      const [{ path, rule } = { path: key, rule: 'taken' }] = clash.faults
      const line = wanted[begin + clash.at]!
      throw conflict('demo_record_refused', {
        record: kind.name,
        id: line[key],
        field: path,
        value: line[path],
        rule,
      })
    }
  }
  return wanted.length
}

/** The existing keys. Pages are ordered by id, so reading stops after the last demo id. */
async function existingKeys(
  read: Reader,
  kind: RecordKind,
  { key, lines }: { key: string; lines: readonly Line[] },
): Promise<Set<unknown>> {
  const found = new Set<unknown>()
  const end = Number(lines.at(-1)?.[key])
  for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const { records, last }: Awaited<ReturnType<RecordKind['page']>> = await kind.page(read, after, batchSize)
    for (const it of records)
      found.add(typeof it[key] === 'string' && key === 'id' ? Number(it[key]) : it[key])
    after = last !== null && Number(last) >= end ? null : last
  }
  return found
}
