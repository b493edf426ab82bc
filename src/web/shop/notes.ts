// A short message that survives a redirect: its key and values are in a cookie, its text is ours.

import { html, type Html } from '../../http/html.ts'
import { fill, type TextKey } from './texts/index.ts'
import type { Visit } from './visit.ts'

const noteSeconds = 60

const noteKeys = [
  'added',
  'saved',
  'removed',
  'merged',
  'welcome',
  'signedOut',
  'signInFailed',
  'profileSaved',
  'skipped',
  'notAdded',
  'signInAgain',
  'paid',
  'reviewSent',
  'addressSaved',
  'addressRemoved',
  'mandateGranted',
  'mandateRevoked',
  'mandateConfirmed',
] as const satisfies readonly TextKey[]
export type NoteKey = (typeof noteKeys)[number]

export const leaveNote = (visit: Visit, key: NoteKey, values: Record<string, string | number> = {}): void =>
  visit.setCookie('note', encodeURIComponent(JSON.stringify([key, values])), noteSeconds)

/** Shows the message once. */
export function noteOf(visit: Visit): Html | undefined {
  const kept = visit.cookie('note')
  if (!kept) return undefined
  visit.setCookie('note', '', 0)
  try {
    const [key, values] = JSON.parse(decodeURIComponent(kept)) as [NoteKey, Record<string, string>]
    return noteKeys.includes(key) ? note(fill(visit.texts[key], values)) : undefined
  } catch {
    // The cookie was changed by hand.
    return undefined
  }
}

export const note = (text: string): Html => html`<p class="note">${text}</p>`
