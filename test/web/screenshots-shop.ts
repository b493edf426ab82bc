// Screenshots of every page of the storefront, at two widths and in both themes, from a running shop with the demo:
// `npm run screenshots:shop -- http://127.0.0.1:8080 [FOLDER] [NAMES]`. It signs up a buyer and places orders.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { browserOptions } from '../support/browser.ts'

const [url = 'http://127.0.0.1:8080', folder = 'screenshots', part = ''] = process.argv.slice(2)
const widths = [375, 1440]
const heights: Record<number, number> = { 375: 812, 1440: 900 }
const isWhole = process.env['WHOLE'] === '1'

const options = await browserOptions()
if (!options) throw new Error('no browser is available')
mkdirSync(folder, { recursive: true })
const browser = await chromium.launch(options)
const page = await browser.newPage()
try {
  await visitAll()
} finally {
  await browser.close()
}

function isWanted(name: string): boolean {
  return part === '' || part.split(',').includes(name)
}

async function open(path: string): Promise<void> {
  await page.goto(`${url}/shop/ru${path}`)
}

/** The open page at both widths and in both themes. It is loaded again, because some parts depend on the width. */
async function save(name: string): Promise<void> {
  if (!isWanted(name)) return
  for (const width of widths) {
    await page.setViewportSize({ width, height: heights[width]! })
    if (isReloaded(name)) await page.reload()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate('scrollTo(0, 0)')
      await page.screenshot({
        path: join(folder, `${name}-${width}-${colorScheme}.png`),
        fullPage: isWhole,
      })
    }
  }
}

/** What is typed and what a note says would be lost. */
const isReloaded = (name: string): boolean => !['checkout', 'product'].includes(name)

async function visitAll(): Promise<void> {
  for (const [name, path] of Object.entries({
    home: '',
    catalog: '/catalog',
    category: '/c/smartphones',
    search: '/search?q=кроссовки',
    'search-empty': '/search?q=zzzzzzzz',
    deals: '/deals',
    'cart-empty': '/cart',
    'wishlist-empty': '/wishlist',
    'sign-in': '/sign-in',
    'sign-up': '/sign-up',
    missing: '/p/999999/x',
    mini: '/mini',
  })) {
    if (!isWanted(name)) continue
    await open(path)
    await save(name)
  }
  await signUp(page)
  const products = await productsToBuy()
  for (const product of products) {
    await open(product)
    await page.click('.buy .brand')
    await page.locator('.note').waitFor()
  }
  await save('product')
  await page.click('.buy .soft')
  await page.locator('.note', { hasText: 'избранное' }).waitFor()
  await open('/wishlist')
  await save('wishlist')
  await open('/cart')
  await save('cart')
  await open('/checkout')
  await fillIn(page)
  await save('checkout')
  await page.click('.checkout .brand.wide')
  await page.locator('.thanks').waitFor()
  await save('placed')
  await page.locator('.order-card a').first().click()
  await page.locator('.timeline').waitFor()
  await save('order')
  for (const name of ['orders', 'account', 'account/mandates', 'shared']) {
    await open(`/${name}`)
    await save(name.replace('account/', ''))
  }
}

async function signUp(visitor: Page): Promise<void> {
  await open('/sign-up')
  await visitor.fill('#name', 'Малика')
  await visitor.fill('#phone', `+99890${String(Date.now()).slice(-7)}`)
  await visitor.fill('#password', 'four plums in a basket')
  await visitor.click('main form .brand')
  await visitor.click('[name=decision][value=allow]')
  await visitor.locator('.note').waitFor()
}

/** Products of different categories that have stock. */
async function productsToBuy(): Promise<string[]> {
  const found: string[] = []
  for (const query of ['кроссовки', 'наушники']) {
    await open(`/search?q=${query}&in_stock=true`)
    const address = await page.locator('.card .card-link').first().getAttribute('href')
    if (address !== null) found.push(address.replace('/shop/ru', ''))
  }
  return found
}

async function fillIn(visitor: Page): Promise<void> {
  const values = { city: 'Чиланзар', street: 'Бунёдкор', building: '12' }
  for (const [name, value] of Object.entries(values)) await visitor.fill(`#${name}`, value)
}
