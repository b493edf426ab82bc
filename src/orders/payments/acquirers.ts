import { systemClock } from '../../base/clock.ts'
import type { Config } from '../../base/config.ts'
import type { Environment } from '../../base/db.ts'
import type { Acquirer } from './acquirer.ts'
import type { Way } from './desk.ts'
import { gateway } from './gateway.ts'
import { testAcquirer } from './test-acquirer.ts'

export type AcquirerSettings = Pick<Config, 'acquirers'>

/** Who moves the money of cards in an environment, the one for new charges first. A shop adds its own here. */
export function acquirersOf(environment: Environment, way: Way, { acquirers }: AcquirerSettings): Acquirer[] {
  const { url, token, secret } = acquirers[environment]
  return [
    ...(url === undefined ? [] : [gateway({ url, environment, token, secret, clock: systemClock() })]),
    ...(environment === 'test' ? [testAcquirer(way)] : []),
  ]
}
