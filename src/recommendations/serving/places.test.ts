// The place and the device in a request raise what is popular there and hide nothing.

import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import {
  groupSize,
  addGroupInteractions,
  nameOf,
  stockTwoGroups,
  trainAndServe,
} from '../../../test/support/behaviour.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
const stock = await openStock(shop)
await stockTwoGroups(stock)
await addGroupInteractions(db)

const ask = async (body: object): Promise<{ ids: number[]; source: string }> => {
  const reply = await shop.call('POST', '/offers/recommended/v3', {
    body: { from_layer: 'main_page', from_app: 'other', ...body },
  })
  equal(reply.status, 200, reply.text)
  const { offers, source } = reply.body as { offers: { offer_id: string }[]; source: string }
  return { ids: offers.map((it) => Number(it.offer_id)), source }
}
const ofFirstCircle = ({ ids }: { ids: number[] }) => ids.filter((it) => it <= groupSize).length

const placedBuyers = 40
const traitsOf = (group: number) =>
  group === 0
    ? { region: 'Самарканд', device_os: 'iOS', device_brand: 'Apple', from_app: 'MiniApp' }
    : { region: 'Термез', device_os: 'Android', device_brand: 'Samsung', from_app: 'android' }
for (let buyer = 0; buyer < placedBuyers; buyer++)
  await ask({ user_id: nameOf(buyer), ...traitsOf(buyer % 2) })
await waitUntil(
  async () =>
    (await db.read().one<{ count: number }>(`select count(*) as count from recommendations_lists`)).count >=
    placedBuyers,
)
await trainAndServe(shop)

test('a new buyer gets the popular products of the place first, in a full list', async () => {
  const [first, second] = [
    await ask({ user_id: 'new-1', region: ' САМАРКАНД' }),
    await ask({ user_id: 'new-1', region: 'Термез' }),
  ]
  for (const { ids, source } of [first, second]) {
    equal(new Set(ids).size, 30)
    equal(source, 'recommendation_service')
  }
  ok(ofFirstCircle(first) > ofFirstCircle(second) + 5, `${ofFirstCircle(first)} ${ofFirstCircle(second)}`)
})

test('a new buyer gets what is popular on the device and in the application, from the first call on', async () => {
  for (const [one, other] of [
    [{ device_os: 'IOS' }, { device_os: 'android' }],
    [{ device_brand: 'apple' }, { device_brand: 'SAMSUNG' }],
    [{ from_app: 'MINIAPP' }, { from_app: 'Android' }],
  ]) {
    const [first, second] = [
      await ask({ user_id: 'new-2', ...one }),
      await ask({ user_id: 'new-2', ...other }),
    ]
    ok(ofFirstCircle(first) > ofFirstCircle(second) + 5, `${ofFirstCircle(first)} ${ofFirstCircle(second)}`)
  }
})

test('a mini-app call gets what is popular in the mini-app, and so does its explanation', async () => {
  const channel = '/web/client/miniapp/offers/recommended/v3/'
  const user_id = '3f8e0d8a-0f1c-4b56-8a1b-6b1d7f0c2a11'
  const usual = ofFirstCircle(await ask({ user_id: 'new-3', from_app: 'Android' }))
  const shown = await shop.call('POST', channel, { body: { user_id, from_layer: 'main_page' } })
  const explained = await shop.call('POST', '/v1/recommendations/explain', { body: { user_id, channel } })
  for (const offers of [shown.body.offers, explained.body.data.offers] as { offer_id: unknown }[][]) {
    const count = ofFirstCircle({ ids: offers.map((it) => Number(it.offer_id)) })
    ok(count > usual + 5, `${count} ${usual}`)
  }
})

test('an unknown place changes nothing', async () => {
  const usual = await ask({ user_id: 'new-1' })
  equal(String((await ask({ user_id: 'new-1', region: 'Атлантида' })).ids), String(usual.ids))
})

test('the place does not outweigh the history of the buyer', async () => {
  const elsewhere = await ask({ user_id: nameOf(0), region: 'Термез' })
  ok(ofFirstCircle(elsewhere) >= 20, String(ofFirstCircle(elsewhere)))
})

test('when the popular products of a place are sold out, others fill the list', async () => {
  for (let id = 1; id <= groupSize - 5; id++)
    await stock.offer({ id, productId: id, partnerId: 1 + (id % 2), price: 1_000 * id, quantity: 0 })
  const here = await ask({ user_id: 'new-1', region: 'Самарканд' })
  equal(here.ids.length, 30)
  equal(ofFirstCircle(here), 5)
})
