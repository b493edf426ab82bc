// Lighthouse, installed into a temporary folder when it is needed: it is too large for a dependency.

import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LaunchOptions } from 'playwright-core'

const version = '13.5.0'
const categories = ['performance', 'accessibility', 'best-practices', 'seo']
const installTimeoutMs = 180_000
const runTimeoutMs = 180_000

export interface Lighthouse {
  /** Scores from 0 to 100 on the mobile profile. */
  scores(url: string, browser: LaunchOptions): Promise<Record<string, number>>
  /** Removes the temporary folder. */
  close(): void
}

/** Undefined if npm cannot install it. */
export function openLighthouse(): Lighthouse | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'lighthouse-'))
  const close = () => rmSync(folder, { recursive: true, force: true })
  if (!isInstalled(folder)) {
    close()
    return undefined
  }
  return { scores: (url, browser) => scoresOf(folder, url, browser), close }
}

async function scoresOf(
  folder: string,
  url: string,
  browser: LaunchOptions,
): Promise<Record<string, number>> {
  const report = join(folder, 'report.json')
  // Not the arguments of the packed browser: with them the time to paint is that of no real browser.
  const flags = '--headless=new --no-sandbox'
  // The server may be in this process, so it must not be blocked.
  await promisify(execFile)(
    process.execPath,
    [
      join(folder, 'node_modules/lighthouse/cli/index.js'),
      url,
      '--quiet',
      '--output=json',
      `--output-path=${report}`,
      `--only-categories=${categories.join(',')}`,
      `--chrome-flags=${flags}`,
    ],
    {
      timeout: runTimeoutMs,
      env: { ...process.env, ...browser.env, CHROME_PATH: browser.executablePath },
    },
  )
  const { categories: found } = JSON.parse(readFileSync(report, 'utf8')) as {
    categories: Record<string, { score: number }>
  }
  return Object.fromEntries(categories.map((it) => [it, Math.round(found[it]!.score * 100)]))
}

function isInstalled(folder: string): boolean {
  try {
    execFileSync('npm', ['install', '--prefix', folder, '--no-save', '--no-audit', `lighthouse@${version}`], {
      stdio: 'ignore',
      timeout: installTimeoutMs,
    })
    return true
  } catch {
    return false
  }
}
