// A first visit on a mid-range phone: the browser with a slower processor and network, measured by the page itself.

import type { Browser, Page } from 'playwright-core'

/** The mobile profile of Lighthouse. */
export const mediumPhone = { slowdown: 4, latencyMs: 150, megabits: 1.6 }

const bytesPerSecond = (mediumPhone.megabits * 1e6) / 8
/** After this time without a request the page is complete. */
const quietTimeoutMs = 60_000

interface Vitals {
  lcp: number
  inp: number
}

/** LCP after the page is complete, or the INP of the interactions below, in milliseconds. */
export async function profileOf(browser: Browser, url: string, what: 'lcp' | 'inp'): Promise<number> {
  const context = await browser.newContext({
    viewport: { width: 375, height: 812 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  })
  try {
    const page = await context.newPage()
    await slowDown(page)
    await page.addInitScript(observe)
    await page.goto(url, { waitUntil: 'networkidle', timeout: quietTimeoutMs })
    if (what === 'inp') await interact(page)
    return ((await page.evaluate('vitals')) as Vitals)[what]
  } finally {
    await context.close()
  }
}

async function slowDown(page: Page): Promise<void> {
  const tools = await page.context().newCDPSession(page)
  await tools.send('Emulation.setCPUThrottlingRate', { rate: mediumPhone.slowdown })
  await tools.send('Network.enable')
  await tools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: mediumPhone.latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond / 2,
  })
}

/** Runs in the page before its own scripts. */
function observe(): void {
  interface Entry {
    startTime: number
    duration: number
    interactionId?: number
  }
  const scope = globalThis as unknown as {
    vitals: Vitals
    PerformanceObserver: new (seen: (list: { getEntries(): Entry[] }) => void) => {
      observe(options: object): void
    }
  }
  const vitals = (scope.vitals = { lcp: 0, inp: 0 })
  const watch = (options: object, see: (entry: Entry) => void) =>
    new scope.PerformanceObserver((list) => list.getEntries().forEach(see)).observe({
      buffered: true,
      ...options,
    })
  watch({ type: 'largest-contentful-paint' }, ({ startTime }) => (vitals.lcp = startTime))
  watch({ type: 'event', durationThreshold: 16 }, ({ interactionId, duration }) => {
    if (interactionId) vitals.inp = Math.max(vitals.inp, duration)
  })
}

/** What a visitor does on the home page: theme, languages, typing, saving, adding to the cart. */
async function interact(page: Page): Promise<void> {
  await page.tap('[data-theme-switch]')
  await page.tap('.language summary')
  await page.tap('.language summary')
  await page.tap('input[name=q]')
  await page.keyboard.type('наушники')
  await page.locator('.suggestions a').first().waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.card .heart').first().tap()
  await page.locator('.heart[aria-pressed=true]').first().waitFor()
  await page.locator('.card .soft').first().tap()
  await page.locator('.bar [data-cart-count]:not([hidden])').waitFor()
}
