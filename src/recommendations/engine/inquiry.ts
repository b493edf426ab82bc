// A question put to a model, and what a buyer did before it. Pure data: serving and training ask in the same words.

import type { InteractionKind } from '../behaviour/interaction.ts'

/** One deed with an item of the model. */
export interface Step {
  item: number
  kind: InteractionKind
  /** In days, with a fraction. */
  day: number
}

export interface Inquiry {
  /** Where the list will stand. */
  layer: 'main_page' | 'offer_page' | 'cart_page'
  /** Oldest first. */
  steps: readonly Step[]
  /** The items that the page is about. */
  context: readonly number[]
  day: number
}

const mostItems = 40
const focusOfMainPage = 3

/** The items of the steps, each once, in the order in which they were last touched; only the latest. */
export function historyOfSteps(steps: readonly Step[]): number[] {
  const seen = new Set<number>()
  for (let at = steps.length - 1; at >= 0 && seen.size < mostItems; at--) seen.add(steps[at]!.item)
  return [...seen].reverse()
}

/** What the buyer has before his eyes: the page's items, else those he touched last. */
export const focusOf = ({ context }: Inquiry, history: readonly number[]): readonly number[] =>
  context.length > 0 ? context : history.slice(-focusOfMainPage)
