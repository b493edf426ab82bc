import type { CacheKind } from '../../base/cache.ts'
import type { Reader, Tx } from '../../base/database.ts'
import { columnsOf } from '../entities/store.ts'
import { attributes } from '../entities/tables.ts'
import type { Attribute } from './attribute.ts'

/** All definitions are one cache entry, because they are few. */
const definitionsCache: CacheKind<ReadonlyMap<string, Attribute>> = {
  max: 1,
  subjects: () => ['attributes'],
  alsoAffects: (event) => (event.type.startsWith('Attribute') ? ['attributes'] : []),
  dependsOn: (event) => event.type.startsWith('Attribute'),
}

/** The definitions by code, in the order in which they are shown; cached. */
export const loadAttributes = async (read: Reader): Promise<ReadonlyMap<string, Attribute>> =>
  (await read.cached(definitionsCache, [0], async () => new Map([[0, await readAttributes(read)]]))).get(0)!

async function readAttributes(read: Reader): Promise<ReadonlyMap<string, Attribute>> {
  const rows = await read.all<Attribute>(
    `select ${columnsOf(attributes)} from catalog_attributes order by position, id`,
  )
  return new Map(rows.map((it) => [it.code, it]))
}

/** Definitions that products are about to use, locked against changes. */
export const lockAttributes = (tx: Tx, codes: readonly string[]): Promise<Attribute[]> =>
  tx.all<Attribute>(
    `select ${columnsOf(attributes)} from catalog_attributes where code = any($1) order by id for key share`,
    [codes],
  )

export const countAttributes = async (read: Reader): Promise<number> =>
  (await read.one<{ count: number }>(`select count(*) as count from catalog_attributes`)).count

/** How many products have a value of the attribute; only these values, if given. The definition must be locked. */
export const countProductsWith = async (
  tx: Tx,
  code: string,
  values: readonly string[] | null,
): Promise<number> =>
  (
    await tx.one<{ count: number }>(
      `select count(*) as count from catalog_products
       where attributes ? $1 and ($2::text[] is null or attributes->>$1 = any($2))`,
      [code, values],
    )
  ).count
