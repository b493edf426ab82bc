// A real browser. One comes with npm, for the usual processors of servers; on others it is the machine's own, if it has one.

import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after } from 'node:test'
import packed, { inflate } from '@sparticuz/chromium'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

/** Opens a browser that is gone when the test file ends; undefined where there is none. */
export async function openBrowser(): Promise<Browser | undefined> {
  const found = process.arch === 'x64' ? await packedBrowser() : machineBrowser()
  if (!found) return undefined
  // A busy machine takes its time.
  const browser = await chromium.launch({ timeout: 0, ...found })
  after(() => browser.close())
  return browser
}

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

/** The package means to run in a sealed room; these two would make the browser another one than people have. */
const sensibleArguments = (): string[] =>
  packed.args.filter((it) => it !== '--single-process' && it !== '--disable-web-security')

/** Where the browser stands unpacked. It takes seconds, so it is done once; others see it whole or not at all. */
async function unpacked(): Promise<string> {
  const folder = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')))
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  const home = join(tmpdir(), `bozor-chromium-${version}`)
  if (existsSync(home)) return home
  const draft = mkdtempSync(`${home}-`)
  await unpackInto(draft, join(folder, 'bin'))
  writeFileSync(join(draft, 'fonts.conf'), fontsIn(join(home, 'fonts')))
  try {
    renameSync(draft, home)
  } catch {
    // Somebody else was faster.
    rmSync(draft, { recursive: true, force: true })
  }
  return home
}

/** The package unpacks to wherever the machine keeps temporary files, and takes what it finds there for whole. */
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

/** Without a list of fonts text has no size. */
const fontsIn = (folder: string): string =>
  `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}</dir><dir>/usr/share/fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>\n`
