// What a cart is and how it changes. Nothing here waits, reads a clock or knows SQL.

import type { Buyer } from '../base/buyer.ts'

/** Which offer a line holds. Ordinary and moderated offers count their ids apart. */
export interface LineKey {
  isModerated: boolean
  offerId: number
}

export interface Line extends LineKey {
  quantity: number
  loanConditionId: number | null
  priceAtAddTiyin: number
  addedAt: Date
  updatedAt: Date
  /** Until when its units are kept from others; null when they are not. */
  reservedUntil: Date | null
}

export interface Cart {
  id: string
  buyer: Buyer
  version: number
  createdAt: Date
  updatedAt: Date
  /** Of guests alone. */
  expiresAt: Date | null
  /** In the order in which they were added. */
  lines: Line[]
}

export interface Wish extends LineKey {
  quantity: number
  /** Undefined keeps what the line has. */
  loanConditionId?: number | undefined
}

export const maxLines = 200
export const maxUnitsPerLine = 9_999

export const isSameOffer = (a: LineKey, b: LineKey): boolean =>
  a.offerId === b.offerId && a.isModerated === b.isModerated

/** A text for maps and sets. */
export const keyOf = ({ isModerated, offerId }: LineKey): string => `${isModerated ? 'm' : 'o'}${offerId}`

export const lineOf = (cart: Cart, key: LineKey): Line | undefined =>
  cart.lines.find((it) => isSameOffer(it, key))

/** The lines once a wish is granted. A repeated wish adds its units at today's price. */
export function withUnits(lines: readonly Line[], wish: Wish, { priceTiyin, now }: Deal): Line[] {
  const held = lines.find((it) => isSameOffer(it, wish))
  const line: Line = {
    isModerated: wish.isModerated,
    offerId: wish.offerId,
    quantity: wish.quantity + (held?.quantity ?? 0),
    loanConditionId: wish.loanConditionId ?? held?.loanConditionId ?? null,
    priceAtAddTiyin: priceTiyin,
    addedAt: held?.addedAt ?? now,
    updatedAt: now,
    reservedUntil: held?.reservedUntil ?? null,
  }
  return held ? lines.map((it) => (it === held ? line : it)) : [...lines, line]
}

export interface Deal {
  priceTiyin: number
  now: Date
}

/** The lines once one of them is replaced. */
export const withLine = (lines: readonly Line[], line: Line): Line[] =>
  lines.map((it) => (isSameOffer(it, line) ? line : it))
