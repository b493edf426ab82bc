import { minuteMs } from './clock.ts'

/** A function that gives the calendar day of an instant in a zone, such as `2026-11-15`. */
export function dayIn(zone: string): (at: Date) => string {
  // The Canadian date format is ISO.
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  let [minute, day] = [NaN, '']
  return (at) => {
    // Midnight is on a whole minute in every zone, so the day of the last minute is cached.
    const current = Math.floor(at.getTime() / minuteMs)
    if (current !== minute) [minute, day] = [current, format.format(at)]
    return day
  }
}

/** A function that gives the minute of the local day of an instant in a zone: 0 to 1439. */
export function minuteIn(zone: string): (at: Date) => number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })
  return (at) => {
    const [hour = 0, minute = 0] = format.format(at).split(':').map(Number)
    return hour * 60 + minute
  }
}

/** The calendar day some days after another one. */
export function daysAfter(day: string, count: number): string {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + count)
  return at.toISOString().slice(0, 10)
}
