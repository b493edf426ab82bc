// Takes the records of a shop out as lines of NDJSON that an import reads back.

import type { Database } from '../database.ts'
import type { RecordKind } from './record-kind.ts'

const pageSize = 500

/** Lines of these kinds in their order, some hundred at a time; what an import needs first comes first. */
export async function* exportedLines(
  db: Database,
  kinds: readonly RecordKind[],
): AsyncGenerator<string, void> {
  for (const kind of kinds) {
    let after: string | null = null
    do {
      const { records, last } = await kind.page(db.readLagging(), after, pageSize)
      if (records.length > 0)
        yield records.map((it) => `${JSON.stringify({ record: kind.name, ...it })}\n`).join('')
      after = last
    } while (after !== null)
  }
}
