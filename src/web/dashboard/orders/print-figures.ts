// What the pages of an order count. Pure, so that it is tested without a browser.

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

/** The units of a fulfilment or a return by the names of their products, one text for each line. */
export const unitsTexts = (
  { lines }: Pick<Order, 'lines'>,
  units: readonly { line: number; quantity: number }[],
): string[] =>
  units.map(
    ({ line, quantity }) => `${quantity}\u00a0× ${lines.find((it) => it.line === line)?.title ?? line}`,
  )

/** What a payment holds after its refunds, in tiyin; a refund that failed took nothing. */
export const leftToRefund = ({
  amount,
  refunds,
}: Pick<Order['payments'][number], 'amount' | 'refunds'>): number =>
  amount.amount - sum(refunds.filter((it) => it.status !== 'failed').map((it) => it.amount.amount))

export interface NextPayment {
  kinds: readonly ('instalment' | 'cash' | 'external')[]
  tiyin: number
}

/** What staff can record next: the first open instalment, or all that is open. */
export function nextPayment({ instalments, amounts }: Pick<Order, 'instalments' | 'amounts'>): NextPayment {
  if (instalments.length > 0)
    return { kinds: ['instalment'], tiyin: instalments.find((it) => !it.paid)?.amount.amount ?? 0 }
  return { kinds: ['cash', 'external'], tiyin: sum(amounts.open.map((it) => it.amount.amount)) }
}
