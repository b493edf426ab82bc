// The place that a buyer names biases what is sought after, and hides nothing.

import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import {
  circleGoods,
  liveInCircles,
  nameOf,
  stockCircles,
  trainAndServe,
} from '../../test/support/behaviour.ts'
import { openPlatform } from '../../test/support/shop.ts'
import { openStock } from '../../test/support/stock.ts'
import { until } from '../../test/support/until.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
const stock = await openStock(shop)
await stockCircles(stock)
await liveInCircles(db)

const ask = async (body: object): Promise<{ ids: number[]; source: string }> => {
  const reply = await shop.call('POST', '/offers/recommended/v3', {
    body: { from_layer: 'main_page', from_app: 'ios', ...body },
  })
  equal(reply.status, 200, reply.text)
  const { offers, source } = reply.body as { offers: { offer_id: string }[]; source: string }
  return { ids: offers.map((it) => Number(it.offer_id)), source }
}
const ofFirstCircle = ({ ids }: { ids: number[] }) => ids.filter((it) => it <= circleGoods).length

const told = 40
for (let buyer = 0; buyer < told; buyer++)
  await ask({ user_id: nameOf(buyer), region: buyer % 2 === 0 ? 'Самарканд' : 'Термез' })
await until(
  async () =>
    (await db.read().one<{ count: number }>(`select count(*) as count from recommendations_lists`)).count >=
    told,
)
await trainAndServe(shop)

test('a newcomer is shown first what is sought after where he is, and his list is full', async () => {
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

test('a strange place changes nothing', async () => {
  const usual = await ask({ user_id: 'new-1' })
  equal(String((await ask({ user_id: 'new-1', region: 'Атлантида' })).ids), String(usual.ids))
})

test('where somebody is does not outweigh what he did', async () => {
  const elsewhere = await ask({ user_id: nameOf(0), region: 'Термез' })
  ok(ofFirstCircle(elsewhere) >= 20, String(ofFirstCircle(elsewhere)))
})

test('a place hides nothing: when its own goods are sold out, those of elsewhere fill the list', async () => {
  for (let id = 1; id <= circleGoods - 5; id++)
    await stock.offer({ id, productId: id, partnerId: 1 + (id % 2), price: 1_000 * id, quantity: 0 })
  const here = await ask({ user_id: 'new-1', region: 'Самарканд' })
  equal(here.ids.length, 30)
  equal(ofFirstCircle(here), 5)
})
