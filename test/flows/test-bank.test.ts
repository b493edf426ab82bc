// The page of the test acquirer where the holder of a card approves a payment.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { testCards } from '../../src/orders/payments/test-acquirer.ts'
import { card, openOrdering } from '../support/orders.ts'
import { openPlatform } from '../support/shop.ts'

const platform = await openPlatform()
const shop = await openOrdering(platform)
const back = '/shop/ru/orders/1?a=1'

/** An order whose payment waits for the holder, and the address of the bank's page. */
async function waiting(more: object = {}): Promise<{ id: number; url: string }> {
  const buyer = shop.newClient()
  await shop.put(buyer, await shop.stock.offer({ price: 1_234_567 }))
  const [id] = await shop.ordered(buyer, { PaymentMethodId: card })
  await shop.pay(id!, testCards.approved.number, more)
  return { id: id!, url: (await shop.get(id!)).payments.at(-1).action_url }
}

const send = (url: string, form: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })

const states = async (id: number) => {
  const it = await shop.get(id)
  return `${it.status} ${it.payment_status}`
}

test('the holder approves with the code and returns to the shop', async () => {
  const { id, url } = await waiting()
  ok(url.startsWith(`${platform.url}/test-bank/`), url)
  const asked = await (await fetch(`${url}?lang=ru&return=${encodeURIComponent(back)}`)).text()
  match(asked, /1\u00a0234\u00a0567\u00a0сум/)
  ok(asked.includes(`value="${back}"`))

  const wrong = await send(url, { decision: 'approve', code: '1', return: back })
  equal(wrong.status, 422)
  equal(await states(id), 'awaiting_payment pending')

  const done = await send(url, { decision: 'approve', code: '1234', return: back })
  deepEqual([done.status, done.headers.get('location')], [303, back])
  equal(await states(id), 'confirmed paid')
})

test('what the holder decides is final: the planned callback does not come', async () => {
  const { id, url } = await waiting()
  equal((await send(url, { decision: 'decline', return: back })).status, 303)
  equal((await shop.get(id)).payments.at(-1).failure, 'authentication_failed')
  const again = await send(url, { decision: 'approve', code: '1234', return: back, lang: 'en' })
  match(await again.text(), /not waiting any more/)
  await shop.advance('PT3M')
  equal((await shop.get(id)).payments.at(-1).status, 'failed')
})

test('a payment that staff captures later is only held', async () => {
  const { id, url } = await waiting({ capture: 'manual' })
  await send(url, { decision: 'approve', code: '1234' })
  equal(await states(id), 'confirmed authorised')
})

test('the page returns to no other site, and an unknown payment has no form', async () => {
  const { url } = await waiting()
  for (const to of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)']) {
    const reply = await send(url, { decision: 'nothing', code: '', return: to })
    ok(!(await reply.text()).includes('evil.example'), to)
  }
  const approved = await send(url, { decision: 'approve', code: '1234', return: '//evil.example/' })
  equal(approved.headers.get('location'), null)
  for (const id of ['x', '00000000-0000-4000-8000-000000000000', "'--"]) {
    const page = await (await fetch(`${platform.url}/test-bank/${encodeURIComponent(id)}`)).text()
    ok(!page.includes('<form'), id)
  }
})
