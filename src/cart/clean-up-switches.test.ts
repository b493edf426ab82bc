import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../base/config.ts'
import { cartModuleJobs } from './open-cart.ts'

const switchedOff = (env: Record<string, string>): string[] =>
  cartModuleJobs(readConfig(env))
    .filter((it) => it.isEnabled === false)
    .map((it) => it.name)

test('every job that removes carts or wishlists has a switch', () => {
  deepEqual(switchedOff({}), [])
  deepEqual(switchedOff({ CART_CLEANUP_ENABLED: 'false' }), [
    'clean-up-carts',
    'expire-guest-carts',
    'expire-shared-carts',
  ])
  deepEqual(switchedOff({ WISHLIST_CLEANUP_ENABLED: 'false' }), ['clean-up-wishlists'])
})
