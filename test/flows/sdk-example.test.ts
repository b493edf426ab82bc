// The example of the SDK, run as a program against a platform.

import { equal, match, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { openPlatform } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'

const platform = await openPlatform()
const stock = await openStock(platform)

test('the example of the SDK has 60 lines at most', () => {
  ok(readFileSync('examples/buy.ts', 'utf8').trimEnd().split('\n').length <= 60)
})

test('the example of the SDK buys a product from the first page to the paid order', async () => {
  const offer = await stock.offer({ price: 45_000, quantity: 5 })
  const { body } = await platform.call('GET', `/v1/catalog/offers/${offer}`)
  const product = await platform.call('GET', `/v1/catalog/products/${body.data.offer.product_id}`)
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'examples/buy.ts'], {
    env: {
      ...process.env,
      NODE_TEST_CONTEXT: undefined,
      BOZOR_URL: platform.url,
      BOZOR_KEY: platform.keys.test,
      BOZOR_QUERY: product.body.data.product.name,
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
