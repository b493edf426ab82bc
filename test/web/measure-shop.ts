// Measures the home page of a running shop with the demo against its bars, in the browser of the tests:
// `npm run measure:shop -- http://127.0.0.1:8080`. Lighthouse is installed into a temporary folder, because it is large.

import { performance } from 'node:perf_hooks'
import { chromium, type Browser, type LaunchOptions } from 'playwright-core'
import { browserOptions } from '../support/browser.ts'
import { type Measure, table } from './measures.ts'
import { lighthouseScores } from './lighthouse.ts'
import { gzippedSize, pageSizes } from './page-size.ts'
import { mediumPhone, profileOf } from './phone-profile.ts'

const [url = 'http://127.0.0.1:8080'] = process.argv.slice(2)
const home = `${url}/shop/ru`
const requests = 200
const warmUp = 20
const loads = 5

const options = await browserOptions()
if (!options) throw new Error('no browser is available')
const measures = [...(await sizes()), await serverTime(), ...(await onPhone(options)), ...scores(options)]
console.log(table(measures))
process.exitCode = measures.every((it) => it.isMet) ? 0 : 1

async function sizes(): Promise<Measure[]> {
  const { page, script } = await pageSizes(home)
  return [
    { what: 'HTML of home, gzipped', value: page / 1000, unit: 'kB', bar: '≤ 60', isMet: page <= 60_000 },
    {
      what: 'script on home, gzipped',
      value: script / 1000,
      unit: 'kB',
      bar: '≤ 90',
      isMet: script <= 90_000,
    },
  ]
}

/** From the request to the end of the reply, for one visitor after the other. */
async function serverTime(): Promise<Measure> {
  const times: number[] = []
  for (let at = 0; at < warmUp + requests; at++) {
    const began = performance.now()
    await gzippedSize(home)
    if (at >= warmUp) times.push(performance.now() - began)
  }
  const value = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!
  return { what: 'server time of home, p95', value, unit: 'ms', bar: '≤ 50', isMet: value <= 50 }
}

/** The median of several first visits with an empty cache. */
async function onPhone(launch: LaunchOptions): Promise<Measure[]> {
  const browser = await chromium.launch(launch)
  try {
    const lcp = await medianOf(browser, 'lcp')
    const inp = await medianOf(browser, 'inp')
    const phone = `CPU ÷ ${mediumPhone.slowdown}, ${mediumPhone.latencyMs} ms, ${mediumPhone.megabits} Mbit/s`
    return [
      { what: `LCP (${phone})`, value: lcp, unit: 'ms', bar: '≤ 1500', isMet: lcp <= 1_500 },
      {
        what: 'INP, the slowest of five interactions',
        value: inp,
        unit: 'ms',
        bar: '≤ 100',
        isMet: inp <= 100,
      },
    ]
  } finally {
    await browser.close()
  }
}

async function medianOf(browser: Browser, name: 'lcp' | 'inp'): Promise<number> {
  const values: number[] = []
  for (let at = 0; at < loads; at++) values.push(await profileOf(browser, home, name))
  return values.toSorted((a, b) => a - b)[Math.floor(loads / 2)]!
}

function scores(launch: LaunchOptions): Measure[] {
  const found = lighthouseScores(home, launch)
  if (!found) console.error('SKIPPED: Lighthouse is not measured, because npm cannot install it')
  return Object.entries(found ?? {}).map(([name, value]) => ({
    what: `Lighthouse, ${name}`,
    value,
    unit: '',
    bar: '≥ 95',
    isMet: value >= 95,
  }))
}
