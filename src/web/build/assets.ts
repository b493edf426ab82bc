// Built files over HTTP. Their names contain a hash of their content, so browsers keep them for good.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { refuse } from '../../base/refusal.ts'
import type { Page, PageReply, PageRequest } from '../../http/server.ts'
import { entries, type EntryName } from './entries.ts'
import { builtFolder, webFolders } from './folders.ts'

export interface EntryFiles {
  /** Paths such as `/assets/main-x1y2.js`: the module to load first, modules it imports, and styles. */
  script: string
  preloads: string[]
  styles: string[]
}

export interface WebAssets {
  /** Undefined as long as the pages are not built. */
  entry(name: EntryName): EntryFiles | undefined
  /** Serves `/assets/…`. */
  pages: Page[]
}

interface Build {
  folder: string
  manifest: Manifest
  files: ReadonlySet<string>
}

type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] }>

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

export function openWebAssets({ dataDir }: { dataDir: string }): WebAssets {
  const folders = webFolders(dataDir)
  const contents = new Map<string, Promise<Buffer>>()
  let build: Build | undefined
  // The build may end after the start of this process.
  const current = (): Build | undefined => (build ??= readBuild(builtFolder(folders)))
  const content = (path: string): Promise<Buffer> => {
    const bytes = contents.get(path) ?? readFile(path)
    contents.set(path, bytes)
    return bytes
  }
  const run = async ({ params, request }: PageRequest): Promise<PageReply> => {
    const found = current()
    const name = params['file'] ?? ''
    const type = types[extname(name)]
    if (!found || type === undefined || !found.files.has(name)) throw refuse('not_found')
    const encoding = acceptedEncoding(found.files, name, request.headers['accept-encoding'])
    const suffix = encoding === 'br' ? '.br' : encoding === 'gzip' ? '.gz' : ''
    return {
      type,
      body: '',
      bytes: await content(join(found.folder, 'assets', name + suffix)),
      headers: {
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
        ...(encoding && { 'content-encoding': encoding }),
      },
    }
  }
  return {
    entry: (name) => entryOf(current(), name),
    pages: [{ path: '/assets/{file}', run }],
  }
}

function readBuild(folder: string | undefined): Build | undefined {
  if (folder === undefined || !existsSync(join(folder, 'assets'))) return undefined
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest
  return { folder, manifest, files: new Set(readdirSync(join(folder, 'assets'))) }
}

function entryOf(build: Build | undefined, name: EntryName): EntryFiles | undefined {
  const found = build?.manifest[entries[name]]
  if (!build || !found) return undefined
  const imported = new Set<string>()
  const visit = (key: string) => {
    if (imported.has(key)) return
    imported.add(key)
    for (const next of build.manifest[key]?.imports ?? []) visit(next)
  }
  for (const key of found.imports ?? []) visit(key)
  const chunks = [...imported].flatMap((key) => build.manifest[key] ?? [])
  return {
    script: `/${found.file}`,
    preloads: chunks.map((it) => `/${it.file}`),
    styles: [...chunks, found].flatMap((it) => it.css ?? []).map((it) => `/${it}`),
  }
}

function acceptedEncoding(
  files: ReadonlySet<string>,
  name: string,
  header: string | string[] | undefined,
): 'br' | 'gzip' | undefined {
  const accepted = String(header ?? '')
  if (files.has(`${name}.br`) && /\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted)) return 'br'
  if (files.has(`${name}.gz`) && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted)) return 'gzip'
  return undefined
}
