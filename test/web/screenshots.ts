// Screenshots of every page of the dashboard, at two widths and in both themes, from a running shop:
// A shop without orders gets some first.
// `npm run screenshots -- http://127.0.0.1:8080 owner@bozor.example PASSWORD [FOLDER] [PART OF A PATH]`.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { createBozor } from '../../src/sdk/index.ts'
import { pictureBrowser } from '../support/browser.ts'
import { dashboardPaths, untilLoaded } from './dashboard-paths.ts'
import { fillShop } from './fill-shop.ts'

const [url = 'http://127.0.0.1:8080', email = '', password = '', folder = 'screenshots', part = ''] =
  process.argv.slice(2)
const sizes = { 375: { width: 375, height: 812 }, 1440: { width: 1440, height: 900 } }

/** The shop may run on a busy machine. */
const timeoutMs = 180_000

const options = await pictureBrowser()
if (!options) throw new Error('no browser is available')
mkdirSync(folder, { recursive: true })
const browser = await chromium.launch(options)
try {
  for (const [width, viewport] of Object.entries(sizes))
    for (const theme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport, colorScheme: theme, locale: 'en-GB' })
      await shoot(context, `${width}-${theme}`)
      await context.close()
    }
} finally {
  await browser.close()
}

async function shoot(context: BrowserContext, suffix: string): Promise<void> {
  const page = await context.newPage()
  page.setDefaultTimeout(timeoutMs)
  const save = (name: string) => page.screenshot({ path: join(folder, `${name}-${suffix}.png`) })
  await page.goto(`${url}/dashboard`)
  await page.getByLabel('E-mail').waitFor()
  if ('sign-in'.includes(part)) await save('sign-in')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('#content h1').waitFor()
  const bozor = bozorOf(await context.cookies())
  await fillShop(bozor, url)
  for (const path of await dashboardPaths(bozor)) {
    const name =
      path === ''
        ? 'home'
        : path
            .slice(1)
            .replace(/\?.*/, '')
            .replace(/\/[^/]*\d[^/]*$/, '-detail')
    if (!name.includes(part)) continue
    await page.goto(`${url}/dashboard${path}`)
    await untilLoaded(page)
    await save(name)
  }
}

function bozorOf(cookies: { name: string; value: string }[]) {
  return createBozor({
    baseUrl: url,
    environment: 'test',
    fetch: (input, init) =>
      fetch(input, {
        ...init,
        headers: {
          ...(init?.headers as Record<string, string>),
          origin: new URL(url).origin,
          cookie: cookies.map((it) => `${it.name}=${it.value}`).join('; '),
        },
      }),
  })
}
