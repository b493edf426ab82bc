// Hours in which nobody is written to, by the clock on the shop's wall. What falls into them waits for their end.

export interface QuietHours {
  /** `21:00`; quiet begins with this minute. */
  from: string
  /** `09:00`; with this minute it is over. Before `from`, it is that of the next day. */
  to: string
}

export const timeForm = '^([01][0-9]|2[0-3]):[0-5][0-9]$'

/** Whether a minute of the day is quiet. Hours that begin when they end are no hours at all. */
export function isQuiet({ from, to }: QuietHours, minute: number): boolean {
  const [begin, end] = [minuteOf(from), minuteOf(to)]
  return begin <= end ? begin <= minute && minute < end : minute >= begin || minute < end
}

function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hour * 60 + minute
}
