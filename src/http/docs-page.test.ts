import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { Type } from 'typebox'
import { allRoutes } from '../../test/support/routes.ts'
import { curlCard, jsonCode } from './docs-example.ts'
import { html, inline, verbatim } from './docs-html.ts'
import { callsOf } from './docs-operation.ts'
import { docsHtml, docsPages } from './docs-page.ts'
import { openApi } from './openapi.ts'
import { refusals } from './refusals.ts'
import { post, type Route } from './route.ts'
import { strict, text } from './schema.ts'
import type { PageReply, PageRequest } from './server.ts'

const routes = await allRoutes()
const origin = 'https://shop.example'
const document = openApi(routes, { version: '1.2.3', origin })
const page = docsHtml(document, 'en')

const ask = (
  from: Route[] = routes,
  asked: { origin?: string; query?: object; headers?: object } = {},
): PageReply => {
  const { origin: known = origin, query = {}, headers = {} } = asked
  const request = { asked: { origin: known }, query, headers } as unknown as PageRequest['request']
  const docs = docsPages(from, '1.2.3').find((it) => it.path === '/docs')!
  return docs.run({ params: {}, form: {}, request }) as PageReply
}

const hostile = `</script><img src=x onerror=alert(1)>"'&`
const hostileRoute = post('/v1/catalog/hostile/{name}', {
  summary: hostile,
  description: hostile,
  scope: 'catalog:write',
  params: { name: text({ description: hostile, examples: [hostile] }) },
  body: strict({ [hostile]: text({ description: hostile, examples: [hostile] }) }),
  reply: Type.Object({ [hostile]: Type.String({ examples: [hostile] }) }),
  run: () => Promise.reject(new Error('nobody calls it')),
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

test('every call has its place, a link in the menu and a line to paste', () => {
  for (const methods of Object.values(document.paths))
    for (const { operationId, summary } of Object.values(methods)) {
      ok(page.includes(`id="${operationId}"`), `${summary} has no anchor`)
      ok(page.includes(`href="#${operationId}"`), `${summary} has no link`)
    }
  equal(page.split('figcaption>Shell').length - 1, routes.length)
})

test('no two things have one anchor, and every link within the page leads somewhere', () => {
  const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!)
  deepEqual(
    ids.filter((it, at) => ids.indexOf(it) !== at),
    [],
  )
  const known = new Set(ids)
  const links = [...page.matchAll(/href="(?:\?[^"#]*)?#([^"]+)"/g)].map(([, id]) => id!)
  deepEqual(
    links.filter((it) => !known.has(it)),
    [],
  )
})

test('every code that a call may refuse with stands in the catalogue', () => {
  for (const code of Object.keys(refusals)) ok(page.includes(`id="${code}"`), code)
})

test('the sentences of refusals come in three languages', () => {
  for (const lang of ['ru', 'uz', 'en'] as const)
    ok(textOf(ask(routes, { query: { lang } }).body).includes(refusals.not_found[lang]))
  ok(textOf(ask(routes, { query: { lang: 'xx' } }).body).includes(refusals.not_found.en))
})

test('whatever the tables say is shown and never becomes markup', () => {
  const { body } = ask([hostileRoute])
  doesNotMatch(body, /<img/)
  equal(body.split('</script>').length - 1, 1)
  ok(textOf(body).includes(hostile))
})

test('a host that is no host does not get into lines that people paste', () => {
  for (const origin of [`http://x';rm -rf ~;'`, 'http://x"><b>', 'http://x$(id)', 'http://x strange'])
    ok(!ask(routes, { origin }).body.includes(origin.slice(8)), origin)
  ok(ask(routes, { origin: 'http://[::1]:8080' }).body.includes('http://[::1]:8080/v1/catalog'))
})

test('the page allows its own style and script and nothing else', () => {
  const { headers = {}, body } = ask()
  const policy = headers['content-security-policy']!
  for (const kind of ['style', 'script']) {
    const [, inside = ''] = new RegExp(`<${kind}>([^]*?)</${kind}>`).exec(body) ?? []
    const hash = createHash('sha256').update(inside).digest('base64')
    ok(policy.includes(`${kind}-src 'sha256-${hash}'`), kind)
  }
  match(policy, /default-src 'none'/)
  match(policy, /frame-ancestors 'none'/)
  doesNotMatch(body, / style=| on[a-z]+=|(?:src|href)="?(?:https?:)?\/\/(?!shop\.example)/)
})

test('the document for programs names the address by which they know us', () => {
  const served = docsPages(routes, '1.2.3').find((it) => it.path === '/openapi.json')!
  const request = { asked: { origin }, query: {}, headers: {} } as unknown as PageRequest['request']
  deepEqual(
    JSON.parse((served.run({ params: {}, form: {}, request }) as PageReply).body),
    JSON.parse(JSON.stringify(document)),
  )
})

test('a reader who holds the page is told that it is still right', () => {
  const { headers, body } = ask()
  ok(body.length > 0)
  const again = ask(routes, { headers: { 'if-none-match': headers!['etag'] } })
  equal(again.status, 304)
  equal(again.body, '')
})

test('the page stays light', () => {
  ok(Buffer.byteLength(page) < 60_000 + routes.length * 9_000, `${Buffer.byteLength(page)} bytes`)
})

test('a pasted line keeps its quotes', () => {
  const made = openApi([hostileRoute], { version: '1', origin })
  const [call] = made.tags.flatMap((it) => callsOf(made, it.name))
  const line = textOf(curlCard(call!, origin).text)
  ok(line.includes(`/v1/catalog/hostile/${encodeURIComponent(hostile).replaceAll("'", `'\\''`)}`), line)
  ok(line.includes(`onerror=alert(1)>\\"'\\''&"`), line)
})

test('text is escaped, markup of ours is not, and code keeps its lines', () => {
  equal(html`<p>${'<b>'} ${html`<i>${1}</i>`} ${[false, undefined]}</p>`.text, '<p>&lt;b&gt; <i>1</i> </p>')
  equal(verbatim`a \\\n  ${'b'}`.text, 'a \\\n  b')
  equal(inline('take `x<y` now').text, 'take <code>x&lt;y</code> now')
})

test('coloured JSON reads as the JSON that it is', () => {
  const value = { 'a "b"': 'c: \\ "d"', n: [-1.5e-7, true, null], е: '<&>' }
  equal(textOf(jsonCode(value).text), JSON.stringify(value, null, 2))
})
