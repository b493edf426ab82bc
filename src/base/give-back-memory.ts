import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Hands the machine what a start used and no longer needs. Left alone, the engine would keep that room for hours in a
 * shop with few calls; collecting it takes some tens of milliseconds, so it is done once and not again.
 */
export function giveBackMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (how: object) => void
  setFlagsFromString('--no-expose-gc')
  // An ordinary collection keeps the room that it emptied; this one gives it back.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
