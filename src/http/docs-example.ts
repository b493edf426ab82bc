// The dark column: lines to paste, and replies to look at.

import { type Html, html, joined, verbatim } from './docs-html.ts'
import { exampleOf } from './openapi-example.ts'
import type { Operation, Parameter } from './openapi.ts'

/** The shell variable that lines take the key from; the page puts the reader's own key in its place. */
const keyVariable = '$BOZOR_KEY'
export const bearer = verbatim`-H "Authorization: Bearer <span class=key>${keyVariable}</span>"`
export const asJson = `-H 'Content-Type: application/json'`

/** A titled piece of code. It can be scrolled, so it can be reached by the keyboard. */
export const card = (title: string, code: Html | string, status = ''): Html =>
  html`<figure class="card">
    <figcaption>${title} ${status && html`<span class="status">${status}</span>`}</figcaption>
    <pre tabindex="0"><code>${code}</code></pre>
  </figure>`

/** A command, a line for each of its words. */
export const shellCard = (title: string, ...words: (Html | string)[]): Html =>
  html`<div class="shell">${card(title, joined(words, ' \\\n  '))}</div>`

/** JSON with its colours. Three old one-letter elements do it: a class on every token would double the page. */
export function jsonCode(value: unknown): Html {
  const text = JSON.stringify(value, null, 2)
  const token = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*|true|false|null)/g
  const parts: (Html | string)[] = []
  let done = 0
  for (const found of text.matchAll(token)) {
    const [all, string = '', colon, literal] = found
    parts.push(text.slice(done, found.index))
    if (literal !== undefined) parts.push(verbatim`<u>${literal}</u>`)
    else if (colon === undefined) parts.push(verbatim`<i>${string}</i>`)
    else parts.push(verbatim`<b>${string}</b>${colon}`)
    done = found.index + all.length
  }
  return verbatim`${[...parts, text.slice(done)]}`
}

export interface Call {
  method: string
  path: string
  operation: Operation
  parameters: Parameter[]
}

/** The call as a line of curl that works when it is pasted. */
export function curlCard({ operation, ...call }: Call, origin: string): Html {
  const [type = '', body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const sends = body !== undefined
  const isStream = sends && typeof body.example === 'string'
  const isPlain = call.method === 'GET' || (call.method === 'POST' && sends)
  const takesKey = call.parameters.some((it) => it.name === 'Idempotency-Key')
  const address = quoted(origin + addressOf(call))
  return shellCard(
    'Shell',
    ...(isPlain ? [`curl ${address}`] : [`curl -X ${call.method}`, address]),
    ...credentialOf(operation, call.method, origin),
    ...(sends ? [`-H 'Content-Type: ${type}'`] : []),
    ...(takesKey ? [`-H "Idempotency-Key: ${kebab(operation.summary)}-$(date +%s)"`] : []),
    ...(isStream ? ['--data-binary @records.ndjson'] : []),
    ...(sends && !isStream ? [`-d ${quoted(JSON.stringify(body.example, null, 2))}`] : []),
  )
}

/** A key where one will do, else the cookie that a sign-in has left in a file. */
function credentialOf({ security }: Operation, method: string, origin: string): (string | Html)[] {
  const [way] = security.flatMap(Object.keys)
  if (way === undefined) return []
  if (!way.endsWith('Session')) return [bearer]
  return ['-b cookies.txt', ...(method === 'GET' ? [] : [`-H 'Origin: ${origin}'`])]
}

/** The path with example ids in it; the query has what must be there, and few rows. */
function addressOf({ path, parameters }: Pick<Call, 'path' | 'parameters'>): string {
  const example = (it: Parameter) => encodeURIComponent(String(exampleOf(it.schema)))
  const filled = parameters
    .filter((it) => it.in === 'path')
    .reduce((text, it) => text.replace(`{${it.name}}`, example(it)), path)
  const query = parameters
    .filter((it) => it.in === 'query' && (it.required || it.name === 'per_page'))
    .map((it) => `${it.name}=${it.required ? example(it) : 3}`)
  return query.length > 0 ? `${filled}?${query.join('&')}` : filled
}

const quoted = (text: string): string =>
  /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

const kebab = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
