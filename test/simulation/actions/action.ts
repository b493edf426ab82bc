import type { Buyer } from '../../../src/base/buyer.ts'
import type { LineKey } from '../../../src/cart/index.ts'
import type { InjectFault, World } from '../world.ts'

/** Something that happens to the shop. All its choices are random draws, so that a seed repeats them. */
export type Action = (world: World) => Promise<void>

/** Records what the shop acknowledged. Called in commit order, which can differ from the order of the replies. */
export type Acknowledge = () => void

/** A planned action that is ready to run. It draws nothing more, so that two can run concurrently. */
export type Act = (injectFault: InjectFault) => Promise<Acknowledge>

/** The buyer and the offer that two concurrent plans share. */
export interface Focus {
  buyer: Buyer
  key: LineKey
}

export type Plan = (world: World, focus?: Focus) => Act

/** An action that runs one plan without a concurrent one. */
export const runAlone = (plan: Plan): Action => {
  const action: Action = async (world) => (await plan(world)(world.fate()))()
  return Object.defineProperty(action, 'name', { value: plan.name })
}
