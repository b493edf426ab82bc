// A real browser, which comes with npm: nothing has to be installed on the machine.

import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import packed, { inflate } from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/** Opens a browser that is gone when the test file ends. */
export async function openBrowser(): Promise<Browser> {
  const home = await unpacked()
  const browser = await chromium.launch({
    executablePath: join(home, 'chromium'),
    args: [...sensibleArguments(), '--no-sandbox'],
    // A busy machine takes its time.
    timeout: 0,
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(home, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(home, 'fonts.conf'),
      HOME: home,
    },
  })
  after(() => browser.close())
  return browser
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
