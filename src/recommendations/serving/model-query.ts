// A query to a model, the same for serving and training.

import type { BuyerProfile } from './buyer-profile.ts'

export interface ModelQuery {
  /** The page that shows the list. */
  layer: 'main_page' | 'offer_page' | 'cart_page'
  profile: BuyerProfile
  /** The items that the page is about. */
  context: readonly number[]
  /** The time of the query, in days. */
  day: number
  /** The place as `placeKey` normalises it; null when unknown. */
  place: string | null
  /** The device and the application, as `platformKeys` names them. */
  platform?: readonly string[]
  /** Whether the page shows the products of one category alone. */
  isOneCategory?: boolean
  /** What the buyer may still buy on credit; undefined when unknown. */
  remainingCreditTiyin?: number | undefined
}

/** A pause of half an hour ends a visit, in days. */
export const sessionGapDays = 1 / 48

const focusOfMainPage = 3

/** The most products of a page that count. */
export const mostOnPage = 1_000

/** The items in focus: those of the page, else the buyer's latest. */
export const focusOf = ({ context, profile }: ModelQuery): readonly number[] =>
  context.length > 0 ? context : profile.history.slice(-focusOfMainPage)

/** The buyer's items with those of the page last. */
export const trailOf = ({ context, profile: { history } }: ModelQuery): readonly number[] =>
  context.length === 0 || (context.length === 1 && history.at(-1) === context[0])
    ? history
    : [...history.filter((it) => !context.includes(it)), ...context]

/** A visit lasts this long at most, in days. */
const visitDays = 1 / 12

/** On a page with products the items of this visit, the page last; else the buyer's items. */
export function visitOf(query: ModelQuery): readonly number[] {
  const trail = trailOf(query)
  if (query.context.length === 0) return trail
  const since = query.day - visitDays
  return trail.filter(
    (it) => query.context.includes(it) || (query.profile.touches.get(it)?.lastDay ?? 0) >= since,
  )
}

/** By page, the weight of each candidate source in the order of `sourceNames`. */
export type BlendWeights = Readonly<Record<ModelQuery['layer'], readonly number[]>>
