// The instalment schedule of an order. It follows from the order alone: its day, its lines and their loan terms.

import { sumTiyin } from '../../base/money.ts'
import { daysAfter } from '../../base/time-zone.ts'
import { paymentMethods } from '../../cart/index.ts'
import {
  amountOf,
  amountOfReturned,
  deliveryTiyin,
  type Order,
  type Ordered,
  type OrderLine,
} from '../order.ts'
import { returnedTiyin } from '../returns/return.ts'

export const isInInstalments = ({ methodId }: Pick<Ordered, 'methodId'>): boolean =>
  paymentMethods.find((it) => it.id === methodId)!.isInstallment

export interface Instalment {
  number: number
  /** A business day. */
  dueOn: string
  amountTiyin: number
  /** The part without commission. Paying it releases as much credit. */
  principalTiyin: number
  /** The price of the delivery: due at once, without commission, and not on credit. */
  deliveryTiyin: number
  /** What it costs when everything is repaid before its day. */
  earlyTiyin: number
  isPaid: boolean
  paidAt: Date | null
}

type Part = Pick<Instalment, 'dueOn' | 'amountTiyin' | 'principalTiyin' | 'deliveryTiyin' | 'earlyTiyin'>

const daysPerMonth = 30

/** The agreed schedule, by day. Parts are equal up to one tiyin, the larger first. */
export function agreedSchedule({
  lines,
  day,
  methodId,
  delivery,
}: Pick<Ordered, 'lines' | 'day' | 'methodId' | 'delivery'>): Part[] {
  const isDaily = paymentMethods.find((it) => it.id === methodId)!.code === 'daily_payment'
  const days = new Map<string, Part>()
  for (const part of lines.flatMap((it) => partsOf(it, { day, isDaily }))) {
    const sameDay = days.get(part.dueOn)
    days.set(part.dueOn, {
      dueOn: part.dueOn,
      amountTiyin: part.amountTiyin + (sameDay?.amountTiyin ?? 0),
      principalTiyin: part.principalTiyin + (sameDay?.principalTiyin ?? 0),
      deliveryTiyin: 0,
      earlyTiyin: part.earlyTiyin + (sameDay?.earlyTiyin ?? 0),
    })
  }
  const price = deliveryTiyin({ delivery })
  const parts = [...days.values()].toSorted((a, b) => (a.dueOn < b.dueOn ? -1 : 1))
  const delivered = {
    dueOn: day,
    amountTiyin: price,
    principalTiyin: 0,
    deliveryTiyin: price,
    earlyTiyin: price,
  }
  return [delivered, ...parts].filter((it) => it.amountTiyin > 0)
}

function partsOf(line: OrderLine, { day, isDaily }: { day: string; isDaily: boolean }): Part[] {
  if (!line.loan) return []
  const { duration, commission, earlyCommissionPercent = 100 } = line.loan
  const prepaid = prepaidTiyin(line)
  const financed = amountOf(line) - prepaid
  const count = isDaily ? duration * daysPerMonth : duration
  const due = (at: number) => (isDaily ? daysAfter(day, at + 1) : monthsAfter(day, at + 1))
  const amounts = splitEvenly(withCommission(financed, commission), count)
  const principals = splitEvenly(financed, count)
  return [
    { dueOn: day, amountTiyin: prepaid, principalTiyin: prepaid, deliveryTiyin: 0, earlyTiyin: prepaid },
    ...amounts.map((it, at) => ({
      dueOn: due(at),
      amountTiyin: it,
      principalTiyin: principals[at]!,
      deliveryTiyin: 0,
      earlyTiyin: principals[at]! + percentOf(it - principals[at]!, earlyCommissionPercent),
    })),
  ]
}

const prepaidTiyin = (line: OrderLine): number =>
  Math.min(line.prepaymentTiyin * line.quantity, amountOf(line))

const lineCommissionTiyin = (line: OrderLine): number =>
  line.loan ? percentOf(amountOf(line) - prepaidTiyin(line), line.loan.commission) : 0

/** Rounded up. */
const percentOf = (tiyin: number, percent: number): number =>
  Number((BigInt(tiyin) * BigInt(percent) + 99n) / 100n)

const withCommission = (tiyin: number, percent: number): number => percentOf(tiyin, 100 + percent)

const splitEvenly = (total: number, count: number): number[] => {
  const [each, rest] = [Math.floor(total / count), total % count]
  return Array.from({ length: count }, (_, at) => each + (at < rest ? 1 : 0))
}

