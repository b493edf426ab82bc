// What a cart is and how it changes. Pure: no clock, no SQL.

import type { Buyer } from '../../base/buyer.ts'

/** Which offer a line holds. Ids of ordinary and of moderated offers overlap. */
export interface LineKey {
  isModerated: boolean
  offerId: number
}

/** What a buyer chooses for a line besides its units. Each has a column of its name in `cart_items`. */
export interface Choices {
  /** The condition under which the line would be paid in instalments; null for none. */
  loanConditionId: number | null
}

/** Nothing is chosen. */
export const noChoices: Choices = { loanConditionId: null }

const choiceNames = Object.keys(noChoices) as (keyof Choices)[]

/** The choices of a request: undefined keeps what the line has, null clears it. */
export type GivenChoices = { [Name in keyof Choices]?: Choices[Name] | undefined }

export interface Line extends LineKey, Choices {
  quantity: number
  priceAtAddTiyin: number
  addedAt: Date
  updatedAt: Date
  /** Until when its units are reserved; null when they are not. */
  reservedUntil: Date | null
}

/** What a line of a wishlist or a shared cart has in the fields that only lines of carts use. */
export const noCartFields = { ...noChoices, reservedUntil: null } satisfies Partial<Line>

export interface Cart {
  id: string
  buyer: Buyer
  /** The application that opened it; null for none. */
  applicationId: string | null
  version: number
  createdAt: Date
  updatedAt: Date
  /** Null for clients. */
  expiresAt: Date | null
  /** Null for none. */
  couponId: number | null
  /** In the order in which they were added. */
  lines: Line[]
}

/** Units to put into a cart. */
export interface AddItem extends LineKey, GivenChoices {
  quantity: number
}

/** What a request changes of a line. */
export type LineChange = Partial<Pick<Line, 'quantity' | keyof Choices>>

export const maxLines = 200
export const maxUnitsPerLine = 9_999

export const isSameOffer = (a: LineKey, b: LineKey): boolean =>
  a.offerId === b.offerId && a.isModerated === b.isModerated

/** A key for maps and sets. */
export const keyOf = ({ isModerated, offerId }: LineKey): string => `${isModerated ? 'm' : 'o'}${offerId}`

export const lineOf = (cart: Cart, key: LineKey): Line | undefined =>
  cart.lines.find((it) => isSameOffer(it, key))

/** The choices of a request; those that it leaves out come from the line. */
const chosen = (given: GivenChoices, held: Choices): Choices =>
  pickChoices((name) => (given[name] === undefined ? held[name] : given[name]))

/** The choices of one line; those that it does not have come from another line. */
export const firstChoices = (line: Choices, other: Choices): Choices =>
  pickChoices((name) => line[name] ?? other[name])

export const hasSameChoices = (a: Choices, b: Choices): boolean =>
  choiceNames.every((name) => a[name] === b[name])

const pickChoices = (pick: <Name extends keyof Choices>(name: Name) => Choices[Name]): Choices =>
  Object.fromEntries(choiceNames.map((name) => [name, pick(name)])) as unknown as Choices

/** The lines with the units added. Units of an offer that is in the cart are added to its line, at today's price. */
export function addUnits(
  lines: readonly Line[],
  item: AddItem,
  { priceTiyin, now }: { priceTiyin: number; now: Date },
): Line[] {
  const held = lines.find((it) => isSameOffer(it, item))
  const line: Line = {
    isModerated: item.isModerated,
    offerId: item.offerId,
    quantity: item.quantity + (held?.quantity ?? 0),
    ...chosen(item, held ?? noChoices),
    priceAtAddTiyin: priceTiyin,
    addedAt: held?.addedAt ?? now,
    updatedAt: now,
    reservedUntil: held?.reservedUntil ?? null,
  }
  return held ? lines.map((it) => (it === held ? line : it)) : [...lines, line].toSorted(byAddition)
}

/** The order of lines, here and in the store: replies list the lines of a cart as a later view does. */
export const byAddition = (a: Line, b: Line): number =>
  a.addedAt.getTime() - b.addedAt.getTime() ||
  a.offerId - b.offerId ||
  Number(a.isModerated) - Number(b.isModerated)

export const replaceLine = (lines: readonly Line[], line: Line): Line[] =>
  lines.map((it) => (isSameOffer(it, line) ? line : it))
