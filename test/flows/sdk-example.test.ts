// The example of the SDK, run as a program against the demo shop.

import { equal, match, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { openShopPlatform } from '../support/storefront.ts'

const platform = await openShopPlatform()

test('the example of the SDK has 60 lines at most', () => {
  ok(readFileSync('examples/buy.ts', 'utf8').trimEnd().split('\n').length <= 60)
})

test('the example of the SDK buys a product from the first page to the paid order', async () => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'examples/buy.ts'], {
    env: {
      ...process.env,
      NODE_TEST_CONTEXT: undefined,
      BOZOR_URL: platform.url,
      BOZOR_KEY: platform.keys.test,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((exited) => child.once('exit', exited)),
  ])
  equal(code, 0, errors)
  match(output, /has 1 item in the cart/)
  match(output, /webhook OrdersCreated/)
  match(output, /order \d+ is paid\n$/)
})
