import type { Reader, Tx } from '../../base/database.ts'
import type { Comparison, Prediction, SearchOutcome } from './learn.ts'
import type { LearnedParts, LearnedPart } from './learn-parts.ts'

/** A part as it is stored; the comparison is null until it was learned. */
export type StoredPart<T> = Omit<LearnedPart<T>, 'comparison'> & {
  /** Whether operators allow it. */
  isEnabled: boolean
  comparison: Comparison | null
}

export type StoredParts = { [Part in keyof LearnedParts]: StoredPart<LearnedParts[Part]['learned']> }

export interface SearchLearning {
  /** Whether operators allow any of it. */
  isEnabled: boolean
  parts: StoredParts
  version: number
  learnedAt: Date | null
}

interface Row {
  isEnabled: boolean
  arePredictionsEnabled: boolean
  isWinning: boolean
  predictions: Prediction[]
  comparison: Comparison | null
  synonyms: StoredParts['synonyms']
  ranker: StoredParts['ranker']
  version: number
  learnedAt: Date | null
}

const columns = `is_enabled as "isEnabled", are_predictions_enabled as "arePredictionsEnabled", is_winning as "isWinning",
  predictions, comparison, synonyms, ranker, version, learned_at as "learnedAt"`

const fromRow = ({ isEnabled, version, learnedAt, synonyms, ranker, ...row }: Row): SearchLearning => ({
  isEnabled,
  parts: {
    predictions: {
      isEnabled: row.arePredictionsEnabled,
      isWinning: row.isWinning,
      comparison: row.comparison,
      learned: row.predictions,
    },
    synonyms,
    ranker,
  },
  version,
  learnedAt,
})

export const loadLearning = async (read: Reader): Promise<SearchLearning> =>
  fromRow(await read.one<Row>(`select ${columns} from catalog_search_learning where id = 1`))

export const lockLearning = async (tx: Tx): Promise<SearchLearning> =>
  fromRow(await tx.one<Row>(`select ${columns} from catalog_search_learning where id = 1 for update`))

/** A run that learned the same changes only figures and times: it keeps the version, and nothing is published. */
export const saveLearning = async (
  tx: Tx,
  { isEnabled, parts, version, learnedAt }: SearchLearning,
): Promise<SearchLearning> => {
  const { predictions, synonyms, ranker } = parts
  return fromRow(
    await tx.one<Row>(
      `update catalog_search_learning set is_enabled = $1, are_predictions_enabled = $2, is_winning = $3,
         predictions = $4, comparison = $5, synonyms = $6, ranker = $7, learned_at = $8, version = $9
       where id = 1 returning ${columns}`,
      [
        isEnabled,
        predictions.isEnabled,
        predictions.isWinning,
        JSON.stringify(predictions.learned),
        JSON.stringify(predictions.comparison),
        JSON.stringify(synonyms),
        JSON.stringify(ranker),
        learnedAt,
        version,
      ],
    ),
  )
}

/** A part that searches use; undefined if operators do not allow it or it did not win. */
export const activePart = <T>(isEnabled: boolean, part: StoredPart<T>): T | undefined =>
  isEnabled && part.isEnabled && part.isWinning ? part.learned : undefined

const maxOutcomes = 200_000

/** How strongly each kind of interaction shows that the product was meant. */
export const interactionWeights = { view: 1, click: 2, wishlist: 4, cart: 5, purchase: 8 } as const

const weight = `case hit.kind ${Object.entries(interactionWeights)
  .map(([kind, it]) => `when '${kind}' then ${it}`)
  .join(' ')} else 1 end`

export const hasOutcomes = async (read: Reader, since: Date): Promise<boolean> =>
  (
    await read.one<{ found: boolean }>(
      `select exists (select from catalog_search_interactions where day >= $1::timestamptz::date) as found`,
      [since],
    )
  ).found

/** What queries led to since a day, the latest days first. */
export const loadOutcomes = (read: Reader, since: Date): Promise<SearchOutcome[]> =>
  read.all<SearchOutcome>(
    `select query.query, hit.day::text as day, product.id as "productId", product.category_id as "categoryId",
       product.brand_id as "brandId", sum(hit.count * ${weight})::float8 as weight
     from catalog_search_interactions hit
     join catalog_search_queries query on query.id = hit.search_id
     join catalog_offers offer on offer.id = case when hit.offer ~ '^[1-9]\\d{0,15}$' then hit.offer::int8 end
     join catalog_products product on product.id = offer.product_id
     where hit.day >= $1::timestamptz::date
     group by query.query, hit.day, product.id, product.category_id, product.brand_id
     order by hit.day desc, query.query, product.id limit ${maxOutcomes}`,
    [since],
  )
