import type { Reader, Tx } from '../../base/database.ts'
import type { Comparison, Prediction, SearchOutcome } from './learn.ts'

export interface SearchLearning {
  /** Whether operators allow it. */
  isEnabled: boolean
  /** Whether it won on the held-out days. */
  isWinning: boolean
  predictions: Prediction[]
  comparison: Comparison | null
  version: number
  learnedAt: Date | null
}

const columns = `is_enabled as "isEnabled", is_winning as "isWinning", predictions, comparison, version,
  learned_at as "learnedAt"`

export const loadLearning = (read: Reader): Promise<SearchLearning> =>
  read.one<SearchLearning>(`select ${columns} from catalog_search_learning where id = 1`)

export const lockLearning = (tx: Tx): Promise<SearchLearning> =>
  tx.one<SearchLearning>(`select ${columns} from catalog_search_learning where id = 1 for update`)

export const saveLearning = (
  tx: Tx,
  it: Pick<SearchLearning, 'isEnabled' | 'isWinning' | 'predictions' | 'comparison' | 'learnedAt'>,
): Promise<SearchLearning> =>
  tx.one<SearchLearning>(
    `update catalog_search_learning set is_enabled = $1, is_winning = $2, predictions = $3, comparison = $4,
       learned_at = $5, version = version + 1 where id = 1 returning ${columns}`,
    [it.isEnabled, it.isWinning, JSON.stringify(it.predictions), JSON.stringify(it.comparison), it.learnedAt],
  )

/** A run that learned the same: only its figures and its time change, so nothing is published. */
export const saveComparison = (
  tx: Tx,
  it: Pick<SearchLearning, 'comparison' | 'learnedAt'>,
): Promise<SearchLearning> =>
  tx.one<SearchLearning>(
    `update catalog_search_learning set comparison = $1, learned_at = $2 where id = 1 returning ${columns}`,
    [JSON.stringify(it.comparison), it.learnedAt],
  )

const maxOutcomes = 200_000

/** How strongly each kind of interaction shows that the product was meant. */
const weight = `case hit.kind when 'purchase' then 8 when 'cart' then 5 when 'wishlist' then 4 when 'click' then 2 else 1 end`

/** What queries led to since a day, the latest days first. */
export const loadOutcomes = (read: Reader, since: Date): Promise<SearchOutcome[]> =>
  read.all<SearchOutcome>(
    `select query.query, hit.day::text as day, product.id as "productId", product.category_id as "categoryId",
       sum(hit.count * ${weight})::float8 as weight
     from catalog_search_interactions hit
     join catalog_search_queries query on query.id = hit.search_id
     join catalog_offers offer on offer.id = case when hit.offer ~ '^[1-9]\\d{0,15}$' then hit.offer::int8 end
     join catalog_products product on product.id = offer.product_id
     where hit.day >= $1::timestamptz::date
     group by query.query, hit.day, product.id, product.category_id
     order by hit.day desc, query.query, product.id limit ${maxOutcomes}`,
    [since],
  )
