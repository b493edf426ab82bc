// What promotions publish: once each, at their instant, also when they are deleted.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { openPromotions, promotionsPath } from '../../../test/support/promotions.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { createEntity, deleteEntity } from '../entities/edit-entities.ts'
import { promotionKind } from '../entities/entity-kinds.ts'
import { promotionForm } from './record-form.ts'

const shop = await openPlatform()
const { call } = shop
const { db } = shop.app.shops.test
const stock = await openStock(shop)
const { planned, inSeconds, pass, publishedEvents, remove } = openPromotions(shop)
await stock.load('brand', { id: 1, slug: 'artel', name: 'Artel' })
const phone = await stock.offer({ id: 10, price: 1_000 })

const get = async (id: string) => (await call('GET', `${promotionsPath}/${id}`)).body.data.promotion

const typesOf = async (id: string) => (await publishedEvents(id)).map((it) => it.type)

test('start and end are published once each, also when late, and again when the period moves', async () => {
  const { id } = await planned({
    offer_ids: [phone],
    discount_percent: 2,
    starts_at: inSeconds(1_000),
    ends_at: inSeconds(2_000),
  })
  const types = async () => (await publishedEvents(id)).map((it) => it.type.replace('Promotion', ''))
  deepEqual(await types(), ['Created'])
  // No process was up at either time.
  await pass(5_000)
  deepEqual(await types(), ['Created', 'Started', 'Finished'])
  await shop.app.shops.test.jobs.runNow('promotions')
  deepEqual(await types(), ['Created', 'Started', 'Finished'])

  await call('PATCH', `${promotionsPath}/${id}`, { body: { ends_at: inSeconds(1_000) } })
  await waitUntil(async () => (await types()).length === 5)
  deepEqual((await types()).slice(3), ['Changed', 'Started'])
  await call('PATCH', `${promotionsPath}/${id}`, {
    body: { starts_at: inSeconds(500), ends_at: inSeconds(600) },
  })
  await waitUntil(async () => (await types()).length === 7)
  deepEqual((await types()).slice(5), ['Changed', 'Finished'])
  await pass(700)
  deepEqual((await types()).slice(7), ['Started', 'Finished'])
})

test('a start is published at its instant, although no job is due', async () => {
  const { id } = await planned({
    offer_ids: [phone],
    discount_percent: 2,
    starts_at: inSeconds(0.4),
    ends_at: inSeconds(0.8),
  })
  await waitUntil(async () => (await publishedEvents(id)).length === 3)
  const [, started, finished] = await publishedEvents(id)
  deepEqual([started!.type, finished!.type], ['PromotionStarted', 'PromotionFinished'])
})

test('deleting a running promotion publishes that it finished', async () => {
  const { id } = await planned({ offer_ids: [phone], discount_percent: 2 })
  await waitUntil(async () => (await publishedEvents(id)).length === 2)
  await remove(id)
  deepEqual(await typesOf(id), [
    'PromotionCreated',
    'PromotionStarted',
    'PromotionFinished',
    'PromotionDeleted',
  ])
})

test('deleting a promotion before its start was published publishes no finish', async () => {
  const id = await db.transaction(async (tx) => {
    const input = { slug: 'brief', title: 'Миг', offer_ids: [phone], discount_percent: 2 }
    const { id } = await createEntity(tx, promotionKind, promotionForm.entityOf(input))
    await deleteEntity(tx, promotionKind, { id, ifMatch: undefined })
    return String(id)
  })
  deepEqual(await typesOf(id), ['PromotionCreated', 'PromotionDeleted'])
})

test('deleting a promotion after its end publishes the finish with the time of the end', async () => {
  const period = { starts_at: inSeconds(-60), ends_at: inSeconds(-30) }
  const { id } = await planned({ offer_ids: [phone], discount_percent: 2, ...period })
  await db.transaction((tx) =>
    tx.all(`update catalog_promotions set published_stage = 'running' where id = $1`, [id]),
  )
  await remove(id)
  const [, finished] = await publishedEvents(id)
  deepEqual([finished!.type, finished!.fields['endedAt']], ['PromotionFinished', period.ends_at])
})

test('a promotion scheduled for the past never ran and publishes nothing', async () => {
  const past = { starts_at: inSeconds(-60), ends_at: inSeconds(-30) }
  const { id } = await planned({ offer_ids: [phone], discount_percent: 2, ...past })
  const later = await planned({ offer_ids: [phone], discount_percent: 2, starts_at: inSeconds(600) })
  equal((await call('PATCH', `${promotionsPath}/${later.id}`, { body: past })).status, 200)
  await shop.app.shops.test.jobs.runNow('promotions')
  deepEqual(await typesOf(id), ['PromotionCreated'])
  deepEqual(await typesOf(later.id), ['PromotionCreated', 'PromotionChanged'])
  deepEqual((await get(id)).status, 'ended')
})
