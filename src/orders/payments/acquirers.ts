import { systemClock } from '../../base/clock.ts'
import type { Config } from '../../base/config.ts'
import type { Environment } from '../../base/database.ts'
import type { Acquirer } from './acquirer.ts'
import type { Transactions } from './payment-processor.ts'
import { gateway } from './gateway.ts'
import { testAcquirer } from './test-acquirer.ts'

export type AcquirerSettings = Pick<Config, 'acquirers'>

/** The acquirers of an environment; the first takes new charges. Add your own here. */
export function acquirersOf(
  environment: Environment,
  transactions: Transactions,
  { acquirers }: AcquirerSettings,
): Acquirer[] {
  const { url, token, secret } = acquirers[environment]
  return [
    ...(url === undefined ? [] : [gateway({ url, environment, token, secret, clock: systemClock() })]),
    ...(environment === 'test' ? [testAcquirer(transactions)] : []),
  ]
}
