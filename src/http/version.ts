import { refuse } from '../base/refusal.ts'

/** The `If-Match` header: the versions it names, as they were sent. */
export interface IfMatch {
  versions: readonly number[] | 'any'
  sent: number | string
}

/** The next entity tag of a list (RFC 9110 8.8.3) with what separates it. A list may have empty elements. */
const nextTag = /[\s,]*(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?:,[\s,]*|$)/y
/** Ours: `"3"`, `"3-ru"`, `"3-ru-<digest>"`. */
const ownTag = /^(\d{1,15})(?:-[a-z]{2}(?:-[\w-]{22})?)?$/

/**
 * Reads a list of entity tags; undefined if it is malformed. Tags of others match no version. A weak tag counts as its
 * strong form, because proxies that compress replies weaken the tags.
 */
export function ifMatchOf(given: string): IfMatch | undefined {
  const sent = given.trim()
  if (sent === '*') return { versions: 'any', sent }
  const tags = tagsOf(sent)
  if (!tags || tags.length === 0) return undefined
  const versions = tags.flatMap((it) => ownTag.exec(it)?.[1] ?? []).map(Number)
  return { versions, sent: tags.length === 1 && versions.length === 1 ? versions[0]! : sent }
}

/** Reads one tag after the other, so that a list costs no more than its length. */
function tagsOf(list: string): string[] | undefined {
  const tags: string[] = []
  const reader = new RegExp(nextTag)
  while (reader.lastIndex < list.length) {
    const [, tag] = reader.exec(list) ?? []
    if (tag === undefined) return undefined
    tags.push(tag)
  }
  return tags
}

/** The condition that a known version is current. */
export const exactly = (version: number): IfMatch => ({ versions: [version], sent: version })

/** Throws unless the current version is one that `If-Match` names. Nothing matches what does not exist. */
export function requireVersion(current: { version: number } | undefined, ifMatch: IfMatch | undefined): void {
  if (!ifMatch || (current && (ifMatch.versions === 'any' || ifMatch.versions.includes(current.version))))
    return
  throw refuse('version_mismatch', { current: current?.version ?? 0, sent: ifMatch.sent })
}
