// Brands and partners by their ids, for showing.

import type { Reader } from '../base/db.ts'
import type { MemoryKind } from '../base/memory.ts'
import type { Brand, Partner } from './goods.ts'
import { findMany, holdersOf } from './store/table.ts'
import { brands, partners } from './store/tables.ts'

const brandMemory: MemoryKind<Brand> = { max: 5_000, subjects: (it) => [`brand/${it.id}`] }
const partnerMemory: MemoryKind<Partner> = { max: 5_000, subjects: (it) => [`partner/${it.id}`] }

export const brandsById = (read: Reader, ids: readonly number[]): Promise<Map<number, Brand>> =>
  read.recall(brandMemory, ids, async (missing) => byId(await findMany(read, brands, missing)))

export const partnersById = (read: Reader, ids: readonly number[]): Promise<Map<number, Partner>> =>
  read.recall(partnerMemory, ids, async (missing) => byId(await findMany(read, partners, missing)))

const byId = <T extends { id: number }>(them: readonly T[]): Map<number, T> =>
  new Map(them.map((it) => [it.id, it]))

/** Ids that were given as such or as slugs; what names nothing is left out. */
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
