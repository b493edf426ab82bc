import type { Tx } from '../../base/db.ts'

/** Where offers name a good of another kind. */
export type NamedBy = 'variant' | 'loan condition'

const namedIn: Record<NamedBy, (table: string) => string> = {
  variant: (table) => `select variant_id as id from ${table} where variant_id = any($1)`,
  // Conditions are their partner's, so his offers are all that can name them.
  'loan condition': (table) =>
    `select unnest(loan_condition_ids) as id from ${table} where loan_condition_ids && $1 and partner_id in
       (select partner_id from catalog_loan_conditions where id = any($1))`,
}

const alsoNamed: Record<NamedBy, string> = {
  variant: '',
  'loan condition': `union select unnest(loan_condition_ids) from catalog_promotions where loan_condition_ids && $1`,
}

/** Those of the ids that an offer or a promotion names. They must be held: one that is being made holds them too. */
export async function namedByOffers(tx: Tx, by: NamedBy, ids: readonly number[]): Promise<Set<number>> {
  const found = await tx.all<{ id: number }>(
    `${namedIn[by]('catalog_offers')} union ${namedIn[by]('catalog_moderated_offers')} ${alsoNamed[by]}`,
    [ids],
  )
  return new Set(found.map((it) => it.id))
}

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
