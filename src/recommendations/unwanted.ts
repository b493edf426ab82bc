// What a buyer does not want to be shown: what is before his eyes, what lies in his cart, what he has just bought.

import type { About } from './about.ts'
import { hadEnough } from './engine/candidates.ts'
import type { Serving } from './model-keeper.ts'
import type { Rule } from './trace.ts'

const dayMs = 86_400_000

/** The products that are in no list, each with the rule that keeps it out. */
export function unwantedBy(
  { context, inCart, deeds }: About,
  now: Date,
  serving: Serving | undefined,
): Map<number, Rule> {
  const rules = new Map<number, Rule>(context.map((id) => [id, 'on_the_page']))
  for (const id of inCart) if (!rules.has(id)) rules.set(id, 'in_the_cart')
  for (const { productId, kind, at } of deeds) {
    if (kind !== 'purchase' || productId === null || rules.has(productId)) continue
    const days = (now.getTime() - at.getTime()) / dayMs
    if (hadEnough(serving?.model.rhythm, serving?.placeOf.get(productId), days))
      rules.set(productId, 'bought_lately')
  }
  return rules
}
