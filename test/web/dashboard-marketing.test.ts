// Marketing, recommendations and clients in the dashboard, in a real browser, on one platform with a mail server.

import { deepEqual, equal, match } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addGroupInteractions, stockTwoGroups } from '../support/behaviour.ts'
import { openBrowser } from '../support/browser.ts'
import { noQuietHours, openCampaigns } from '../support/campaigns.ts'
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
  await shop.call('PATCH', '/v1/marketing/campaign-rules', { body: { quiet_hours: noQuietHours } })
  const page = await signedIn('owner', '/campaigns')
  await button(page, 'New campaign').first().click()
  await page.getByText('2 in the audience').waitFor()
  await page.getByLabel('Name').fill('Thank you')
  await page.getByLabel('Template').selectOption('autumn')
  await page.getByRole('alert').getByText('custom.coupon').waitFor()
  await page.getByLabel('Text for coupon').fill('KUZ10')
  await page.getByText('Код KUZ10').waitFor()
  await page.getByText('Скидка').waitFor()
  await button(page, 'English').click()
  await page.getByText('A discount for you').waitFor()
  await button(page, 'Add a condition').click()
  await page.getByText('1 in the audience').waitFor()
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

test(
  'a member who only reads sees the message of a campaign, and no form that the server would refuse',
  inBrowser,
  async () => {
    const texts = { en: { subject: 'Winter', text: 'Warm coats are here' } }
    await shop.call('POST', '/v1/marketing/templates', { body: { slug: 'winter', channel: 'email', texts } })
    const body = { name: 'Coats', channel: 'email', template: 'winter', when: { cron: '0 0 10 * * ?' } }
    const made = await shop.call('POST', '/v1/marketing/campaigns', { body })
    for (const role of ['analyst', 'developer'] as const) {
      const page = await signedIn(role, '/campaigns')
      const refused: string[] = []
      page.on('response', (it) => it.status() === 403 && refused.push(it.url()))
      await open(page, `/campaigns/${made.body.data.campaign.id}`)
      await page.getByText('Warm coats are here').waitFor()
      await open(page, '/campaigns/new')
      await page.getByText('not part of your role').waitFor()
      deepEqual(refused, [], role)
      await page.context().close()
    }
  },
)

