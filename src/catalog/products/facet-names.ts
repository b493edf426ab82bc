// Cached brands and partners for facets, and ids by slug.

import type { Reader } from '../../base/database.ts'
import type { CacheKind } from '../../base/cache.ts'
import type { Brand, Partner } from '../entities/entities.ts'
import { findMany, holdersOf } from '../entities/store.ts'
import { brands, partners } from '../entities/tables.ts'

const brandCache: CacheKind<Brand> = { max: 5_000, subjects: (it) => [`brand/${it.id}`] }
const partnerCache: CacheKind<Partner> = { max: 5_000, subjects: (it) => [`partner/${it.id}`] }

export const brandsById = (read: Reader, ids: readonly number[]): Promise<Map<number, Brand>> =>
  read.cached(brandCache, ids, async (missing) => byId(await findMany(read, brands, missing)))

export const partnersById = (read: Reader, ids: readonly number[]): Promise<Map<number, Partner>> =>
  read.cached(partnerCache, ids, async (missing) => byId(await findMany(read, partners, missing)))

const byId = <T extends { id: number }>(them: readonly T[]): Map<number, T> =>
  new Map(them.map((it) => [it.id, it]))

/** Ids given as such or as slugs; unknown ones are left out. */
export async function idsOf(
  read: Reader,
  table: typeof brands | typeof partners,
  given: readonly string[],
): Promise<number[]> {
  const isId = (it: string) => /^[1-9]\d{0,15}$/.test(it)
  const slugs = given.filter((it) => !isId(it))
  const found =
    slugs.length > 0
      ? await holdersOf<Brand | Partner>(read, table as never, { field: 'slug', values: slugs })
      : []
  return [...given.filter(isId).map(Number), ...found.map((it) => it.id)]
}
