import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, type ConsoleCall, curlOf, sdkOf } from './request-code.ts'

const call: ConsoleCall = {
  origin: 'https://shop.example',
  operation: 'orders.cancel',
  method: 'POST',
  path: '/v1/orders/{id}/cancel',
  params: { id: '7/8' },
  query: { lang: '' },
  body: `{"reason":"it's late"}`,
}

test('parameters are encoded and empty ones are left out', () => {
  equal(addressOf(call), '/v1/orders/7%2F8/cancel')
  equal(addressOf({ path: '/v1/a', params: {}, query: { q: 'a b', page: '' } }), '/v1/a?q=a+b')
})

test('a call is shown as curl and as a call of the SDK, without the key', () => {
  equal(
    curlOf(call),
    `curl -X POST 'https://shop.example/v1/orders/7%2F8/cancel' \\
  -H "Authorization: Bearer $BOZOR_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"reason":"it'\\''s late"}'`,
  )
  equal(
    sdkOf(call),
    `import { createBozor } from 'bozor/sdk'

const bozor = createBozor({ baseUrl: 'https://shop.example', apiKey: BOZOR_KEY })
const reply = await bozor.orders.cancel({
  id: "7/8",
  "reason":"it's late"
})`,
  )
})
