/**
 * Cuts a text to at most `most` UTF-16 units, without half of a surrogate pair at the end: PostgreSQL stores half a
 * pair in JSON, and fails when it reads it.
 */
export function clip(text: string, most: number): string {
  const clipped = text.slice(0, most)
  const last = clipped.charCodeAt(clipped.length - 1)
  return text.length > most && last >= 0xd800 && last <= 0xdbff ? clipped.slice(0, -1) : clipped
}
