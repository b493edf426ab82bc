// When what of an order in instalments is due. It follows from the order alone: its day, its lines and their terms.

import { paymentMethods } from '../cart/index.ts'
import { type Order, type Ordered, type OrderLine, amountOf } from './order.ts'
import { returnedTiyin } from './return.ts'

export interface Instalment {
  number: number
  /** A business day. */
  dueOn: string
  amountTiyin: number
  /** What of it pays for the goods; the rest is commission. Paying it frees as much credit. */
  principalTiyin: number
  isPaid: boolean
}

type Part = Pick<Instalment, 'dueOn' | 'amountTiyin' | 'principalTiyin'>

const daysPerMonth = 30

/** The schedule as it was agreed, by day. Parts are as even as whole tiyin allow, the larger first. */
export function agreedSchedule({
  lines,
  day,
  methodId,
}: Pick<Ordered, 'lines' | 'day' | 'methodId'>): Part[] {
  const isDaily = paymentMethods.find((it) => it.id === methodId)!.code === 'daily_payment'
  const days = new Map<string, Part>()
  for (const part of lines.flatMap((it) => partsOf(it, { day, isDaily }))) {
    const held = days.get(part.dueOn)
    days.set(part.dueOn, {
      dueOn: part.dueOn,
      amountTiyin: part.amountTiyin + (held?.amountTiyin ?? 0),
      principalTiyin: part.principalTiyin + (held?.principalTiyin ?? 0),
    })
  }
  return [...days.values()]
    .filter((it) => it.amountTiyin > 0)
    .toSorted((a, b) => (a.dueOn < b.dueOn ? -1 : 1))
}

function partsOf(line: OrderLine, { day, isDaily }: { day: string; isDaily: boolean }): Part[] {
  if (!line.loan) return []
  const { duration, commission } = line.loan
  const amount = amountOf(line)
  const ahead = Math.min(line.prepaymentTiyin * line.quantity, amount)
  const financed = amount - ahead
  const count = isDaily ? duration * daysPerMonth : duration
  const due = (at: number) => (isDaily ? daysAfter(day, at + 1) : monthsAfter(day, at + 1))
  const amounts = evenly(withCommission(financed, commission), count)
  const principals = evenly(financed, count)
  return [
    { dueOn: day, amountTiyin: ahead, principalTiyin: ahead },
    ...amounts.map((it, at) => ({ dueOn: due(at), amountTiyin: it, principalTiyin: principals[at]! })),
  ]
}

const withCommission = (tiyin: number, percent: number): number =>
  Number((BigInt(tiyin) * BigInt(100 + percent) + 99n) / 100n)

const evenly = (total: number, count: number): number[] => {
  const [each, rest] = [Math.floor(total / count), total % count]
  return Array.from({ length: count }, (_, at) => each + (at < rest ? 1 : 0))
}

/** The schedule as it stands: what came back is no longer owed, the last instalments first. */
export function instalmentsOf(order: Order): Instalment[] {
  const { instalmentsPaid, returns } = order.story
  let released = returnedTiyin(returns)
  const standing = agreedSchedule(order).map((it, at) => ({
    ...it,
    number: at + 1,
    isPaid: instalmentsPaid.includes(at + 1),
  }))
  for (const it of standing.toReversed()) {
    if (it.isPaid || released === 0) continue
    const cut = Math.min(released, it.principalTiyin)
    it.amountTiyin =
      cut === it.principalTiyin ? 0 : it.amountTiyin - share(it.amountTiyin, cut, it.principalTiyin)
    it.principalTiyin -= cut
    released -= cut
  }
  return standing.filter((it) => it.amountTiyin > 0)
}

const share = (tiyin: number, part: number, whole: number): number =>
  Number((BigInt(tiyin) * BigInt(part)) / BigInt(whole))

/** What is still owed for the goods themselves. */
export const outstandingTiyin = (order: Order): number =>
  order.story.cancelled
    ? 0
    : instalmentsOf(order)
        .filter((it) => !it.isPaid)
        .reduce((sum, it) => sum + it.principalTiyin, 0)

const utcDay = (day: string) => new Date(`${day}T00:00:00Z`)
const dayText = (at: Date) => at.toISOString().slice(0, 10)

function daysAfter(day: string, count: number): string {
  const at = utcDay(day)
  at.setUTCDate(at.getUTCDate() + count)
  return dayText(at)
}

/** The same day of a later month, or its last one. */
function monthsAfter(day: string, count: number): string {
  const at = utcDay(day)
  const wanted = at.getUTCDate()
  at.setUTCDate(1)
  at.setUTCMonth(at.getUTCMonth() + count + 1, 0)
  at.setUTCDate(Math.min(wanted, at.getUTCDate()))
  return dayText(at)
}
