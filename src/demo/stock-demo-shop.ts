import type { Reader, Tx } from '../base/db.ts'
import type { RecordKind } from '../base/records.ts'
import { refuse } from '../base/refusal.ts'
import { stockCategories } from '../catalog/index.ts'
import { categories } from './categories.ts'
import type { DemoRecords } from './demo-records.ts'

const batchSize = 1_000

/**
 * Fills the shelves and says how much it put there, by kind. What stands already, by its id, stays as it is. The
 * categories go first, all at once: another loading at the same moment waits there for the end of this one.
 */
export async function stockDemoShop(
  tx: Tx,
  { category: _tree, ...records }: DemoRecords,
  kinds: readonly RecordKind[],
): Promise<Record<string, number>> {
  const added: Record<string, number> = { category: (await stockCategories(tx, categories)).length }
  const linesOf = new Map<string, readonly object[]>(Object.entries(records))
  for (const kind of kinds) {
    const lines = linesOf.get(kind.name) as readonly Line[] | undefined
    if (lines) added[kind.name] = await stock(tx, kind, lines)
  }
  return added
}

type Line = Record<string, unknown>

/** Adds the records whose keys are free, or refuses all of them: a shop is never half a shop. */
async function stock(tx: Tx, kind: RecordKind, lines: readonly Line[]): Promise<number> {
  const key = kind.key ?? 'id'
  const standing = await standingAmong(tx, kind, { key, lines })
  const wanted = lines.filter((it) => !standing.has(it[key])).map(({ record: _name, ...rest }) => rest)
  for (let begin = 0; begin < wanted.length; begin += batchSize) {
    const [clash] = await kind.load(tx, wanted.slice(begin, begin + batchSize))
    if (clash) {
      const [{ path, rule } = { path: key, rule: 'taken' }] = clash.faults
      const line = wanted[begin + clash.at]!
      throw refuse('conflict', {
        record: kind.name,
        id: line[key],
        field: path,
        value: line[path],
        reason: rule,
      })
    }
  }
  return wanted.length
}

/** The keys that are taken. Pages come in the order of ids, so that nothing behind the last of ours is looked at. */
async function standingAmong(
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
