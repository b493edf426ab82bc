// A real browser: the npm package where it supports the processor, otherwise an installed Chromium, if any.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { after } from 'node:test'
import packed, { inflate } from '@sparticuz/chromium'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

/** Long, because tests may run on a busy machine; the default is 30 s. */
const stepTimeoutMs = 120_000

/** Next to the cache of compiled code. */
const cache = new URL('../../node_modules/.cache/bozor', import.meta.url).pathname

/** The browser is closed when the test file ends; undefined if none is available. */
export async function openBrowser(): Promise<Browser | undefined> {
  const found = await browserOptions()
  if (!found) return undefined
  // No timeout: the launch can be slow on a busy machine.
  const browser = await chromium.launch({ timeout: 0, ...found })
  after(() => browser.close())
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(stepTimeoutMs)
    return context
  }
  return browser
}

/** How to launch the browser of this machine; undefined if there is none. */
export const browserOptions = async (): Promise<LaunchOptions | undefined> =>
  process.arch === 'x64' ? packedBrowser() : machineBrowser()

/** For pictures: the browser of the machine with its fonts, if there is one. The packed browser has one font in one weight. */
export const pictureBrowser = async (): Promise<LaunchOptions | undefined> =>
  machineBrowser() ?? (await browserOptions())

async function packedBrowser(): Promise<LaunchOptions> {
  const home = await unpacked()
  return {
    executablePath: join(home, 'chromium'),
    args: [...sensibleArguments(), '--no-sandbox'],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(home, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(home, 'fonts.conf'),
      HOME: home,
    },
  }
}

function machineBrowser(): LaunchOptions | undefined {
  const places = (process.env['PATH'] ?? '').split(delimiter).map((it) => join(it, 'chromium'))
  const executablePath = places.find((it) => existsSync(it))
  return executablePath === undefined ? undefined : { executablePath, args: ['--no-sandbox'] }
}

/**
 * The package assumes a serverless sandbox. The first two flags would make the browser differ from those of real users; the
 * others draw every page with a graphics processor in software, which costs a third of a test.
 */
const unwanted =
  /^--(single-process|disable-web-security|use-gl=|use-angle=|enable-unsafe-swiftshader|ignore-gpu-blocklist)/

const sensibleArguments = (): string[] => [...packed.args.filter((it) => !unwanted.test(it)), '--disable-gpu']

/** The folder of the unpacked browser. Unpacking takes seconds, so it is done once; the rename makes it atomic. */
async function unpacked(): Promise<string> {
  const folder = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')))
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  const home = join(cache, `chromium-${version}`)
  if (existsSync(home)) return home
  mkdirSync(cache, { recursive: true })
  const draft = mkdtempSync(`${home}-`)
  await unpackInto(draft, join(folder, 'bin'))
  writeFileSync(join(draft, 'fonts.conf'), fontsIn(join(home, 'fonts')))
  try {
    renameSync(draft, home)
  } catch {
    // Another process has unpacked it first.
    rmSync(draft, { recursive: true, force: true })
  }
  return home
}

/** The package unpacks to TMPDIR and assumes that files found there are complete. */
async function unpackInto(draft: string, from: string): Promise<void> {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = draft
  try {
    const parts = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']
    await Promise.all(parts.map((it) => inflate(join(from, it))))
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}

/** Without a font configuration text has no size. */
const fontsIn = (folder: string): string =>
  `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}</dir><dir>/usr/share/fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>\n`
