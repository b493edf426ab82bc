// What makes pages of the storefront fast on a phone, as counts that do not depend on the machine. Times are measured by
// `npm run measure:shop`.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser } from '../support/browser.ts'
import { addProduct, cheapOffer, shown } from '../support/shopping.ts'
import { openShopper, openShopPlatform } from '../support/storefront.ts'
import { waitUntil } from '../support/wait-until.ts'

const platform = await openShopPlatform()
const { call } = platform
const browser = await openBrowser()
const inBrowser = { skip: !browser && 'no Chromium on PATH, and npm has none for this processor' }

/** The most elements that a page may have. */
const maxElements = { '': 1_400, '/c/smartphones': 900, '/search?q=наушнки': 900, '/cart': 600 }
/** Pictures that the browser loads before it knows where they are. */
const maxEager = 2
/** A tenth of what is called good. */
const maxShift = 0.01

interface Counts {
  elements: number
  eager: number
  shifts: number
  /** Elements with effects that are drawn again in every frame. */
  blurred: number
}

/** Runs in the page. */
function count(): Counts {
  interface Element {
    getAttribute(name: string): string | null
  }
  const { document, getComputedStyle, shifts } = globalThis as unknown as {
    document: { querySelectorAll(selector: string): Iterable<Element> }
    getComputedStyle(of: Element): { backdropFilter: string; filter: string }
    shifts: number
  }
  const elements = [...document.querySelectorAll('*')]
  const eager = [...document.querySelectorAll('img')].filter((it) => it.getAttribute('loading') !== 'lazy')
  const blurred = elements.filter((it) => {
    const { backdropFilter, filter } = getComputedStyle(it)
    return backdropFilter !== 'none' || filter !== 'none'
  })
  return { elements: elements.length, eager: eager.length, shifts, blurred: blurred.length }
}

/** Runs in the page before its own scripts. */
function observeShifts(): void {
  const scope = globalThis as unknown as {
    shifts: number
    PerformanceObserver: new (seen: (list: { getEntries(): { value: number }[] }) => void) => {
      observe(options: object): void
    }
  }
  scope.shifts = 0
  new scope.PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) scope.shifts += value
  }).observe({ type: 'layout-shift', buffered: true })
}

test('pages have few elements, and nothing moves while they load', inBrowser, async () => {
  const guest = await openShopper(browser!, platform)
  await guest.page.addInitScript(observeShifts)
  const { product } = await cheapOffer(call, '-popularity')
  await addProduct(guest, product)
  for (const [path, most] of Object.entries({ ...maxElements, [`/p/${product}/-`]: 900 })) {
    await guest.open(path)
    await guest.page.waitForLoadState('networkidle')
    const found = await guest.page.evaluate(count)
    ok(found.elements <= most, `${path} has ${found.elements} elements`)
    ok(found.eager <= maxEager, `${path} loads ${found.eager} pictures at once`)
    ok(found.shifts <= maxShift, `${path} moves by ${found.shifts} while it loads`)
    equal(found.blurred, 0, `${path} has filters`)
  }
})

test(
  'the chosen theme is there from the first frame, and pictures are not painted again',
  inBrowser,
  async () => {
    const guest = await openShopper(browser!, platform, { colorScheme: 'light' })
    const { page } = guest
    await guest.open('')
    await page.click('[data-theme-switch]')
    const scheme = (selector: string): Promise<string> =>
      page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).colorScheme`)
    deepEqual([await scheme(':root'), await scheme('.tile img')], ['dark', 'light'])
    const cookies = await page.context().cookies()
    const reply = await fetch(page.url(), {
      headers: { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') },
    })
    ok((await reply.text()).includes('data-theme="dark"'))
    equal((await (await fetch(page.url())).text()).includes('data-theme="'), false)
  },
)

test('a card adds its offer to the cart or the wishlist, also without script', inBrowser, async () => {
  const guest = await openShopper(browser!, platform)
  const { page } = guest
  await guest.open('/c/smartphones?in_stock=true')
  const offer = await page.locator('.card').nth(1).getAttribute('data-offer')
  await page.locator('.card .heart').nth(1).click()
  await page.locator('.card').nth(1).locator('.heart[aria-pressed=true]').waitFor()
  await guest.open('/wishlist')
  await page.locator(`.line [name=offer][value="${offer}"]`).first().waitFor({ state: 'attached' })

  const plain = await openShopper(browser!, platform, { javaScriptEnabled: false })
  await plain.open('/search?q=наушники&in_stock=true&price_max=300000')
  await plain.page.locator('.card .soft').first().click()
  await shown(plain, '.note', 'Добавлено в корзину')
  equal(await plain.page.locator('.bar [data-cart-count]').textContent(), '1')
  ok(await plain.page.locator('.sort .no-script').isVisible())
  equal(await plain.page.locator('[data-theme-switch]').isVisible(), false)
})

test(
  'filters stay open while values are ticked, and values beyond the first are behind a button',
  inBrowser,
  async () => {
    const guest = await openShopper(browser!, platform)
    const { page } = guest
    await guest.open('/c/smartphones')
    await page.locator('.filters > summary').click()
    const [first, more] = [page.locator('fieldset [name=brand]').first(), page.locator('#more-brand')]
    const slug = await first.getAttribute('value')
    await first.check()
    await page.waitForURL((it) => it.searchParams.get('brand') === slug)
    ok(await page.locator('#filters').evaluate((it) => (it as unknown as { open: boolean }).open))
    ok(await page.locator(`[id="brand-${slug}"]`).evaluate((it) => it.matches(':focus')))
    await more.locator('summary').click()
    const other = await more.locator('input').last().getAttribute('value')
    await more.locator('input').last().check()
    await page.waitForURL((it) => it.searchParams.getAll('brand').includes(other!))
    await page.locator(`fieldset > .check [value="${other}"]`).waitFor()
  },
)

test('an addition from a recommended card is reported with its list', inBrowser, async () => {
  const guest = await openShopper(browser!, platform)
  const { page } = guest
  await waitUntil(
    async () => {
      await guest.open('')
      return (await page.locator('.card[data-list] .soft').count()) > 0
    },
    { what: 'recommendations on the home page' },
  )
  const card = page.locator('.card[data-list]', { has: page.locator('.soft') }).first()
  const list = await card.getAttribute('data-list')
  const sent = page.waitForRequest((it) => it.url().includes('/cart/add'))
  await card.locator('.soft').click()
  equal(new URL((await sent).url()).searchParams.get('list'), list)
})

test('clicks and additions from a search are counted for its query', inBrowser, async () => {
  const guest = await openShopper(browser!, platform)
  const { page } = guest
  await guest.open('/search?q=чайник&in_stock=true&price_max=500000')
  const found = page.locator('.card[data-search]', { has: page.locator('.soft') })
  await found.nth(0).locator('.soft').click()
  await shown(guest, '.note', 'Добавлено в корзину')
  await found.nth(1).locator('.card-link').click()
  await page.locator('.product h1').waitFor()
  await waitUntil(
    async () => {
      const { queries } = (await platform.call('GET', '/v1/admin/search/queries')).body.data
      return queries.find((it: { query: string }) => it.query === 'чайник')?.interactions === 2
    },
    { what: 'both interactions are counted' },
  )
})
