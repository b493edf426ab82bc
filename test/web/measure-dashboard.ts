// Measures the first page of the dashboard and changes of pages, with a running shop:
// `npm run measure:dashboard -- http://127.0.0.1:8080 owner@bozor.example PASSWORD`.

import { chromium, type Page } from 'playwright-core'
import { browserOptions } from '../support/browser.ts'
import { untilLoaded } from './dashboard-paths.ts'
import { type Measure, table } from './measures.ts'

const [url = 'http://127.0.0.1:8080', email = '', password = ''] = process.argv.slice(2)
const timeoutMs = 120_000
const runs = 5
const most = { scriptKb: 200, interactiveMs: 1_500, changeMs: 100 }
const changes = ['Clients', 'Products', 'Orders'] as const

const options = await browserOptions()
if (!options) throw new Error('no browser is available')
const browser = await chromium.launch(options)
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
  page.setDefaultTimeout(timeoutMs)
  await page.goto(`${url}/dashboard`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await untilLoaded(page)
  console.log(table([...(await firstPage(page)), ...(await pageChanges(page))]))
} finally {
  await browser.close()
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}

/** Without a cache: the bytes of all scripts until the home page shows figures, and the time until then. */
async function firstPage(page: Page): Promise<Measure[]> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  const times: number[] = []
  let bytes = 0
  for (let run = 0; run < runs; run++) {
    await page.goto(`${url}/dashboard`, { waitUntil: 'commit' })
    await untilLoaded(page)
    times.push(await page.evaluate<number>('performance.now()'))
    bytes = await page.evaluate<number>(`performance.getEntriesByType('resource')
      .filter((it) => new URL(it.name).pathname.endsWith('.js')).reduce((sum, it) => sum + it.encodedBodySize, 0)`)
  }
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: false })
  const [kb, ms] = [bytes / 1_000, median(times)]
  return [
    {
      what: 'scripts of the home page, as sent',
      value: kb,
      unit: 'kB',
      bar: `≤ ${most.scriptKb}`,
      isMet: kb <= most.scriptKb,
    },
    {
      what: `home page shows its figures, median of ${runs}`,
      value: ms,
      unit: 'ms',
      bar: `≤ ${most.interactiveMs}`,
      isMet: ms <= most.interactiveMs,
    },
  ]
}

/** From the click in the navigation to the frame with the rows; the data is there from an earlier visit. */
async function pageChanges(page: Page): Promise<Measure[]> {
  const times: number[] = []
  for (let run = 0; run <= runs; run++)
    for (const name of changes) {
      const spent = await page.evaluate<number>(`new Promise((done) => {
        const link = [...document.querySelectorAll('nav a')].find((it) => it.textContent.trim() === '${name}')
        const from = performance.now()
        link.click()
        const look = () => {
          const isShown = document.querySelector('#content h1')?.textContent === '${name}' && document.querySelector('#content tbody tr')
          if (isShown) requestAnimationFrame(() => done(performance.now() - from))
          else requestAnimationFrame(look)
        }
        look()
      })`)
      if (run > 0) times.push(spent)
    }
  const ms = median(times)
  return [
    {
      what: `change of page with data, median of ${times.length}`,
      value: ms,
      unit: 'ms',
      bar: `≤ ${most.changeMs}`,
      isMet: ms <= most.changeMs,
    },
  ]
}
