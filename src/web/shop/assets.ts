// The script and the style of the storefront, served from their sources: the style is plain CSS, and Node removes the
// types of the script, which is one file without imports. There is nothing to build and nothing to wait for.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { gzipSync } from 'node:zlib'

export interface Asset {
  path: string
  type: string
  body: string
  bytes: Buffer
  gzipped: Buffer
}

const source = (name: string): string => readFileSync(new URL(`client/${name}`, import.meta.url), 'utf8')

/** Comments and indentation are for readers of the source. */
const compact = (text: string): string =>
  text
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/[ \t]*\n\s*/g, '\n')
    .trim()

function assetOf(name: string, type: string, body: string): Asset {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12)
  const [stem, extension] = name.split('.')
  const bytes = Buffer.from(body)
  return { path: `/shop/assets/${stem}-${hash}.${extension}`, type, body, bytes, gzipped: gzipSync(bytes) }
}

export interface Assets {
  script: Asset
  style: Asset
}

export const loadAssets = (): Assets => ({
  script: assetOf(
    'shop.js',
    'text/javascript; charset=utf-8',
    compact(stripTypeScriptTypes(source('main.ts'))),
  ),
  style: assetOf('shop.css', 'text/css; charset=utf-8', compact(source('style.css'))),
})
