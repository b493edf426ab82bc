import type { Tx } from '../../base/database.ts'

interface Day {
  clientId: number
  day: string
}

interface BoughtLine {
  productId: number
  units: number
  amountTiyin: number
}

const columnsOf = ({ clientId, day }: Day, lines: readonly BoughtLine[]) => [
  clientId,
  day,
  lines.map((it) => it.productId),
  lines.map((it) => it.units),
  lines.map((it) => it.amountTiyin),
]

const byProduct = `select product_id, sum(units) as units, sum(amount_tiyin) as amount_tiyin
  from unnest($3::int8[], $4::int4[], $5::int8[]) as line (product_id, units, amount_tiyin) group by product_id`

/** Adds to what a client has bought of products on a day. */
export function addPurchases(tx: Tx, day: Day, lines: readonly BoughtLine[]): void {
  tx.later(
    `insert into cart_purchases as bought (client_id, day, product_id, units, amount_tiyin)
     select $1, $2::date, product_id, units, amount_tiyin from (${byProduct}) line order by product_id
     on conflict (client_id, day, product_id) do update
     set units = bought.units + excluded.units, amount_tiyin = bought.amount_tiyin + excluded.amount_tiyin`,
    columnsOf(day, lines),
  )
}

/** Subtracts from it. */
export function subtractPurchases(tx: Tx, day: Day, lines: readonly BoughtLine[]): void {
  tx.later(
    `update cart_purchases bought set units = bought.units - line.units, amount_tiyin = bought.amount_tiyin - line.amount_tiyin
     from (${byProduct}) line
     where bought.client_id = $1 and bought.day = $2::date and bought.product_id = line.product_id`,
    columnsOf(day, lines),
  )
}

/** Older purchases no longer count against limits. */
export const purchasesBefore = `delete from cart_purchases where (client_id, day, product_id) in (
  select client_id, day, product_id from cart_purchases where day < $1::date limit $2) returning 1`

/** Adds to what a client owes; a negative amount subtracts. */
export function addCredit(tx: Tx, clientId: number, tiyin: number): void {
  tx.later(
    `insert into cart_credits as credit (client_id, outstanding_tiyin) values ($1, greatest(0, $2::int8))
     on conflict (client_id) do update set outstanding_tiyin = greatest(0, credit.outstanding_tiyin + $2::int8)`,
    [clientId, tiyin],
  )
}

export interface CountedPurchase {
  clientId: number
  /** The business day of the order, as returned by `CartSettings.dayOf`. */
  day: string
  lines: { productId: number; units: number; amountTiyin: number }[]
  /** What the client owes for it: zero unless it is paid in instalments. */
  creditTiyin: number
}

/** Counts an order against the client's limits. */
export function countPurchase(tx: Tx, it: CountedPurchase): void {
  addPurchases(tx, it, it.lines)
  if (it.creditTiyin > 0) addCredit(tx, it.clientId, it.creditTiyin)
}

/** Reverses `countPurchase` for cancelled or returned units. Not idempotent: the caller must call it once. */
export function uncountPurchase(tx: Tx, it: CountedPurchase): void {
  subtractPurchases(tx, it, it.lines)
  if (it.creditTiyin > 0) addCredit(tx, it.clientId, -it.creditTiyin)
}

/** Subtracts a repayment from what the client owes. */
export const countRepayment = (tx: Tx, clientId: number, tiyin: number): void =>
  addCredit(tx, clientId, -tiyin)
