/** Tells the calendar day of an instant in a zone, such as `2026-11-15`. */
export function dayIn(zone: string): (at: Date) => string {
  // The Canadian way of writing a date is the ISO one.
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  let [minute, day] = [NaN, '']
  return (at) => {
    // Midnight falls on a whole minute in every zone, and most instants that are asked for share theirs with the last.
    const asked = Math.floor(at.getTime() / 60_000)
    if (asked !== minute) [minute, day] = [asked, format.format(at)]
    return day
  }
}

/** Tells the minute of the day that the clock on the wall of a zone shows at an instant: 0 is midnight, 1439 the last. */
export function minuteIn(zone: string): (at: Date) => number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })
  return (at) => {
    const [hour = 0, minute = 0] = format.format(at).split(':').map(Number)
    return hour * 60 + minute
  }
}