test('promotions for the same offers are shown as a conflict with the one that wins', inBrowser, async () => {
  const offer = await marketing.stock.offer({ price: 100_000 })
  const { product_id: id } = (await shop.call('GET', `/v1/catalog/offers/${offer}`)).body.data.offer
  const { category_id: category } = (await shop.call('GET', `/v1/catalog/products/${id}`)).body.data.product
  const page = await signedIn('owner', '/promotions')
  const plan = async (title: string, discount: string, members: { offer: number } | { category: string }) => {
    await button(page, 'Plan a promotion').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Title', { exact: true }).fill(title)
    await dialog.getByLabel('Short name for addresses').fill(title.toLowerCase())
    await dialog.getByLabel('Discount in percent').fill(discount)
    if ('offer' in members) await dialog.getByLabel('Offer ids').fill(String(members.offer))
    else await dialog.getByLabel('Or a category').selectOption(members.category)
    await dialog.getByRole('button', { name: 'Plan a promotion' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await plan('Navruz', '10', { offer })
  await page.getByText('Navruz').first().waitFor()
  equal(await page.getByRole('list', { name: 'Conflicts' }).count(), 0)
  await plan('Spring', '25', { category })
  await page.getByText('“Spring” wins for all of them, so “Navruz” changes nothing there.').waitFor()
  await page.getByText('Conflict', { exact: true }).first().waitFor()
  equal(await page.getByText('Conflict', { exact: true }).count(), 2)
  for (const name of ['Navruz', 'Spring']) {
    await page
      .getByRole('listitem')
      .filter({ hasText: name })
      .getByRole('button', { name: 'End now' })
      .click()
    await page.getByText('Conflict', { exact: true }).first().waitFor({ state: 'detached' })
  }
  await page.getByText('Ended', { exact: true }).nth(1).waitFor()
  await page.context().close()
})

test('a client page shows what the client sees and may do, with reasons', inBrowser, async () => {
  const buyer = await marketing.reader()
  const offer = await marketing.stock.offer({ price: 25_000 })
  await marketing.put(buyer, offer, 2)
  const page = await signedIn('operator', `/clients/${buyer.ClientId}`)
  const cart = page.getByRole('region', { name: 'Cart', exact: true })
  await cart.getByText('2 × 25\u00a0000\u00a0sum').waitFor()
  await cart.getByText('Can be ordered now').waitFor()
  const methods = page.getByRole('region', { name: 'Payment methods' })
  await methods.getByText('Every line needs a loan condition first.').waitFor()
  await methods.getByText('Not offered for these products or this buyer.').waitFor()
  equal(await methods.getByText('Allowed').count(), 2)
  await page.getByText('May still order today').first().waitFor()
  equal(await page.getByText('May still order today').count(), 1)
  await page
    .getByRole('region', { name: 'Recommended on the main page' })
    .getByRole('listitem')
    .first()
    .waitFor()
  await page.context().close()
})

test('a training is started and watched until its outcome', inBrowser, async () => {
  await stockTwoGroups(marketing.stock)
  // Visits of the week before the last one are held out for the search.
  await addGroupInteractions(shop.app.shops.test.db, { days: 30 })
  const page = await signedIn('owner', '/models')
  await page.getByText('No trainings yet').waitFor()
  await button(page, 'Train now').click()
  const trainings = page.getByRole('list', { name: 'Trainings' })
  await trainings.getByText('Running').waitFor()
  // What is measured is plotted while the training runs.
  const plot = page.getByRole('figure', { name: 'Best quality so far in the search, by page' })
  await plot.locator('canvas').waitFor()
  await trainings.getByText('Running').waitFor()
  await page.getByRole('list', { name: 'Stages' }).locator('[aria-current=step]').waitFor()
  await trainings.getByText('Activated').waitFor()
  await page.getByText('In use', { exact: true }).waitFor()
  await page.getByRole('row', { name: /^regression Home page/ }).waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: /Popular offers\s*0\./ })
    .waitFor()
  await page.getByText('NDCG@10').first().waitFor()
  await page.context().close()
})

test('the playground shows a list with its reasons, and as it looks on each device', inBrowser, async () => {
  const page = await signedIn('owner', '/playground')
  await page.getByText('Source:').waitFor()
  const shownAs = page.getByRole('group', { name: 'Shown as' })
  for (const [device, title] of [
    ['Phone', 'On a phone'],
    ['Web page', 'On a web page'],
    ['Mini-app', 'In a mini-app'],
  ] as const) {
    await shownAs.getByRole('button', { name: device }).click()
    await page.getByRole('heading', { name: title }).waitFor()
    await page.locator('#content').getByText('For you').waitFor()
    await page.locator('#content li').getByText('sum').first().waitFor()
  }
  await page.context().close()
})

test('an experiment is started and shows intervals and a verdict', inBrowser, async () => {
  const page = await signedIn('owner', '/experiments')
  await button(page, 'New experiment').first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Popular or ranked')
  await dialog.getByLabel('Short name').fill('popular-or-ranked')
  await dialog.getByRole('button', { name: 'New experiment' }).click()
  await page.getByRole('heading', { name: 'Popular or ranked' }).waitFor()
  await button(page, 'Start').click()
  await page.getByText('No certain difference yet').waitFor()
  await page.getByRole('row', { name: /^a 0/ }).waitFor()
  await button(page, 'Stop').waitFor()
  const [experiment] = (await shop.call('GET', '/v1/recommendations/experiments')).body.data.experiments
  equal(experiment.status, 'running')
  await page.context().close()
})

test(
  'price and stock are edited in the table, and a refusal puts the old figure back',
  inBrowser,
  async () => {
    const offer = await marketing.stock.offer({ price: 10_000, quantity: 7 })
    const read = async () => (await shop.call('GET', `/v1/catalog/offers/${offer}`)).body.data.offer
    const { product_id: product } = await read()
    const page = await signedIn('operator', `/offers?product_id=${product}`)
    const set = async (name: string, value: string) => {
      await page.getByRole('button', { name: new RegExp(`^${name} ${offer}:`) }).click()
      await page.getByRole('textbox', { name: `${name} ${offer}` }).fill(value)
      await page.keyboard.press('Enter')
    }
    await set('Price', '12 500')
    await page.getByText('12\u00a0500\u00a0sum').waitFor()
    await waitUntil(async () => (await read()).usual_price.amount === 1_250_000, {
      what: 'the price is stored',
    })
    await set('Stock', '9')
    await waitUntil(async () => (await read()).quantity === 9, { what: 'the stock is stored' })
    await set('Price', '-5')
    await page.getByText('Not saved, the old figure is back').waitFor()
    await page.getByText('12\u00a0500\u00a0sum').waitFor()
    equal((await read()).usual_price.amount, 1_250_000)
    await open(page, '/audit')
    await page
      .getByRole('row')
      .filter({ hasText: `/v1/catalog/offers/${offer}` })
      .last()
      .click()
    const change = page.getByRole('dialog').getByRole('row', { name: /usual_price/ })
    await change.getByText('1000000').waitFor()
    await change.getByText('1250000').waitFor()
    await page.context().close()
  },
)

test('a table is sorted by its head and kept as a view of the member', inBrowser, async () => {
  const page = await signedIn('operator', '/offers')
  const price = page.getByRole('columnheader', { name: 'Price' })
  await price.getByRole('button').click()
  await page.getByLabel('In stock', { exact: true }).selectOption('true')
  match(page.url(), /sort=price/)
  equal(await price.getAttribute('aria-sort'), 'ascending')
  await button(page, 'Save this view').click()
  await page.getByLabel('Name of the view').fill('Cheapest first')
  await page.getByRole('dialog').getByRole('button', { name: 'Save this view' }).click()
  await open(page, '/offers')
  await page.getByLabel('Saved views').selectOption('Cheapest first')
  await page.waitForURL(/sort=price/)
  equal(await page.getByLabel('In stock', { exact: true }).inputValue(), 'true')
  await button(page, 'Delete the view').click()
  await page.getByLabel('Saved views').waitFor({ state: 'detached' })
  await page.context().close()
})

test('no page broke the Content-Security-Policy or threw an error', inBrowser, () => {
  deepEqual(problems, [])
})
