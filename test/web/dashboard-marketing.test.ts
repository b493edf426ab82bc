// Marketing, recommendations and clients in the dashboard, in a real browser, on one platform with a mail server.

import { deepEqual, equal, match } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { alwaysAwake, openCampaigns } from '../support/campaigns.ts'
import { openDashboard } from '../support/dashboard.ts'
import { openMailServer } from '../support/mail.ts'
import { openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'
import { ensureWebPages } from '../support/web.ts'

const browser = await openBrowser()
const inBrowser = { skip: !browser && 'no Chromium on PATH, and npm has none for this processor' }
if (browser) await ensureWebPages()

const dataDir = mkdtempSync(join(tmpdir(), 'bozor-marketing-'))
after(() => rmSync(dataDir, { recursive: true }))
const mail = await openMailServer()
const shop = await openPlatform({
  env: { DATA_DIR: dataDir, TEST_SMTP_URL: mail.url, MAIL_FROM: 'shop@bozor.uz' },
})
const marketing = await openCampaigns(shop)
const { signedIn, open, problems } = openDashboard(shop, browser)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('a campaign is built, its audience counted while editing, and its mail arrives', inBrowser, async () => {
  await marketing.reader({ language: 'uz' })
  const buyer = await marketing.reader({ language: 'en' })
  await marketing.put(buyer, await marketing.stock.offer({ price: 25_000 }), 2)
  await marketing.ordered(buyer)
  const texts = {
    ru: { subject: 'Скидка', text: 'Код {{custom.coupon}}' },
    en: { subject: 'A discount for you', text: 'Code {{custom.coupon}}' },
  }
  await shop.call('POST', '/v1/marketing/templates', { body: { slug: 'autumn', channel: 'email', texts } })
  await shop.call('PATCH', '/v1/marketing/campaign-rules', { body: { quiet_hours: alwaysAwake } })
  const page = await signedIn('owner', '/campaigns')
  await button(page, 'New campaign').first().click()
  await page.getByText('2 clients').waitFor()
  await page.getByLabel('Name').fill('Thank you')
  await page.getByLabel('Template').selectOption('autumn')
  await page.getByRole('alert').getByText('custom.coupon').waitFor()
  await page.getByLabel('Text for coupon').fill('KUZ10')
  await page.getByText('Код KUZ10').waitFor()
  await page.getByText('Скидка').waitFor()
  await button(page, 'English').click()
  await page.getByText('A discount for you').waitFor()
  await button(page, 'Add a condition').click()
  await page.getByText('1 clients').waitFor()
  await page.getByLabel('Condition', { exact: true }).selectOption('bought')
  await page.getByLabel('Id', { exact: true }).fill('999999')
  await button(page, 'Save as draft').click()
  await page.getByText('there is no category 999999').first().waitFor()
  await page.getByLabel('Condition', { exact: true }).selectOption('ordered')
  await page.getByLabel('Group without messages').fill('0')
  await page.getByLabel('It is sent').selectOption('daily')
  await page.getByLabel('It is sent').selectOption('at')
  await button(page, 'Save as draft').click()
  await button(page, 'Start').click()
  await page.getByText('Running').first().waitFor()
  await open(page, '/clock')
  await button(page, '+1 day').click()
  await page.getByText('Test clock').first().waitFor()
  const arrived = async () => {
    await shop.app.shops.test.jobs.runNow('run-campaigns')
    return mail.mails.some((it) => it.headers['subject'] === 'A discount for you')
  }
  await waitUntil(arrived, { what: 'the mail of the campaign' })
  const [letter] = mail.mails.filter((it) => it.headers['subject'] === 'A discount for you')
  deepEqual(letter!.to, [`client-${buyer.ClientId}@mail.uz`])
  match(letter!.text, /Code KUZ10/)
  equal(mail.mails.filter((it) => it.headers['subject'] === 'Скидка').length, 0)
  await open(page, '/campaigns')
  await page.getByRole('row', { name: /Thank you/ }).click()
  await page.getByText('Both groups need clients').waitFor()
  await page.context().close()
})

test('promotions for the same goods are shown as a conflict with the one that wins', inBrowser, async () => {
  const offer = await marketing.stock.offer({ price: 100_000 })
  const { product_id: id } = (await shop.call('GET', `/v1/catalog/offers/${offer}`)).body.data.offer
  const { category_id: category } = (await shop.call('GET', `/v1/catalog/products/${id}`)).body.data.product
  const page = await signedIn('owner', '/promotions')
  const plan = async (title: string, discount: string, goods: [label: string, ids: string]) => {
    await button(page, 'Plan a promotion').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Title').fill(title)
    await dialog.getByLabel('Short name for addresses').fill(title.toLowerCase())
    await dialog.getByLabel('Discount in percent').fill(discount)
    await dialog.getByLabel(goods[0]).fill(goods[1])
    await dialog.getByRole('button', { name: 'Plan a promotion' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await plan('Navruz', '10', ['Offer ids', String(offer)])
  await page.getByText('Navruz').first().waitFor()
  equal(await page.getByRole('list', { name: 'Conflicts' }).count(), 0)
  await plan('Spring', '25', ['Or category ids', String(category)])
  await page.getByText('“Spring” wins for all of them, so “Navruz” changes nothing there.').waitFor()
  await page.getByText('Conflict', { exact: true }).first().waitFor()
  equal(await page.getByText('Conflict', { exact: true }).count(), 2)
  await page.context().close()
})

test('no page broke the Content-Security-Policy or threw an error', inBrowser, () => {
  deepEqual(problems, [])
})
