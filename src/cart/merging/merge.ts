// How the cart of a guest is merged into the cart of a client. Pure: no clock, no SQL.

import type { RefusalCode } from '../../http/refusals.ts'
import {
  byAddition,
  firstChoices,
  isAddable,
  isSameOffer,
  type Line,
  type LineKey,
  maxLines,
  maxUnits,
  maxUnitsPerLine,
  type PricedCart,
  pricedLine,
  type PricedLine,
  withPricedLines,
} from '../carts/cart.ts'
import { brokenRules, creditExceeded } from '../carts/rules.ts'

export const strategies = ['max', 'sum', 'guest', 'client'] as const
export type Strategy = (typeof strategies)[number]

/** The result for one line of the guest. */
export interface Merged {
  key: LineKey
  from: 'guest' | 'both'
  /** Units that the client's line has now. */
  kept: number
  /** Units of them that the merge has added. */
  added: number
  /** Units of the strategy that stock or limits did not allow. */
  dropped: number
  reason: RefusalCode | null
  /** The loan condition that the line lost, so that it could keep its units. */
  clearedConditionId: number | null
}

const unitsBy: Record<Strategy, (guest: number, client: number) => number> = {
  max: Math.max,
  sum: (guest, client) => guest + client,
  guest: (guest) => guest,
  client: (_guest, client) => client,
}

/** Merges each line of the guest into the client's lines; reports the result of each. */
export function mergeLines(
  client: PricedCart,
  guestLines: readonly Line[],
  { strategy, now }: { strategy: Strategy; now: Date },
): { lines: Line[]; report: Merged[] } {
  let lines = client.lines
  const report: Merged[] = []
  for (const guest of guestLines) {
    const own = lines.find(({ line }) => isSameOffer(line, guest))?.line
    const wanted = own ? unitsBy[strategy](guest.quantity, own.quantity) : guest.quantity
    const { kept, reason, loanConditionId, clearedConditionId } = fitLine(client, {
      own,
      guest,
      others: lines.filter((it) => it.line !== own),
      quantity: Math.min(wanted, maxUnitsPerLine),
    })
    if (kept > 0) {
      const choices = { ...firstChoices(own ?? guest, guest), loanConditionId }
      const line = { ...(own ?? guest), ...choices, quantity: kept, updatedAt: now, reservedUntil: null }
      const merged = pricedLine(client.offers, line)
      lines = own ? lines.map((it) => (it.line === own ? merged : it)) : [...lines, merged]
    }
    report.push({
      key: { isModerated: guest.isModerated, offerId: guest.offerId },
      from: own ? 'both' : 'guest',
      kept,
      added: Math.max(0, kept - (own?.quantity ?? 0)),
      dropped: wanted - kept,
      reason: wanted > kept ? reason : null,
      clearedConditionId: kept > 0 ? clearedConditionId : null,
    })
  }
  return { lines: lines.map((it) => it.line).toSorted(byAddition), report }
}

interface MergedLine {
  own: Line | undefined
  guest: Line
  others: PricedLine[]
  quantity: number
}

/**
 * How many units the client can have, and under which loan condition. The client's own condition wins over the guest's.
 * Units matter more than the condition: it is cleared when the credit limit allows fewer units with it.
 */
function fitLine(client: PricedCart, { own, guest, others, quantity }: MergedLine) {
  const wantedConditionId = own?.loanConditionId ?? guest.loanConditionId
  const fit = (loanConditionId: number | null) => {
    const wanted = pricedLine(client.offers, { ...(own ?? guest), loanConditionId, quantity })
    return { ...unitsThatFit(client, { others, wanted, held: own?.quantity ?? 0 }), loanConditionId }
  }
  const whole = fit(wantedConditionId)
  if (wantedConditionId === null) return { ...whole, clearedConditionId: null }
  const plain = fit(null)
  const isNew = own?.loanConditionId !== wantedConditionId
  const line = { ...(own ?? guest), loanConditionId: wantedConditionId, quantity: plain.kept }
  const merged = pricedLine(client.offers, line)
  const exceedsCredit =
    isNew &&
    isAddable(merged) &&
    creditExceeded(withPricedLines(client, [...others, merged]), [merged]) !== undefined
  return plain.kept > whole.kept || exceedsCredit
    ? { ...plain, clearedConditionId: wantedConditionId }
    : { ...whole, clearedConditionId: null }
}

/** How many units the client can have: never fewer than they had. What cannot be bought now is kept as it is. */
function unitsThatFit(
  client: PricedCart,
  { others, wanted, held }: { others: PricedLine[]; wanted: PricedLine; held: number },
): { kept: number; reason: RefusalCode | null } {
  const { quantity } = wanted.line
  if (held === 0 && others.length >= maxLines) return { kept: 0, reason: 'cart_full' }
  if (quantity <= held || !isAddable(wanted)) return { kept: quantity, reason: 'product_limit_exceeded' }
  const whole = withPricedLines(client, [...others, wanted])
  const kept = Math.min(quantity, Math.max(held, maxUnits(whole, wanted)))
  const [first] = brokenRules(whole, { changed: [wanted], grown: [wanted] })
  return { kept, reason: first?.code ?? 'product_limit_exceeded' }
}
