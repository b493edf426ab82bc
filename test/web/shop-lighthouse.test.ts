// Lighthouse on the pages that search engines see. It installs a large package and takes minutes, so it runs at night.

import { deepEqual } from 'node:assert/strict'
import { after, test } from 'node:test'
import { browserOptions } from '../support/browser.ts'
import { isNightly } from '../support/nightly.ts'
import { openShopPlatform } from '../support/storefront.ts'
import { openLighthouse } from './lighthouse.ts'

const lowest = 95

const browser = isNightly ? await browserOptions() : undefined
const lighthouse = browser && openLighthouse()
after(() => lighthouse?.close())
const skip = !isNightly ? 'runs at night' : !lighthouse && 'no browser, or npm cannot install Lighthouse'

test(
  'Lighthouse gives every page of the storefront at least 95 points in all categories',
  { skip },
  async () => {
    const { url, call } = await openShopPlatform()
    const [{ slug }] = (await call('GET', '/v1/catalog/products?in_stock=true&per_page=1')).body.data.products
    const low: string[] = []
    for (const path of ['', '/c/smartphones', `/p/${slug}`])
      for (const [category, points] of Object.entries(
        await lighthouse!.scores(`${url}/shop/ru${path}`, browser!),
      ))
        if (points < lowest) low.push(`${path || '/'} ${category}: ${points}`)
    deepEqual(low, [])
  },
)
