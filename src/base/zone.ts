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
