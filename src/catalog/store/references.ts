import type { Tx } from '../../base/db.ts'

/** Those of the ids that stand, held against removal, each with what it belongs to when that is asked. */
export async function ownersAmong(
  tx: Tx,
  table: { name: string },
  { ids, owner }: { ids: readonly number[]; owner: string | undefined },
): Promise<Map<number, number | null>> {
  const rows = await tx.all<{ id: number; owner: number | null }>(
    `select id, ${owner ?? 'null::int8'} as owner from ${table.name} where id = any($1) order by id for key share`,
    [ids],
  )
  return new Map(rows.map((it) => [it.id, it.owner]))
}
