// First visits on a mid-range phone: the browser with a slower processor and network, measured by the page itself.

import type { Browser, Page } from 'playwright-core'

/** The mobile profile of Lighthouse. */
export const mediumPhone = { slowdown: 4, latencyMs: 150, megabits: 1.6 }

const bytesPerSecond = (mediumPhone.megabits * 1e6) / 8
const quietTimeoutMs = 60_000
/** Enough for the reply and the frames of an interaction. */
const settleMs = 600

/** A tap on what a selector finds, or text for the field that has the focus. */
export type Interaction = { tap: string } | { type: string }

export interface Profile {
  lcp: number
  /** The sum of all layout shifts without input. */
  shifts: number
  /** The longest time from an input to the next frame. */
  inp: number
  /** The interaction with this time. */
  slowest: string
}

interface Vitals {
  lcp: number
  shifts: number
  inp: number
}

export async function profileOf(
  browser: Browser,
  url: string,
  { interactions, before }: { interactions: readonly Interaction[]; before?: (page: Page) => Promise<void> },
): Promise<Profile> {
  const context = await browser.newContext({
    viewport: { width: 375, height: 812 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  })
  try {
    const page = await context.newPage()
    await before?.(page)
    await slowDown(page)
    await page.addInitScript(observe)
    await page.goto(url, { waitUntil: 'networkidle', timeout: quietTimeoutMs })
    const { lcp, shifts } = await vitalsOf(page)
    let slowest = ''
    let inp = 0
    for (const interaction of interactions) {
      await act(page, interaction)
      const vitals = await vitalsOf(page)
      if (vitals.inp > inp) slowest = 'tap' in interaction ? interaction.tap : `type ${interaction.type}`
      inp = vitals.inp
    }
    return { lcp, shifts, inp, slowest }
  } finally {
    await context.close()
  }
}

const vitalsOf = (page: Page): Promise<Vitals> => page.evaluate('vitals')

async function slowDown(page: Page): Promise<void> {
  const tools = await page.context().newCDPSession(page)
  await tools.send('Emulation.setCPUThrottlingRate', { rate: mediumPhone.slowdown })
  await tools.send('Network.enable')
  await tools.send('Network.setCacheDisabled', { cacheDisabled: true })
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
    value?: number
    hadRecentInput?: boolean
  }
  const scope = globalThis as unknown as {
    vitals: Vitals
    PerformanceObserver: new (seen: (list: { getEntries(): Entry[] }) => void) => {
      observe(options: object): void
    }
  }
  const vitals = (scope.vitals = { lcp: 0, shifts: 0, inp: 0 })
  const watch = (options: object, see: (entry: Entry) => void) =>
    new scope.PerformanceObserver((list) => list.getEntries().forEach(see)).observe({
      buffered: true,
      ...options,
    })
  watch({ type: 'largest-contentful-paint' }, ({ startTime }) => (vitals.lcp = startTime))
  watch({ type: 'layout-shift' }, ({ value = 0, hadRecentInput }) => {
    if (!hadRecentInput) vitals.shifts += value
  })
  watch({ type: 'event', durationThreshold: 16 }, ({ interactionId, duration }) => {
    if (interactionId) vitals.inp = Math.max(vitals.inp, duration)
  })
}

/**
 * The position is found before the tap, and the page is not queried until the frame is shown: a query runs in the page
 * and would delay the frame that is measured.
 */
async function act(page: Page, interaction: Interaction): Promise<void> {
  if ('type' in interaction) await page.keyboard.type(interaction.type, { delay: 80 })
  else {
    const target = page.locator(interaction.tap).first()
    await target.scrollIntoViewIfNeeded()
    await page.waitForTimeout(settleMs)
    const box = await target.boundingBox()
    if (!box) throw new Error(`${interaction.tap} is not shown`)
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
  }
  await page.waitForTimeout(settleMs)
}
