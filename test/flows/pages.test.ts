// The pages for buyers in a real browser.

import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { memberAt } from '../support/member.ts'
import { openPlatform } from '../support/shop.ts'

const platform = await openPlatform()
const { url } = platform
const browser = await openBrowser()
const inBrowser = { skip: !browser && 'no Chromium on PATH, and npm has none for this processor' }
const phone = { viewport: { width: 390, height: 844 }, locale: 'ru-RU' }
const password = 'four plums in a basket'

/** Opens a page in a new browser context and collects violations of our Content-Security-Policy. */
async function visit(
  path: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> {
  const context = await browser!.newContext({ ...phone, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (it) => {
    if (/Content.Security.Policy/i.test(it.text())) complaints.push(it.text())
  })
  await page.goto(url + path)
  return { page, context, complaints }
}

async function signUp(page: Page, fields: { name: string; phone?: string; email?: string }): Promise<void> {
  await page.fill('#name', fields.name)
  await page.fill('#phone', fields.phone ?? '')
  await page.fill('#email', fields.email ?? '')
  await page.fill('#password', password)
  await page.click('button')
}

const heading = (page: Page) => page.textContent('h1')
const focused = (page: Page, attribute: string) => page.locator(':focus').getAttribute(attribute)

test('a buyer signs up, signs out and signs in by phone, without scripts', inBrowser, async () => {
  const { page, complaints } = await visit('/sign-up', { javaScriptEnabled: false })
  equal(await heading(page), 'Регистрация')
  await signUp(page, { name: 'Азиза', phone: '90 111 22 33' })
  equal(await heading(page), 'Вы вошли')
  match((await page.textContent('main'))!, /Азиза/)
  await page.click('text=Выйти')
  equal(await heading(page), 'Вход')
  await page.fill('#login', '+998 (90) 111-22-33')
  await page.fill('#password', password)
  await page.click('button')
  equal(await heading(page), 'Вы вошли')
  deepEqual(complaints, [])
})

test(
  'a wrong password keeps the login, shows what to do, and focuses the password field',
  inBrowser,
  async () => {
    const { page } = await visit('/sign-in')
    await page.fill('#login', 'nobody@mail.uz')
    await page.fill('#password', 'not the right one')
    await page.click('button')
    equal(await page.inputValue('#login'), 'nobody@mail.uz')
    equal(await page.inputValue('#password'), '')
    match((await page.textContent('[role=alert]'))!, /Неверный логин или пароль/)
    equal(await focused(page, 'id'), 'password')
  },
)

test('every form error is shown beside its field and announced to screen readers', inBrowser, async () => {
  const { page } = await visit('/sign-up?lang=en')
  await page.fill('#phone', '12')
  await page.fill('#email', 'x')
  await page.fill('#password', 'short')
  await page.click('button')
  for (const [field, problem] of [
    ['name', 'Enter your name.'],
    ['phone', 'This is not a phone number. Example: +998 90 123 45 67.'],
    ['email', 'This is not an e-mail address. Example: name@mail.uz.'],
    ['password', 'The password needs at least 8 characters.'],
  ]) {
    equal(await page.textContent(`#${field}-problem`), problem)
    equal(await page.getAttribute(`#${field}`, 'aria-invalid'), 'true')
    match((await page.getAttribute(`#${field}`, 'aria-describedby'))!, new RegExp(`${field}-problem`))
  }
  equal(await page.inputValue('#phone'), '12')
  equal(await focused(page, 'id'), 'name')
})

test('the pages can be used with the keyboard alone', inBrowser, async () => {
  const { page } = await visit('/sign-up?lang=en')
  // Keys before the first field has the focus would be lost.
  await page.locator(':focus').waitFor()
  for (const text of ['Bek', '901112244', '', password]) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await page.waitForURL(/sign-in/)
  equal(await heading(page), 'You are signed in')
  await page.keyboard.press('Tab')
  const names = []
  for (let at = 0; at < 4; at++) {
    names.push((await focused(page, 'aria-label')) ?? (await page.locator(':focus').textContent()))
    await page.keyboard.press('Tab')
  }
  deepEqual(names, ['ru: Русский', 'uz: O‘zbekcha', 'en: English', 'Sign out'])
})

test("the page language is the browser's until another one is chosen", inBrowser, async () => {
  const { page } = await visit('/sign-in', { locale: 'uz-UZ' })
  equal(await heading(page), 'Kirish')
  equal(await page.getAttribute('html', 'lang'), 'uz')
  await page.click('nav >> text=en')
  equal(await heading(page), 'Sign in')
  await page.click('text=Create an account')
  equal(await heading(page), 'Create an account')
  await page.click('button')
  equal(await page.textContent('#name-problem'), 'Enter your name.')
  await page.click('nav >> text=ru')
  equal(await heading(page), 'Регистрация')
})

test('sign-in returns to the requested path and never to another site', inBrowser, async () => {
  const { page } = await visit('/sign-up?return_to=%2Fdocs%3Flang%3Den')
  await signUp(page, { name: 'Олим', email: 'Olim@Mail.uz' })
  equal(page.url(), `${url}/docs?lang=en`)
  for (const trap of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    'javascript:alert(1)',
  ]) {
    await page.goto(`${url}/sign-in?return_to=${encodeURIComponent(trap)}`)
    equal(new URL(page.url()).origin, url)
    equal(await page.locator('input[name=return_to]').count(), 0)
  }
})

test('rejects forms of other sites and framing', inBrowser, async () => {
  const reply = await fetch(`${url}/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    body: new URLSearchParams({ login: 'olim@mail.uz', password }),
  })
  deepEqual([reply.status, reply.headers.get('set-cookie')], [403, null])
  match(reply.headers.get('content-security-policy')!, /frame-ancestors 'none'/)
  equal(reply.headers.get('x-frame-options'), 'DENY')
})

const owner = await memberAt(platform, 'owner', 'owner@shop.uz')
const invite = async (email: string): Promise<{ link: string; token: string }> =>
  (await owner.call('POST', '/v1/admin/members/invitations', { body: { email, role: 'operator' } })).body.data
const signsIn = async (email: string) =>
  (await platform.call('POST', '/v1/admin/sessions', { key: null, body: { email, password } })).status

test('following an invitation link creates a member once', inBrowser, async () => {
  const { link } = await invite('dilnoza@shop.uz')
  const { page, complaints } = await visit(link.slice(url.length))
  equal(await heading(page), 'Присоединиться к магазину')
  await page.click('nav >> text=en')
  equal(await heading(page), 'Join the shop')
  await page.fill('#name', 'Dilnoza')
  await page.fill('#password', 'short')
  await page.click('button')
  equal(await page.textContent('#password-problem'), 'The password needs at least 8 characters.')
  equal(await focused(page, 'id'), 'password')
  await page.fill('#password', password)
  await page.click('button')
  equal(await heading(page), 'Welcome')
  equal(await signsIn('dilnoza@shop.uz'), 201)
  deepEqual(complaints, [])

  const again = await visit(link.slice(url.length))
  await again.page.fill('#name', 'Somebody')
  await again.page.fill('#password', password)
  await again.page.click('button')
  match((await again.page.textContent('#token-problem'))!, /не действует/)
})

test('without scripts the token is entered by hand', inBrowser, async () => {
  const { token } = await invite('sardor@shop.uz')
  const { page } = await visit('/dashboard/join?lang=en', { javaScriptEnabled: false })
  await page.click('button')
  equal(await page.textContent('#name-problem'), 'Enter your name.')
  match((await page.textContent('#token-problem'))!, /Ask for a new link/)
  await page.fill('#name', 'Sardor')
  await page.fill('#password', password)
  await page.fill('#token', ` ${token} `)
  await page.click('button')
  equal(await heading(page), 'Welcome')
  equal(await signsIn('sardor@shop.uz'), 201)
})

test('a form of another site cannot create a member', async () => {
  const { token } = await invite('nodir@shop.uz')
  const send = (origin: string) =>
    fetch(`${url}/dashboard/join`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
      body: new URLSearchParams({ token, name: 'Nodir', password }),
    })
  equal((await send('https://evil.example')).status, 403)
  equal(await signsIn('nodir@shop.uz'), 401)
  equal((await send(url)).status, 201)
  equal(await signsIn('nodir@shop.uz'), 201)
})

test(
  'a link for a new password fills in its code and leaves nothing in the address bar',
  inBrowser,
  async () => {
    const token = `pr_live_${'x'.repeat(40)}`
    const { page, complaints } = await visit(`/reset-password#${token}`)
    equal(await heading(page), 'Новый пароль')
    equal(await page.inputValue('#token'), token)
    equal(new URL(page.url()).hash, '')
    await page.click('nav a[lang=en]')
    equal(await page.inputValue('#token'), token)
    await page.fill('#password', password)
    await page.click('button')
    equal(
      await page.textContent('#token-problem'),
      'This link does not work, or no longer. Ask for a new one.',
    )
    deepEqual(complaints, [])
  },
)
