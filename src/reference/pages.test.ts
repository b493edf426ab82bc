import { deepEqual, doesNotMatch, equal, match, ok, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { allRoutes } from '../../test/support/routes.ts'
import { validatorCompiler } from '../base/validation.ts'
import { events } from '../events.ts'
import { html, inline, verbatim } from '../http/html.ts'
import { refusals } from '../http/refusals.ts'
import { post, type Route } from '../http/route.ts'
import { strict, text } from '../http/schema.ts'
import type { PageReply, PageRequest } from '../http/server.ts'
import { jsonCard } from './code.ts'
import { eventSample } from './event-schemas.ts'
import { openSite } from './open-site.ts'
import { operationsOf } from './operation.ts'
import { referenceDocument, referencePages } from './pages.ts'
import { snippetsOf } from './snippets.ts'

const routes = await allRoutes()
const origin = 'https://shop.example'
const document = referenceDocument(routes, { version: '1.2.3', origin })
const site = openSite(document)
const pages = new Map(site.addresses.map((it) => [it, site.text(it, 'en')]))

const served = new Map<Route[], ReturnType<typeof referencePages>>()

const ask = (
  address: string,
  options: { origin?: string; query?: object; headers?: object; from?: Route[] } = {},
): PageReply => {
  const { origin: known = origin, query = {}, headers = {}, from = routes } = options
  const all = served.get(from) ?? referencePages(from, { version: '1.2.3' })
  served.set(from, all)
  const request = { state: { origin: known }, query, headers } as unknown as PageRequest['request']
  const name = address.split('/').at(-1)!
  const folder = address.slice(0, -name.length - 1)
  const page = all.find((it) => it.path === address) ?? all.find((it) => it.path === `${folder}/{name}`)!
  const reply = page.run({ params: { name }, form: {}, request }) as PageReply
  return reply.bytes ? { ...reply, body: reply.bytes.toString() } : reply
}

const hostile = `</script><img src=x onerror=alert(1)>"'&`
const hostileRoute = post('/v1/catalog/hostile/{name}', {
  summary: hostile,
  description: hostile,
  scope: 'catalog:write',
  params: { name: text({ description: hostile, examples: [hostile] }) },
  body: strict({ [hostile]: text({ description: hostile, examples: [hostile] }) }),
  reply: Type.Object({ [hostile]: Type.String({ examples: [hostile] }) }),
  run: () => Promise.reject(new Error('not called')),
})

/** The text of a piece of the page, as a reader copies it. */
const textOf = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

test('the first page is small and leads to every other page', () => {
  const first = pages.get('/docs')!
  ok(Buffer.byteLength(first) < 150_000)
  for (const address of site.addresses) ok(first.includes(`href="${address}"`), address)
})

test('no page is larger than 150 kB', () => {
  for (const [address, page] of pages) ok(page.length < 150_000, `${address} has ${page.length}`)
})

test('every operation has one section, three examples and a search entry', () => {
  const all = [...pages.values()].join('\n')
  for (const methods of Object.values(document.paths))
    for (const { operationId } of Object.values(methods)) {
      equal(all.split(`id="${operationId}"`).length - 1, 1, operationId)
      ok(
        site.entries.some((it) => it.a.endsWith(`#${operationId}`)),
        operationId,
      )
    }
  equal(all.split('<div data-language="python">').length - 1, routes.length)
})

test('anchors are unique on a page, and every link within the documentation has a target', () => {
  const anchors = new Map(
    [...pages].map(([address, page]) => [
      address,
      [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!),
    ]),
  )
  for (const [address, ids] of anchors)
    deepEqual(
      ids.filter((it, at) => ids.indexOf(it) !== at),
      [],
      address,
    )
  const files = ['/docs/style.css', '/docs/script.js', '/docs/icon.svg', '/openapi.json', '/llms.txt']
  const broken = [...pages].flatMap(([address, page]) =>
    [...page.matchAll(/href="((?:\/|#)[^"]*)"/g)]
      .map(([, link]) => link!)
      .filter((link) => {
        const [path = '', anchor] = link.split('#')
        const target = path || address
        if (files.includes(target) || (target.endsWith('.md') && site.has(target))) return false
        return !anchors.has(target) || (anchor !== undefined && !anchors.get(target)!.includes(anchor))
      })
      .map((link) => `${address} → ${link}`),
  )
  deepEqual(broken, [])
})

test('search entries lead to existing places', () => {
  for (const { a } of site.entries) {
    const [path = '', anchor] = a.split('#')
    ok(pages.has(path), a)
    if (anchor !== undefined) ok(pages.get(path)!.includes(`id="${anchor}"`), a)
  }
})

test('every error code and every event is in its catalogue', () => {
  for (const code of Object.keys(refusals)) ok(pages.get('/docs/errors')!.includes(`id="${code}"`), code)
  for (const type of Object.keys(events)) ok(pages.get('/docs/event-types')!.includes(`id="${type}"`), type)
})

test('error messages are shown in three languages', () => {
  for (const lang of ['ru', 'uz', 'en'] as const)
    ok(textOf(ask('/docs/errors', { query: { lang } }).body).includes(refusals.cart_empty[lang]))
  ok(textOf(ask('/docs/errors', { query: { lang: 'xx' } }).body).includes(refusals.cart_empty.en))
})

test('every page has a Markdown form, and llms.txt names them', () => {
  const list = ask('/llms.txt').body
  for (const address of site.addresses.filter((it) => it !== '/docs')) {
    match(ask(`${address}.md`).body, /^# .+\n/)
    ok(list.includes(`${origin}${address}.md`), address)
  }
  match(ask('/docs/index.md').body, /^# Bozor API/)
  equal(ask('/docs/brands.md').type, 'text/markdown; charset=utf-8')
})

test('a page that does not exist is refused', () => {
  for (const address of ['/docs/nothing', '/docs/guides/nothing', '/docs/guides/nothing.md'])
    throws(() => ask(address), { code: 'not_found' })
})

test('a reader in a browser gets a page that leads on instead', () => {
  const headers = { accept: 'text/html,application/xhtml+xml' }
  const { status, type, body } = ask('/docs/brand', { headers })
  deepEqual([status, type], [404, 'text/html; charset=utf-8'])
  match(body, /Did you mean <a href="\/docs\/brands">/)
  match(body, /<nav class="side"/)
  doesNotMatch(ask(`/docs/${hostile.replaceAll('/', '')}`, { headers }).body, /<img src=x/)
  throws(() => ask('/docs/guides/nothing.md', { headers }), { code: 'not_found' })
})

test('a sample of an event shows what arrives, in the form of its schema', () => {
  const faultsIn = validatorCompiler()
  for (const type of Object.keys(events) as (keyof typeof events)[]) {
    const sample = eventSample(type)
    const { title: _title, ...schema } = document.components.schemas[`${type}Event`]!
    const components = { schemas: { BuyerId: document.components.schemas['BuyerId'] } }
    deepEqual(faultsIn({ ...schema, components } as never)(sample), [], type)
    doesNotMatch(JSON.stringify(sample), /"text"/, type)
  }
})

test('texts of declarations are shown and never become markup', () => {
  const { body } = ask('/docs/catalog', { from: [hostileRoute] })
  doesNotMatch(body, /<img src=x/)
  equal(body.split('</script>').length - 1, 1)
  ok(textOf(body).includes(hostile))
})

test('an invalid host does not appear in commands', () => {
  for (const given of [`http://x';rm -rf ~;'`, 'http://x"><b>', 'http://x$(id)', 'http://x strange'])
    ok(!ask('/docs', { origin: given }).body.includes(given.slice(8)), given)
  ok(ask('/docs', { origin: 'http://[::1]:8080' }).body.includes('http://[::1]:8080/v1/catalog'))
})

test('the content security policy allows own files only, and the pages have nothing inline', () => {
  const { headers = {} } = ask('/docs')
  const policy = headers['content-security-policy']!
  match(policy, /default-src 'none'/)
  match(policy, /frame-ancestors 'none'/)
  doesNotMatch(policy, /unsafe/)
  for (const page of pages.values())
    doesNotMatch(page, / style=| on[a-z]+="|<style|<script>|(?:src|href)="?(?:https?:)?\/\/(?!shop\.example)/)
})

test('the OpenAPI document names the origin of the request', () => {
  deepEqual(JSON.parse(ask('/openapi.json').body), JSON.parse(JSON.stringify(document)))
})

test('a reader with the current page gets 304', () => {
  const { headers, body } = ask('/docs/brands')
  ok(body.length > 0)
  const again = ask('/docs/brands', { headers: { 'if-none-match': headers!['etag'] } })
  equal(again.status, 304)
  equal(again.body, '')
})

test('pages are compressed for readers that accept it, with an ETag of their own', () => {
  const plain = ask('/docs/orders')
  for (const [accept, encoding, decode] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
  ] as const) {
    const reply = ask('/docs/orders', { headers: { 'accept-encoding': accept } })
    equal(reply.headers!['content-encoding'], encoding)
    equal(decode(reply.bytes!).toString(), plain.body)
    ok(reply.bytes!.length < plain.bytes!.length / 4)
    ok(reply.headers!['etag'] !== plain.headers!['etag'])
  }
})

test('quotes in commands are escaped', () => {
  const made = referenceDocument([hostileRoute], { version: '1', origin })
  const [call] = made.tags.flatMap((it) => operationsOf(made, it.name))
  const { code } = snippetsOf(call!, origin)[0]!
  ok(code.includes(`/v1/catalog/hostile/${encodeURIComponent(hostile).replaceAll("'", `'\\''`)}`), code)
  ok(code.includes(`onerror=alert(1)>\\"'\\''&"`), code)
})

test('templates escape text, keep markup, and keep lines of code', () => {
  equal(html`<p>${'<b>'} ${html`<i>${1}</i>`} ${[false, undefined]}</p>`.text, '<p>&lt;b&gt; <i>1</i> </p>')
  equal(verbatim`a \\\n  ${'b'}`.text, 'a \\\n  b')
  equal(inline('take `x<y` now').text, 'take <code>x&lt;y</code> now')
})

test('code on the pages is the code, without markup', () => {
  const value = { 'a "b"': 'c: \\ "d"', n: [-1.5e-7, true, null], е: '<&>' }
  const [, shown = ''] = /<code>([^]*)<\/code>/.exec(jsonCard('Reply', value).text) ?? []
  equal(textOf(shown), JSON.stringify(value, null, 2))
  ok(!shown.includes('<'))
})
