import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import { toolsOf } from '../../src/web/build/tools.ts'
import { dashboardPages } from '../../src/web/dashboard/server/pages.ts'
import type { PageRequest } from '../../src/http/server.ts'
import { openPlatform } from '../support/shop.ts'
import { ensureWebPages } from '../support/web.ts'

/** Unlike `fetch`, it does not decompress. */
const rawGet = (
  url: string,
  encoding: string,
): Promise<{ headers: Record<string, unknown>; bytes: Buffer }> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': encoding } }, (reply) => {
      const parts: Buffer[] = []
      reply.on('data', (part: Buffer) => parts.push(part))
      reply.on('end', () => resolve({ headers: reply.headers, bytes: Buffer.concat(parts) }))
    }).on('error', reject)
  })

test('the built pages load compressed files that browsers keep, and nothing inline', async () => {
  const folder = await ensureWebPages()
  equal(await ensureWebPages(), folder, 'an unchanged tree is not built again')
  const { call, url } = await openPlatform()
  for (const path of ['/dashboard', '/dashboard/orders/1']) {
    const page = await call('GET', path, { key: null })
    equal(page.status, 200, path)
    match(page.headers.get('content-security-policy')!, /script-src 'self';.*style-src 'self';/)
    ok(!/<script(?! type="module" src="\/assets\/)|<style|style=/.test(page.text), page.text)
  }
  const page = await call('GET', '/dashboard', { key: null })
  const [, script = ''] = /src="(\/assets\/[^"]+)"/.exec(page.text)!
  const { headers, bytes } = await rawGet(url + script, 'gzip, br')
  equal(headers['content-encoding'], 'br')
  match(String(headers['cache-control']), /immutable/)
  equal(brotliDecompressSync(bytes).toString(), readFileSync(folder + script, 'utf8'))
  equal((await rawGet(url + script, 'identity')).headers['content-encoding'], undefined)
  for (const path of ['/assets/none.js', '/assets/..%2Fmanifest.json', '/assets/manifest.json'])
    equal((await call('GET', path, { key: null })).status, 404, path)
  equal((await call('GET', '/dashboard/join', { key: null })).status, 200, 'the page for invitations stays')
})

test('the first page needs at most 200 kB of compressed script, and every other page is a file of its own', async () => {
  const folder = await ensureWebPages()
  const manifest = JSON.parse(readFileSync(`${folder}/manifest.json`, 'utf8')) as Record<
    string,
    { file: string; imports?: string[]; isDynamicEntry?: boolean }
  >
  const needed = new Set<string>()
  const need = (name: string): void => {
    if (needed.has(name)) return
    needed.add(name)
    manifest[name]!.imports?.forEach(need)
  }
  // The home page draws a chart.
  for (const name of ['main.tsx', 'home/home.tsx', 'ui/chart.tsx']) need(`src/web/dashboard/${name}`)
  const bytes = [...needed].map((it) => gzipSync(readFileSync(`${folder}/${manifest[it]!.file}`)).length)
  const total = bytes.reduce((sum, it) => sum + it, 0)
  ok(total > 50_000 && total <= 200_000, `${total} bytes`)
  const pages = Object.entries(manifest).filter(
    ([name, it]) => name.startsWith('src/web/dashboard/') && it.isDynamicEntry && !needed.has(name),
  )
  ok(pages.length >= 40, `${pages.length} pages`)
})

test('without built files the dashboard says what happens and what to do', async () => {
  const [page] = dashboardPages({ entry: () => undefined, pages: [] })
  const reply = await page!.run({ params: {}, form: {}, request: {} } as unknown as PageRequest)
  equal(reply.status, 503)
  match(reply.body, /build-web/)
})

test('the build tools are a part of the lockfile that is complete in itself', () => {
  const lockfile = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Parameters<typeof toolsOf>[0]
  const { packages } = toolsOf(lockfile).lock
  ok(packages['node_modules/vite'] && packages['node_modules/react'])
  deepEqual(
    Object.keys(packages).filter((it) => /chromium|typescript|fastify/.test(it)),
    [],
  )
})
