// What the printed pages of an order count. Pure, so that it is tested without a browser.

import type { Order } from '../../../sdk/index.ts'

type Line = Order['lines'][number]

export interface PickedLine {
  line: Line
  /** Units that are still in the warehouse. */
  units: number
}

/** What remains to be picked, by title: units that were shipped are gone already. */
export function linesToPick({ lines, fulfilments }: Pick<Order, 'lines' | 'fulfilments'>): PickedLine[] {
  const gone = new Map<number, number>()
  for (const { status, lines: sent } of fulfilments)
    if (status === 'shipped' || status === 'delivered')
      for (const { line, quantity } of sent) gone.set(line, (gone.get(line) ?? 0) + quantity)
  return lines
    .map((line) => ({ line, units: line.quantity - (gone.get(line.line) ?? 0) }))
    .filter(({ units }) => units > 0)
    .toSorted((a, b) => a.line.title.localeCompare(b.line.title) || a.line.line - b.line.line)
}

export interface InvoiceFigures {
  /** All in tiyin. */
  products: number
  discount: number
  delivery: number
  total: number
  commission: number
  paid: number
  refunded: number
  open: number
}

const sum = (values: readonly number[]): number => values.reduce((total, it) => total + it, 0)

export function invoiceFigures(
  order: Pick<Order, 'lines' | 'total' | 'amounts' | 'instalments'>,
): InvoiceFigures {
  const products = sum(order.lines.map((it) => it.unit_price.amount * it.quantity))
  const discount = sum(order.lines.map((it) => it.discount.amount))
  const total = order.total.amount
  return {
    products,
    discount,
    delivery: total - (products - discount),
    total,
    commission: sum(order.instalments.map((it) => it.commission.amount)),
    paid: order.amounts.paid.amount,
    refunded: order.amounts.refunded.amount,
    open: sum(order.amounts.open.map((it) => it.amount.amount)),
  }
}
