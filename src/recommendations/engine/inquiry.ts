// A question put to a model. Pure data: serving and training ask in the same words.

import type { Past } from './past.ts'

export interface Inquiry {
  /** Where the list will stand. */
  layer: 'main_page' | 'offer_page' | 'cart_page'
  past: Past
  /** The items that the page is about. */
  context: readonly number[]
  /** When it is asked, in days. */
  day: number
  /** From where, as `placeKey` spells it; null when nobody said. */
  place: string | null
}

const focusOfMainPage = 3

/** What the buyer has before his eyes: the page's items, else those he touched last. */
export const focusOf = ({ context, past }: Inquiry): readonly number[] =>
  context.length > 0 ? context : past.history.slice(-focusOfMainPage)
