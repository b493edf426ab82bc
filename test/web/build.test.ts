import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
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
