import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../test/support/shop.ts'
import { ensureWebPages } from '../../test/support/web.ts'

test('/ shows a page with links that work, in light and dark, without external resources', async () => {
  await ensureWebPages()
  const { call } = await openPlatform()
  const page = await call('GET', '/', { key: null })
  equal(page.status, 200)
  match(page.headers.get('content-type')!, /^text\/html/)
  match(page.text, /prefers-color-scheme: dark/)
  doesNotMatch(page.text, /(src|href)="(https?:)?\/\//)
  const paths = [...page.text.matchAll(/href="([^"]+)"/g)].map(([, path]) => path!)
  deepEqual(paths, ['/shop', '/dashboard', '/docs', '/openapi.json', '/readyz', '/healthz'])
  for (const path of paths) equal((await call('GET', path, { key: null })).status, 200, path)
})
