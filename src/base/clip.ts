/**
 * At most so many UTF-16 units of a text, without half of a pair at the end: PostgreSQL stores half a pair in JSON, and
 * fails when it reads it.
 */
export function clip(text: string, most: number): string {
  const clipped = text.slice(0, most)
  const last = clipped.charCodeAt(clipped.length - 1)
  return text.length > most && last >= 0xd800 && last <= 0xdbff ? clipped.slice(0, -1) : clipped
}
