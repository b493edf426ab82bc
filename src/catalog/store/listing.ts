import type { Reader } from '../../base/db.ts'
import { type Listing, type ListQuery, sliceOf, type Slice } from '../../base/listing.ts'
import type { Kept } from '../goods.ts'
import { columnsOf, type Table } from './table.ts'

/** A filter of a list: the condition before its value, such as `price_tiyin >=`. */
export type Condition = [sql: string, value: unknown]

export const listGoods = <G extends Kept>(
  read: Reader,
  table: Table<G>,
  { listing, conditions, sorts }: { listing: Listing; conditions: Condition[]; sorts: ListQuery['sorts'] },
): Promise<Slice<G>> =>
  sliceOf<G>(
    read,
    {
      columns: columnsOf(table),
      from: table.name,
      where: conditions.map(([sql], at) => `${sql} $${at + 1}`),
      values: conditions.map(([, value]) => value),
      sorts,
      key: { by: 'id', type: 'int8' },
    },
    listing,
  )
