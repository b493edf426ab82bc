// The storefront of a test platform with the demo catalog, in a real browser.

import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { allRecordKinds } from '../../src/app.ts'
import { openVault } from '../../src/base/vault.ts'
import { readConfig } from '../../src/base/config.ts'
import { demoRecords, demoSeed, loadDemoCatalog } from '../../src/demo/index.ts'
import { registerOwnApplication } from '../../src/identity/index.ts'
import { storefrontApplication } from '../../src/web/shop/index.ts'
import { openPlatform, type TestPlatform, testSecretKey } from './shop.ts'
import { waitUntil } from './wait-until.ts'

/** A platform whose test environment holds the demo catalog, with the storefront registered at its address. */
export async function openShopPlatform(): Promise<TestPlatform> {
  const platform = await openPlatform({ env: { STOREFRONT: 'test' } })
  const { db } = platform.app.shops.test
  await db.transaction((tx) => loadDemoCatalog(tx, demoRecords(demoSeed), allRecordKinds))
  const vault = openVault(readConfig({ SECRET_KEY: testSecretKey }))
  await db.transaction((tx) => registerOwnApplication(tx, vault, storefrontApplication([platform.url])))
  await waitUntil(
    async () =>
      (await platform.call('GET', '/v1/catalog/products?per_page=1')).body.data.pagination.total > 2000,
    { what: 'the products of the demo shop to be listed' },
  )
  return platform
}

export interface Shopper {
  page: Page
  /** Errors of scripts and violations of the Content-Security-Policy. */
  complaints: string[]
  /** Opens a page of the shop in Russian. */
  open(path: string): Promise<void>
}

export async function openShopper(
  browser: Browser,
  { url }: TestPlatform,
  options: BrowserContextOptions = {},
): Promise<Shopper> {
  const context = await browser.newContext({ viewport: { width: 375, height: 812 }, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (it) => {
    if (/Content.Security.Policy/i.test(it.text())) complaints.push(it.text())
  })
  return {
    page,
    complaints,
    open: async (path) => {
      await page.goto(`${url}/shop/ru${path}`)
    },
  }
}

/** What axe-core finds wrong with the page, and whether the page is wider than the window. */
export const faultsOf = (page: Page): Promise<string[]> => faultsBy(page, {})

/** Only what depends on colours, for a theme of a page that was checked in the other one. */
export const contrastFaultsOf = (page: Page): Promise<string[]> =>
  faultsBy(page, { runOnly: { type: 'rule', values: ['color-contrast'] } })

async function faultsBy(page: Page, options: object): Promise<string[]> {
  await page.evaluate(`globalThis.axe ?? (() => { ${axe.source} })()`)
  return page.evaluate(async (given) => {
    const scope = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
      document: { documentElement: { scrollWidth: number } }
      innerWidth: number
    }
    const { violations } = await scope.axe.run({ resultTypes: ['violations'], preload: false, ...given })
    const found = violations.flatMap((it) => it.nodes.map((node) => `${it.id}: ${node.html.slice(0, 200)}`))
    const isWide = scope.document.documentElement.scrollWidth > scope.innerWidth
    return [...found, ...(isWide ? ['wider than the window'] : [])]
  }, options)
}
