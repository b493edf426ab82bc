import type { Environment } from '../../base/db.ts'
import type { Acquirer } from './acquirer.ts'
import type { Way } from './desk.ts'
import { testAcquirer } from './test-acquirer.ts'

/** Who moves the money of cards in an environment, the one for new charges first. In live a shop adds its own here. */
export const acquirersOf = (environment: Environment, way: Way): Acquirer[] =>
  environment === 'test' ? [testAcquirer(way)] : []
