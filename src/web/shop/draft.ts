// What a visitor typed into the checkout, in a sealed cookie: a session that ends, a sign-in on the way or a closed tab
// loses nothing. It is deleted when the order is placed.

import type { Visit } from './visit.ts'

const draftSeconds = 30 * 60
/** Browsers keep about 4 kB; sealing adds a third. */
const maxLength = 2_500

const names = [
  'name',
  'phone',
  'email',
  'region',
  'city',
  'street',
  'building',
  'apartment',
  'landmark',
  'method',
]

/** The choice of lines is kept only for a return to the same cart: lines added later are chosen like all others. */
export function keepDraft(visit: Visit, what: 'fields' | 'fields-and-lines' = 'fields'): void {
  if (!visit.form['sent']) return
  const others = what === 'fields' ? /^delivery-\d+$/ : /^(sent|(delivery|item|moderated)-\d+)$/
  const isKept = (name: string) => names.includes(name) || others.test(name)
  const fields = Object.entries(visit.form).filter(([name, value]) => isKept(name) && value !== '')
  const text = JSON.stringify(Object.fromEntries(fields))
  if (text.length <= maxLength) visit.setCookie('draft', visit.options.seal(text), draftSeconds)
}

/** The form as it was, if there is one; what the visitor sends now is newer. */
export function withDraft(visit: Visit): Visit {
  const kept = visit.cookie('draft')
  if (kept === undefined || visit.form['sent']) return visit
  const text = visit.options.open(kept)
  return text === undefined ? visit : { ...visit, form: JSON.parse(text) as Record<string, string> }
}

export const dropDraft = (visit: Visit): void => visit.setCookie('draft', '', 0)
