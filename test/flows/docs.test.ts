// The documentation in a real browser: readable at both sizes, by day and by night, and without faults of accessibility.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { isNightly } from '../support/nightly.ts'
import { addMember, testPassword } from '../support/member.ts'
import { openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const platform = await openPlatform()
const { url } = platform
const browser = await openBrowser()
const inBrowser = { skip: !browser && 'no Chromium on PATH, and npm has none for this processor' }
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function visit(path: string, width: number, colorScheme: 'light' | 'dark') {
  const context = await browser!.newContext({
    viewport: { width, height: 900 },
    colorScheme,
    bypassCSP: false,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (it) => {
    if (it.type() === 'error') complaints.push(it.text())
  })
  await page.goto(url + path)
  return { page, context, complaints }
}

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Rules that are broken, with the first element of each. */
async function faultsOf(page: Page): Promise<string[]> {
  // Through the debugger, because the page forbids foreign scripts.
  await page.evaluate(axe)
  const found = await page.evaluate(() =>
    (
      globalThis as unknown as {
        axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
      }
    ).axe.run({ resultTypes: ['violations'] }),
  )
  return found.violations.map((it) => `${it.id}: ${it.nodes[0]!.html.slice(0, 200)}`)
}

/** Sizes and themes; both of each are checked for accessibility, which takes seconds per page. */
const forms = [
  { width: 1440, scheme: 'light', isAudited: true },
  { width: 1440, scheme: 'dark', isAudited: false },
  { width: 375, scheme: 'light', isAudited: false },
  { width: 375, scheme: 'dark', isAudited: true },
] as const

const paths = [
  '/docs',
  '/docs/brands',
  '/docs/recommended-offers',
  '/docs/guides/carts',
  '/docs/errors',
  '/docs/event-types',
]

for (const { width, scheme, isAudited } of forms)
  test(`pages have no fault at ${width} px, ${scheme}`, inBrowser, async () => {
    for (const [at, path] of paths.entries()) {
      const { page, context, complaints } = await visit(path, width, scheme)
      // Each page in one of the audited forms, and at night in both.
      const isDue = isNightly || at % 2 === Number(scheme === 'dark')
      if (isAudited && isDue) deepEqual(await faultsOf(page), [], path)
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      ok(overflow <= 0, `${path} is ${overflow} px too wide`)
      deepEqual(complaints, [], path)
      await context.close()
    }
  })

test('search finds calls, guides, errors and events, and Enter opens the first', inBrowser, async () => {
  const { page } = await visit('/docs', 1440, 'light')
  for (const [query, title] of [
    ['create a brand', 'Create a brand'],
    ['price_changed', 'price_changed'],
    ['OrdersCreated', 'OrdersCreated'],
    ['idempotency', 'Idempotency and retries'],
  ]) {
    await page.fill('#search', query!)
    await page.locator('#found a', { hasText: title! }).first().waitFor()
  }
  await page.fill('#search', 'OrdersCreated')
  await page.locator('#found a', { hasText: 'OrdersCreated' }).first().waitFor()
  await page.press('#search', 'Enter')
  await page.waitForURL(/event-types#OrdersCreated$/)
  equal(await page.locator('#OrdersCreated[open]').count(), 1)
})

test('the language of examples is chosen once for all, and the key is put into them', inBrowser, async () => {
  const { page } = await visit('/docs/brands', 1440, 'light')
  await page.getByRole('tab', { name: 'Python' }).first().click()
  const tabs = page.locator('[data-language=python]')
  equal(await tabs.first().isVisible(), true)
  equal(await tabs.last().isVisible(), true)
  equal(await page.locator('[data-language=sh]').first().isVisible(), false)
  await page.reload()
  equal(await page.locator('[data-language=python]').first().isVisible(), true)
  await page.getByRole('tab', { name: 'curl' }).first().click()
  await page.fill('#key', platform.keys.test)
  ok((await page.locator('[data-language=sh]').first().textContent())!.includes(platform.keys.test))
  for (const [name, language] of [
    ['TypeScript', 'ts'],
    ['Python', 'python'],
  ] as const) {
    await page.getByRole('tab', { name }).first().click()
    const code = (await page.locator(`[data-language=${language}]`).first().textContent())!
    ok(code.includes(`'${platform.keys.test}'`), code)
  }
  await page.fill('#key', platform.keys.live)
  equal(await page.inputValue('#key'), '')
})

test('highlighting changes no character of the code', inBrowser, async () => {
  for (const path of ['/docs/orders', '/docs/guides/webhooks', '/docs/errors']) {
    const { page } = await visit(path, 1440, 'light')
    const plain = (await (await fetch(url + path)).text()).matchAll(/<pre[^>]*><code>([^]*?)<\/code>/g)
    const wanted = Array.from(plain, ([, it]) => unescaped(it!))
    deepEqual(await page.locator('pre[data-code] code').allTextContents(), wanted)
    ok((await page.locator('pre[data-code] :is(b, i, u)').count()) > 50)
  }
})

test(
  'a signed-in member fills in a test key with one click, and other tabs take it over',
  inBrowser,
  async () => {
    const { page, context } = await visit('/docs/brands', 1440, 'light')
    equal(await page.locator('#make-key').isVisible(), false)
    await addMember(platform, 'owner', 'docs@shop.uz')
    await page.evaluate(
      (sent) =>
        fetch('/v1/admin/sessions', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(sent),
        }),
      { email: 'docs@shop.uz', password: testPassword },
    )
    // As the dashboard marks a browser in which a member is signed in.
    await page.evaluate(`localStorage.setItem('bozor.signed-in', 'true')`)
    await page.reload()
    await page.click('#make-key')
    await waitUntil(async () => (await page.inputValue('#key')).startsWith('ak_test_'))
    const key = await page.inputValue('#key')
    ok((await page.locator('[data-language=sh]').first().textContent())!.includes(key))
    equal(await page.locator('#make-key').isVisible(), false)
    const other = await context.newPage()
    await other.goto(`${url}/docs/orders`)
    await waitUntil(async () => (await other.inputValue('#key')) === key)
    equal((await platform.call('GET', '/v1/catalog/brands', { key })).status, 200)
  },
)

test('Try it names an object of the reader, not one of the recording', inBrowser, async () => {
  const { page } = await visit('/docs/webhooks', 1440, 'light')
  const made = await platform.call('POST', '/v1/webhooks', {
    body: { url: 'https://shop.example/hooks', filters: ['*'] },
  })
  await page.fill('#key', platform.keys.test)
  const panel = page.locator('[id="webhooks.get"] .try')
  await panel.locator('summary').click()
  const field = panel.locator('[name=webhook_id]')
  await waitUntil(async () => (await field.inputValue()) === made.body.data.webhook.id)
  await panel.getByRole('button', { name: 'Send' }).click()
  await panel.locator('output p').waitFor()
  match((await panel.locator('output').textContent())!, /200 · /)
  match((await page.locator('[id="webhooks.get"] .before').textContent())!, /First: .*webhook_id/)
})

test('Try it sends the call: a dry run by default', inBrowser, async () => {
  const { page, complaints } = await visit('/docs/brands', 1440, 'light')
  await page.fill('#key', platform.keys.test)
  const panel = page.locator('[id="brands.create"] .try')
  await panel.locator('summary').click()
  await panel.locator('textarea').fill('{"slug": "tried", "name": "Tried"}')
  await panel.getByRole('button', { name: 'Send' }).click()
  await panel.locator('output p').waitFor()
  match((await panel.locator('output').textContent())!, /201 · \d+ ms.*"slug": "tried"/s)
  equal((await platform.call('GET', '/v1/catalog/brands?slug=tried')).body.data.pagination.total, 0)
  const edges = (await panel.evaluate((it) =>
    [it, ...it.querySelectorAll('textarea, input, output')].map((one) => one.getBoundingClientRect().right),
  )) as number[]
  ok(Math.max(...edges) === edges[0], `a field of Try it is wider than its panel: ${edges.join()}`)
  await panel.getByLabel('Dry run').uncheck()
  await panel.getByRole('button', { name: 'Send' }).click()
  await waitUntil(
    async () =>
      (await platform.call('GET', '/v1/catalog/brands?slug=tried')).body.data.pagination.total === 1,
  )
  deepEqual(complaints, [])
})

test('the pages are complete without their script', inBrowser, async () => {
  const context = await browser!.newContext({
    javaScriptEnabled: false,
    viewport: { width: 375, height: 800 },
  })
  const page = await context.newPage()
  await page.goto(`${url}/docs/brands`)
  equal(await page.locator('[data-language=python]').first().isVisible(), true)
  equal(await page.locator('.try').first().isVisible(), false)
  equal(await page.locator('#menu').isVisible(), true)
})
