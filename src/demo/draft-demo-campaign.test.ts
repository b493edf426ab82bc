import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openCampaigns } from '../../test/support/campaigns.ts'
import { openPlatform } from '../../test/support/shop.ts'
import { readConfig } from '../base/config.ts'
import { draftDemoCampaign } from './index.ts'

const shop = await openPlatform()
const desk = await openCampaigns(shop)
const { call } = shop
const { db } = shop.app.shops.test

test('a newcomer sees a draft that could be started as it is, and loading twice adds nothing', async () => {
  for (const _ of [1, 2]) await db.transaction((tx) => draftDemoCampaign(tx, readConfig({})))
  const { campaigns, pagination } = (await call('GET', '/v1/marketing/campaigns')).body.data
  deepEqual([pagination.total, campaigns[0].state], [1, 'draft'])
  const { audience, message } = await desk.preview(campaigns[0].id)
  deepEqual([audience.size, audience.is_exact, message.is_real], [60, true, false])
  ok(message.subject.endsWith('в вашей корзине кое-что осталось'), message.subject)
  ok(message.html.includes('Смартфон'), message.html)
  equal((await call('POST', `/v1/marketing/campaigns/${campaigns[0].id}/start`)).status, 200)
})
