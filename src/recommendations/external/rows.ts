import type { Database } from '../../base/database.ts'
import { productsOfOffers } from '../../catalog/index.ts'
import { interactionWeight } from '../interactions/interaction.ts'
import { type InteractionCursor, interactionsAfter } from './store.ts'

export const formats = ['csv', 'ndjson'] as const
export type Format = (typeof formats)[number]

export type Cell = string | number

/** Rows in batches, with their column names. */
export interface Rows {
  columns: readonly string[]
  batches: AsyncIterable<readonly (readonly Cell[])[]>
}

/** Serializes rows as CSV (RFC 4180) with a header, or as NDJSON. The header is written before the first batch is loaded. */
export async function* formatRows({ columns, batches }: Rows, format: Format): AsyncGenerator<string, void> {
  if (format === 'csv') yield `${columns.join(',')}\n`
  for await (const rows of batches)
    if (rows.length > 0) yield rows.map((it) => line(columns, it, format)).join('')
}

const line = (columns: readonly string[], row: readonly Cell[], format: Format): string =>
  format === 'csv'
    ? `${row.map(quoted).join(',')}\n`
    : `${JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, row[at]!])))}\n`

const quoted = (cell: Cell): string =>
  typeof cell === 'string' && /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : String(cell)

const pageSize = 2_000
const columns = ['buyer', 'product_id', 'offer_id', 'kind', 'weight', 'at'] as const

export interface Period {
  from?: Date
  to?: Date
}

/** Interactions in order of time, with the present buyer of each alias. Unknown offers are left out. */
export const interactionRows = (db: Database, period: Period): Rows => ({
  columns,
  batches: batches(db, period),
})

async function* batches(db: Database, period: Period): AsyncGenerator<Cell[][], void> {
  let after: InteractionCursor | undefined
  do {
    const page = await interactionsAfter(db.readLagging(), { ...period, after, limit: pageSize })
    const productOf = await productsOfOffers(db.readLagging(), [...new Set(page.map((it) => it.offer))])
    yield page.flatMap(({ known, offer, kind, at }): Cell[][] => {
      const productId = productOf.get(offer)
      return productId === undefined
        ? []
        : [[known, productId, offer, kind, interactionWeight[kind], at.toISOString()]]
    })
    after = page.length < pageSize ? undefined : page.at(-1)
  } while (after)
}