/** The current schedule: received returns reduce it, the last open instalments first. */
export function instalmentsOf(order: Order): Instalment[] {
  const { instalmentsPaid, returns } = order.progress
  const schedule = agreedSchedule(order).map((it, at) => {
    const paid = instalmentsPaid.find(({ number }) => number === at + 1)
    const { amountTiyin = it.amountTiyin, principalTiyin = it.principalTiyin } = paid ?? {}
    return {
      number: at + 1,
      dueOn: it.dueOn,
      amountTiyin,
      principalTiyin,
      deliveryTiyin: it.deliveryTiyin,
      earlyTiyin: paid ? amountTiyin : it.earlyTiyin,
      isPaid: paid !== undefined,
      paidAt: paid?.at ?? null,
      // A return had reduced it before it was paid.
      cutTiyin: it.principalTiyin - principalTiyin,
    }
  })
  let released = Math.max(0, returnedTiyin(returns) - sumTiyin(schedule.map((it) => it.cutTiyin)))
  for (const it of schedule.toReversed()) {
    if (it.isPaid || it.principalTiyin === 0 || released === 0) continue
    const cut = Math.min(released, it.principalTiyin)
    it.earlyTiyin -= share(it.earlyTiyin, cut, it.principalTiyin)
    it.amountTiyin =
      cut === it.principalTiyin ? 0 : it.amountTiyin - share(it.amountTiyin, cut, it.principalTiyin)
    it.principalTiyin -= cut
    released -= cut
  }
  return schedule.filter((it) => it.amountTiyin > 0).map(({ cutTiyin: _cut, ...it }) => it)
}

/** Instalments that are not paid; none when the order is cancelled. */
export const openInstalments = (order: Order): Instalment[] =>
  isInInstalments(order) && !order.progress.cancelled ? instalmentsOf(order).filter((it) => !it.isPaid) : []

/** Open instalments whose day has passed and that no event has reported yet. */
export const newlyOverdue = (order: Order, today: string): Instalment[] =>
  openInstalments(order).filter(
    (it) => it.dueOn < today && !order.progress.instalmentsOverdue.includes(it.number),
  )

/** The chosen open instalments: by number, all, or the first ones. */
export function chosenInstalments(open: readonly Instalment[], choice: InstalmentChoice): Instalment[] {
  if (choice.kind === 'all') return [...open]
  if (choice.kind === 'number') return open.filter((it) => it.number === choice.number)
  return open.slice(0, choice.count)
}

export type InstalmentChoice =
  | { kind: 'all' }
  | { kind: 'number'; number: number }
  | { kind: 'first'; count: number }

/** Instalments as they are paid now: those that are not due yet cost less when all that are open are paid at once. */
export const asPaid = (
  chosen: readonly Instalment[],
  choice: InstalmentChoice,
  today: string,
): Instalment[] =>
  chosen.map((it) => (choice.kind === 'all' && it.dueOn > today ? { ...it, amountTiyin: it.earlyTiyin } : it))

/** What repaying everything today costs. */
export const earlyRepaymentTiyin = (order: Order, today: string): number =>
  sumTiyin(asPaid(openInstalments(order), { kind: 'all' }, today).map((it) => it.amountTiyin))

/** Everything that the buyer repays, commission included. */
export const totalToRepayTiyin = (order: Order): number =>
  sumTiyin(instalmentsOf(order).map((it) => it.amountTiyin))

export const commissionTiyin = (it: Instalment): number =>
  it.amountTiyin - it.principalTiyin - it.deliveryTiyin

/** The commission in paid instalments. */
export const paidCommissionTiyin = (order: Order): number =>
  sumTiyin(
    instalmentsOf(order)
      .filter((it) => it.isPaid)
      .map(commissionTiyin),
  )

/** The paid commission that belongs to units that are not returned: their agreed commission without its open part. */
export function neededCommissionTiyin(order: Order): number {
  const [paid, open] = [true, false].map((isPaid) =>
    instalmentsOf(order).filter((it) => it.isPaid === isPaid),
  )
  const needed = keptCommissionTiyin(order) - sumTiyin(open!.map(commissionTiyin))
  // What was repaid early has cost less than agreed.
  const parts = agreedSchedule(order)
  const agreed = sumTiyin(
    paid!.map((it) => {
      const { amountTiyin, principalTiyin, deliveryTiyin } = parts[it.number - 1]!
      return share(amountTiyin - principalTiyin - deliveryTiyin, it.principalTiyin, principalTiyin)
    }),
  )
  return share(Math.max(0, needed), sumTiyin(paid!.map(commissionTiyin)), agreed)
}

/** The agreed commission of the units that are not returned. */
const keptCommissionTiyin = (order: Order): number =>
  sumTiyin(
    order.lines.map((line) => {
      const amount = amountOf(line)
      const returned = sumTiyin(
        order.progress.returns
          .filter((it) => it.status === 'received')
          .flatMap((it) => it.lines.filter((one) => one.line === line.number))
          .map((it) => amountOfReturned(order, it)),
      )
      return share(lineCommissionTiyin(line), amount - returned, amount)
    }),
  )

/** Rounded down; nothing of nothing. */
export const share = (tiyin: number, part: number, whole: number): number =>
  whole === 0 ? 0 : Number((BigInt(tiyin) * BigInt(part)) / BigInt(whole))

/** The unpaid principal. */
export const outstandingTiyin = (order: Order): number =>
  sumTiyin(openInstalments(order).map((it) => it.principalTiyin))

const utcDay = (day: string) => new Date(`${day}T00:00:00Z`)
const dayText = (at: Date) => at.toISOString().slice(0, 10)

/** The same day of a later month, or its last day. */
function monthsAfter(day: string, count: number): string {
  const at = utcDay(day)
  const wanted = at.getUTCDate()
  at.setUTCDate(1)
  at.setUTCMonth(at.getUTCMonth() + count + 1, 0)
  at.setUTCDate(Math.min(wanted, at.getUTCDate()))
  return dayText(at)
}
