// Where the axes of a chart have their ticks. Pure.

import { dayMs } from '../app/durations.ts'

const roundSteps = [1, 2, 2.5, 5, 10]
const mostSteps = 4

/** The smallest round number that is not below the value. */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value))
  return roundSteps.map((it) => it * unit).find((it) => it >= value * (1 - 1e-9)) ?? 10 * unit
}

export interface ValueRange {
  min: number
  max: number
}

/**
 * Round values at even distances that enclose the range. Their texts differ, and so do whole numbers, which have no
 * fractions between them.
 */
export function valueTicks(
  { min, max }: ValueRange,
  { format, isWhole }: { format(value: number): string; isWhole: boolean },
): number[] {
  const span = max - min
  let step = roundUp(span > 0 ? span / mostSteps : 1)
  if (isWhole) step = Math.max(1, Number.isInteger(step) ? step : roundUp(Math.ceil(step)))
  for (;;) {
    const first = Math.floor(min / step + 1e-9)
    const last = Math.max(first + 1, Math.ceil(max / step - 1e-9))
    // Products and not sums: a sum of fractions such as 0.1 is not exact.
    const ticks = Array.from({ length: last - first + 1 }, (_, at) =>
      Number(((first + at) * step).toPrecision(12)),
    )
    if (new Set(ticks.map(format)).size === ticks.length) return ticks
    step = roundUp(step * 1.01)
  }
}

const daySteps = [1, 2, 3, 5, 7, 14, 28, 56, 91, 182, 364]

/** Positions at even distances, with the last one among them: of days that is today. */
export function positionTicks(length: number, most: number): number[] {
  const step = daySteps.find((it) => length / it <= most) ?? Math.ceil(length / most)
  return Array.from({ length }, (_, at) => at).filter((it) => (length - 1 - it) % step === 0)
}

/** Every day of a period, also those of which a reply has nothing. */
export function daysOf({ from, to }: { from: string; to: string }): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs)
    days.push(new Date(at).toISOString().slice(0, 10))
  return days
}

/** When months begin within a period, in the time zone of the reader. */
export function monthStarts(from: number, to: number): number[] {
  const first = new Date(from)
  const startOf = (at: number) => new Date(first.getFullYear(), first.getMonth() + at, 1).getTime()
  const starts: number[] = []
  for (let at = 0; startOf(at) <= to; at++) if (startOf(at) >= from) starts.push(startOf(at))
  return starts
}

const hourSteps = [1, 2, 3, 6, 12, 24, 48, 72, 168]

/** Positions of hours that are round on a clock; of several days only midnights. */
export function hourTicks(hours: readonly string[], most: number): number[] {
  const isDay = hours.length <= 25
  const step = hourSteps.find((it) => hours.length / it <= most && (isDay || it >= 24)) ?? hourSteps.at(-1)!
  const midnights = hours.flatMap((it, at) => (new Date(it).getHours() === 0 ? [at] : []))
  if (step >= 24) return midnights.filter((_, at) => (midnights.length - 1 - at) % (step / 24) === 0)
  return hours.flatMap((it, at) => (new Date(it).getHours() % step === 0 ? [at] : []))
}
