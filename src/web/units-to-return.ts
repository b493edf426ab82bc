// Which units of an order can still be returned; the shop and the dashboard offer the same.

import type { Order } from '../sdk/index.ts'

/** The delivered units that are in no return yet, by line. */
export function unitsToReturn({
  lines,
  fulfilments,
  returns,
}: Pick<Order, 'lines' | 'fulfilments' | 'returns'>): { line: number; quantity: number }[] {
  const unitsOf = (parts: readonly Pick<Order['returns'][number], 'lines'>[], line: number): number =>
    parts.flatMap((it) => it.lines).reduce((sum, it) => sum + (it.line === line ? it.quantity : 0), 0)
  const delivered = fulfilments.filter((it) => it.status === 'delivered')
  const asked = returns.filter((it) => it.status !== 'rejected')
  return lines
    .map(({ line }) => ({ line, quantity: unitsOf(delivered, line) - unitsOf(asked, line) }))
    .filter((it) => it.quantity > 0)
}
