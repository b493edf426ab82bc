// How the cart of a guest goes into the cart of a client. Nothing here waits or knows SQL.

import { isSameOffer, type Line, type LineKey } from './cart.ts'
import { type Entry, isForSale, mostUnits, type Purchase, purchaseOf } from './purchase.ts'
import { brokenRules } from './rules.ts'
import { maxLines, maxUnitsPerLine } from './cart.ts'

export const strategies = ['max', 'sum', 'guest', 'client'] as const
export type Strategy = (typeof strategies)[number]

/** What became of a line of the guest. */
export interface Merged {
  key: LineKey
  from: 'guest' | 'both'
  /** Units that the client's line has now. */
  kept: number
  /** Units that the strategy wanted, and stock or limits did not allow. */
  dropped: number
  reason: string | null
}

const unitsBy: Record<Strategy, (guest: number, client: number) => number> = {
  max: Math.max,
  sum: (guest, client) => guest + client,
  guest: (guest) => guest,
  client: (_guest, client) => client,
}

/** The client's lines once each line of the guest has come to them, and what became of it. */
export function mergedLines(
  purchase: Purchase,
  guestLines: readonly Line[],
  { strategy, entryFor, now }: { strategy: Strategy; entryFor: (line: Line) => Entry; now: Date },
): { lines: Line[]; report: Merged[] } {
  let entries = purchase.entries
  const report: Merged[] = []
  for (const guest of guestLines) {
    const own = entries.find(({ line }) => isSameOffer(line, guest))?.line
    const wanted = own ? unitsBy[strategy](guest.quantity, own.quantity) : guest.quantity
    const line: Line = { ...(own ?? guest), updatedAt: now, reservedUntil: null }
    // The client's own condition wins; one that only the guest chose comes along.
    line.loanConditionId = own?.loanConditionId ?? guest.loanConditionId
    const { kept, reason } = capped(purchase, {
      entries: entries.filter((it) => it.line !== own),
      entry: entryFor({ ...line, quantity: Math.min(wanted, maxUnitsPerLine) }),
      held: own?.quantity ?? 0,
    })
    if (kept > 0) {
      const entry = entryFor({ ...line, quantity: kept })
      entries = own ? entries.map((it) => (it.line === own ? entry : it)) : [...entries, entry]
    }
    report.push({
      key: { isModerated: guest.isModerated, offerId: guest.offerId },
      from: own ? 'both' : 'guest',
      kept,
      dropped: wanted - kept,
      reason: wanted > kept ? reason : null,
    })
  }
  return { lines: entries.map((it) => it.line), report }
}

/** How much of a wanted line the client can have: never less than he had, and what cannot be bought now is only kept. */
function capped(
  parties: Purchase,
  { entries, entry, held }: { entries: Entry[]; entry: Entry; held: number },
): { kept: number; reason: string | null } {
  const wanted = entry.line.quantity
  if (held === 0 && entries.length >= maxLines) return { kept: 0, reason: 'cart_full' }
  if (wanted <= held || !isForSale(entry.offer)) return { kept: wanted, reason: 'product_limit_exceeded' }
  const whole = purchaseOf(parties, [...entries, entry])
  const kept = Math.min(wanted, Math.max(held, mostUnits(whole, entry)))
  const [first] = brokenRules(whole, { entries: [entry], grown: [entry] })
  return { kept, reason: first?.code ?? 'product_limit_exceeded' }
}
