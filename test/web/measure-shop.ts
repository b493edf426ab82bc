// Measures pages of a running shop with the demo against their bars, in the browser of the tests:
// `npm run measure:shop -- http://127.0.0.1:8080 [NAMES]`. Lighthouse is installed into a temporary folder, because it is
// large.

import { performance } from 'node:perf_hooks'
import { chromium, type LaunchOptions, type Page } from 'playwright-core'
import { browserOptions } from '../support/browser.ts'
import { type Measure, table } from './measures.ts'
import { openLighthouse } from './lighthouse.ts'
import { gzippedSize, pageSizes } from './page-size.ts'
import { type Interaction, mediumPhone, profileOf } from './phone-profile.ts'

const [url = 'http://127.0.0.1:8080', names = ''] = process.argv.slice(2)
const requests = 200
const warmUp = 20
const loads = 5

const medianOf = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const addressOf = (path: string): string => `${url}/shop/ru${path}`

interface MeasuredPage {
  path: string
  interactions: Interaction[]
  /** What the visitor did before. */
  before?: (page: Page) => Promise<void>
}

const search: Interaction[] = [{ tap: 'input[name=q]' }, { type: 'наушники' }]
const cards: Interaction[] = [{ tap: '.card .heart' }, { tap: '.card .soft' }]
const filters: Interaction[] = [{ tap: '.filters summary' }, { tap: '.filters .check' }]

const pages: Record<string, MeasuredPage> = {
  home: {
    path: '',
    interactions: [
      { tap: '[data-theme-switch]' },
      { tap: '.language summary' },
      { tap: '.language summary' },
      ...cards,
      ...search,
    ],
  },
  category: { path: '/c/smartphones', interactions: [...cards, ...filters] },
  search: { path: '/search?q=наушнки', interactions: [...cards, ...filters] },
  product: {
    path: await productPath(),
    interactions: [
      { tap: '.buy .brand' },
      { tap: '.buy .soft' },
      { tap: '.variants .chip:not([aria-current])' },
    ],
  },
  cart: { path: '/cart', before: fillCart, interactions: [{ tap: '[id^=more-]' }, { tap: '[id^=less-]' }] },
}

const options = await browserOptions()
if (!options) throw new Error('no browser is available')
const lighthouse = openLighthouse()
if (!lighthouse) console.error('SKIPPED: Lighthouse is not measured, because npm cannot install it')
const browser = await chromium.launch(options)
const measures = [...(await sizes()), await serverTime()]
try {
  for (const [name, page] of Object.entries(pages))
    if (names === '' || names.split(',').includes(name))
      measures.push(...(await measured(name, page, options)))
} finally {
  await browser.close()
  lighthouse?.close()
}
console.log(
  `Phone: CPU ÷ ${mediumPhone.slowdown}, ${mediumPhone.latencyMs} ms, ${mediumPhone.megabits} Mbit/s.\n\n${table(measures)}`,
)
process.exitCode = measures.every((it) => it.isMet) ? 0 : 1

async function sizes(): Promise<Measure[]> {
  const { page, script } = await pageSizes(addressOf(''))
  return [
    most({ what: 'home: HTML, gzipped', value: page / 1000, unit: 'kB', limit: 60 }),
    most({ what: 'home: script, gzipped', value: script / 1000, unit: 'kB', limit: 90 }),
  ]
}

function most({ limit, ...it }: Pick<Measure, 'what' | 'value' | 'unit'> & { limit: number }): Measure {
  return { ...it, bar: `≤ ${limit}`, isMet: it.value <= limit }
}

/** From the request to the end of the reply, for one visitor after the other. */
async function serverTime(): Promise<Measure> {
  const times: number[] = []
  for (let at = 0; at < warmUp + requests; at++) {
    const began = performance.now()
    await gzippedSize(addressOf(''))
    if (at >= warmUp) times.push(performance.now() - began)
  }
  const value = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!
  return most({ what: 'home: server time, p95', value, unit: 'ms', limit: 50 })
}

async function measured(name: string, page: MeasuredPage, launch: LaunchOptions): Promise<Measure[]> {
  const profiles = []
  for (let at = 0; at < loads; at++) profiles.push(await profileOf(browser, addressOf(page.path), page))
  const byInp = profiles.toSorted((a, b) => a.inp - b.inp)[Math.floor(loads / 2)]!
  return [
    most({ what: `${name}: LCP`, value: medianOf(profiles.map((it) => it.lcp)), unit: 'ms', limit: 1_500 }),
    most({ what: `${name}: INP (${byInp.slowest})`, value: byInp.inp, unit: 'ms', limit: 100 }),
    most({
      what: `${name}: layout shifts`,
      value: medianOf(profiles.map((it) => it.shifts)),
      unit: '',
      limit: 0.1,
    }),
    ...Object.entries((await lighthouse?.scores(addressOf(page.path), launch)) ?? {}).map(
      ([category, value]) => ({
        what: `${name}: Lighthouse, ${category}`,
        value,
        unit: '',
        bar: '≥ 95',
        // Pages of one visitor and search results shall not be found by search engines.
        isMet: value >= 95 || (category === 'seo' && ['search', 'cart'].includes(name)),
      }),
    ),
  ]
}

/** A product with variants that are in stock. */
async function productPath(): Promise<string> {
  for (const query of ['кроссовки', 'футболка']) {
    const list = await (await fetch(addressOf(`/search?q=${query}&in_stock=true`))).text()
    for (const [path] of list.matchAll(/(?<=href="\/shop\/ru)\/p\/[\w-]+(?=")/g)) {
      const text = await (await fetch(addressOf(path))).text()
      if ((text.match(/class="chip\s*"/g) ?? []).length > 1 && text.includes('class="buy-row"')) return path
    }
  }
  throw new Error('no product with variants is found')
}

async function fillCart(page: Page): Promise<void> {
  await page.goto(addressOf('/search?q=наушники&in_stock=true'))
  for (const at of [0, 1, 2]) {
    await page.locator('.card .soft').nth(at).click()
    await page.locator('.bar [data-cart-count]', { hasText: String(at + 1) }).waitFor()
  }
}
