// How members come into the dashboard, and how they end the sessions of clients, in a real browser with a mail server.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { browserWith, password } from '../support/client.ts'
import { openDashboard } from '../support/dashboard.ts'
import { openMailServer } from '../support/mail.ts'
import { addMember } from '../support/member.ts'
import { openPlatform } from '../support/shop.ts'
import { waitFor, waitUntil } from '../support/wait-until.ts'
import { ensureWebPages } from '../support/web.ts'

const browser = await openBrowser()
const inBrowser = { skip: !browser && 'no Chromium on PATH, and npm has none for this processor' }
if (browser) await ensureWebPages()

const mail = await openMailServer()
const shop = await openPlatform({
  env: { SMTP_URL: mail.url, TEST_SMTP_URL: mail.url, MAIL_FROM: 'shop@bozor.uz' },
})
const { signedIn, problems } = openDashboard(shop, browser)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const newPage = async (path: string): Promise<Page> => {
  const page = await (await browser!.newContext({ locale: 'en-GB' })).newPage()
  await page.goto(new URL(path, shop.url).href)
  return page
}

async function signIn(page: Page, email: string, secret: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(secret)
  await button(page, 'Sign in').click()
  await page.locator('#content h1').waitFor()
}

test(
  'an owner invites a person, who joins by the link and sees the pages of the role',
  inBrowser,
  async () => {
    const page = await signedIn('owner', '/members')
    await button(page, 'Invite').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail').fill('zulfiya@shop.uz')
    await dialog.getByLabel('Role').selectOption('analyst')
    await dialog.getByRole('button', { name: 'Invite' }).click()
    const link = await page.getByRole('dialog').getByLabel('Invitation link').textContent()

    const joined = await newPage(link!)
    await joined.getByLabel('Name').fill('Zulfiya')
    await joined.getByLabel('Password').fill(password)
    await joined.getByRole('button').first().click()
    await joined.getByRole('heading', { name: 'Welcome' }).waitFor()
    await joined.goto(`${shop.url}/dashboard`)
    await signIn(joined, 'zulfiya@shop.uz', password)
    await joined.getByRole('heading', { name: 'Good day, Zulfiya' }).waitFor()
    await joined.goto(`${shop.url}/dashboard/members`)
    await joined.locator('#content').waitFor()
    equal(await button(joined, 'Invite').count(), 0)
    await joined.context().close()
    await page.context().close()
  },
)

test('a member with a lost password gets a mail and signs in with a new one', inBrowser, async () => {
  const { email } = await addMember(shop, 'operator', 'forgetful@shop.uz')
  const page = await newPage('/dashboard')
  await page.getByRole('link', { name: 'Lost your password?' }).click()
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button').first().click()
  const link = await waitFor(
    () =>
      mail.mails.findLast((it) => it.to.includes(email))?.text.match(/\/dashboard\/reset-password#\w+/)?.[0],
    { what: 'the mail with the link' },
  )
  await page.goto(new URL(link, shop.url).href)
  await page.getByLabel('Password').fill('seven figs on a plate')
  await page.getByRole('button').first().click()
  await page.getByRole('link', { name: /sign.in/i }).click()
  await signIn(page, email, 'seven figs on a plate')
  await page.context().close()
})

test('an owner sees where a client is signed in and ends it', inBrowser, async () => {
  const login = { login: 'aziza@mail.uz', password }
  const first = browserWith(
    shop.url,
    await shop.call('POST', '/v1/auth/register', {
      body: { name: 'Aziza', email: login.login, password },
      headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36' },
    }),
  )
  const second = browserWith(shop.url, await shop.call('POST', '/v1/auth/login', { body: login }))
  const page = await signedIn('owner', `/clients/${first.client.id}`)
  const sessions = page.getByRole('list', { name: 'Signed in' }).getByRole('listitem')
  await sessions.nth(1).waitFor()
  await sessions.filter({ hasText: 'Chrome · Android' }).getByRole('button', { name: 'End' }).click()
  await page.getByText('Signed out').waitFor()
  await sessions.nth(1).waitFor({ state: 'detached' })
  equal((await first.call('GET', '/v1/auth/me')).status, 401)
  equal((await second.call('GET', '/v1/auth/me')).status, 200)
  await page.context().close()
})

test(
  'the last day of the figures is the day of the shop, in whatever time zone the member is',
  inBrowser,
  async () => {
    const now = shop.app.shops.test.db.clock.now()
    const today = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Asia/Tashkent',
      day: 'numeric',
      month: 'short',
    }).format(now)
    // One of them always has another day than the shop.
    for (const timeZone of ['Pacific/Pago_Pago', 'Pacific/Kiritimati']) {
      const page = await signedIn('owner', '', { timeZone })
      equal(await page.locator('figure figcaption span').first().textContent(), today, timeZone)
      await page.context().close()
    }
  },
)

test('the place of the open page is in view, also at the end of the navigation', inBrowser, async () => {
  const page = await signedIn('owner', '/health')
  const place = page.locator('nav a.active')
  await place.waitFor()
  const isVisible = () =>
    place.evaluate((it) => {
      const [own, box] = [it.getBoundingClientRect(), it.closest('nav')!.getBoundingClientRect()]
      return own.top > box.top - 1 && own.bottom < box.bottom + 1
    })
  await waitUntil(isVisible, { what: 'the place of the page is in view' })
  await page.context().close()
})

test('no page broke the Content-Security-Policy or threw an error', inBrowser, () => {
  deepEqual(problems, [])
})
