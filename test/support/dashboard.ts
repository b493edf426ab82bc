// Members in a real browser.

import type { Browser, Page } from 'playwright-core'
import type { Role } from '../../src/identity/index.ts'
import { addMember, testPassword } from './member.ts'
import type { TestPlatform } from './shop.ts'

export function openDashboard(shop: TestPlatform, browser: Browser | undefined) {
  /** Violations of the Content-Security-Policy and errors of scripts. */
  const problems: string[] = []
  return {
    problems,
    /** A page of a new signed-in member. */
    signedIn: async (
      role: Role,
      path = '',
      options: { width?: number; timeZone?: string } = {},
    ): Promise<Page> => {
      const { email } = await addMember(shop, role, `${role}-${crypto.randomUUID()}@shop.uz`)
      const context = await browser!.newContext({
        locale: 'en-GB',
        // Colours change at once, so that a theme is measured and not the way to it.
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
        ...(options.timeZone && { timezoneId: options.timeZone }),
        viewport: { width: options.width ?? 1280, height: 900 },
      })
      const page = await context.newPage()
      page.on(
        'console',
        (it) =>
          it.type() === 'error' && /Content Security|Uncaught/.test(it.text()) && problems.push(it.text()),
      )
      page.on('pageerror', (error) => problems.push(String(error)))
      await page.goto(`${shop.url}/dashboard${path}`)
      await page.getByLabel('E-mail').fill(email)
      await page.getByLabel('Password').fill(testPassword)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.locator('#content').waitFor()
      return page
    },
    open: (page: Page, path: string) => page.goto(`${shop.url}/dashboard${path}`),
  }
}
