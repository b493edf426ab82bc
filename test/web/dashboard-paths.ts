// Every page of the dashboard, with the first record of each list for the pages of one record.

import type { Page } from 'playwright-core'
import type { Bozor } from '../../src/sdk/index.ts'
import { places } from '../../src/web/dashboard/frame/places.ts'

/** Waits until the page shows data and no skeleton. The event stream never ends, so the network is never idle. */
export async function untilLoaded(page: Page): Promise<void> {
  await page.locator('#content h1').waitFor()
  await page.locator('.shimmer, [aria-busy=true]').first().waitFor({ state: 'detached' })
}

const details: Record<string, (bozor: Bozor) => Promise<string | undefined>> = {
  '/orders': async ({ orders }) => (await orders.list({ per_page: 1 })).items[0]?.id,
  '/products': async ({ products }) => (await products.list({ per_page: 1 })).items[0]?.id,
  '/applications': async ({ applications }) => (await applications.list({ per_page: 1 })).items[0]?.client_id,
  '/clients': async ({ clients }) => (await clients.list({ per_page: 1 })).items[0]?.id,
  '/campaigns': async ({ campaigns }) => (await campaigns.list({ per_page: 1 })).items[0]?.id,
  '/templates': async ({ templates }) => (await templates.list({ per_page: 1 })).items[0]?.id,
  '/webhooks': async ({ webhooks }) => (await webhooks.list({ per_page: 1 })).items[0]?.id,
}

/** Pages that show nothing without a query. */
const questions: Record<string, string> = { '/search': '?q=телевезор samsung' }

/** Pages below that of one record. */
const parts: Record<string, string[]> = { '/orders': ['picking-list', 'invoice'] }

/** Pages that no list and no navigation names. */
const forms = ['/campaigns/new']

export async function dashboardPaths(bozor: Bozor): Promise<string[]> {
  const paths: string[] = []
  for (const { path } of places) {
    paths.push(path === '/' ? '' : `${path}${questions[path] ?? ''}`)
    const id = await details[path]?.(bozor)
    if (id !== undefined)
      paths.push(`${path}/${id}`, ...(parts[path] ?? []).map((it) => `${path}/${id}/${it}`))
  }
  return [...paths, ...forms]
}
