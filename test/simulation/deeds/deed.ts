import type { Buyer } from '../../../src/base/buyer.ts'
import type { LineKey } from '../../../src/cart/index.ts'
import type { Spoil, World } from '../world.ts'

/** Something that happens to the shop. It draws what it does from chance alone. */
export type Deed = (world: World) => Promise<void>

/** Notes what the shop has acknowledged. Of two at once, an answer may overtake the one that was committed before it. */
export type Acknowledge = () => void

/** What a plan has drawn and is yet to be done. It draws nothing more, so that two may be done at once. */
export type Act = (spoil: Spoil) => Promise<Acknowledge>

/** Whom and what a plan should be about, for plans that are to meet. */
export interface Focus {
  buyer: Buyer
  key: LineKey
}

export type Plan = (world: World, focus?: Focus) => Act

/** A plan that is carried out alone. */
export const carriedOut = (plan: Plan): Deed => {
  const deed: Deed = async (world) => (await plan(world)(world.fate()))()
  return Object.defineProperty(deed, 'name', { value: plan.name })
}
