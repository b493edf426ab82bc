import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Returns heap memory to the system after the start. V8 would keep it for hours in a quiet process. It takes tens of
 * milliseconds, so it is done once.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (how: object) => void
  setFlagsFromString('--no-expose-gc')
  // Other flavours keep the emptied pages.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
