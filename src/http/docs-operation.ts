// One call in the reference: what it takes and what it gives on the left, a line to paste and its reply on the right.

import { STATUS_CODES } from 'node:http'
import { type Call, card, curlCard, jsonCode } from './docs-example.ts'
import { Html, html, inline, joined, prose } from './docs-html.ts'
import { type Field, fieldList, fieldsOf, nameIn, type View } from './docs-schema.ts'
import { commonHeaders } from './openapi-headers.ts'
import type { OpenApi, Operation, Parameter, Reference, Reply } from './openapi.ts'
import type { Language } from './language.ts'
import { type RefusalCode, refusals } from './refusals.ts'

export interface Reading {
  document: OpenApi
  origin: string
  /** The language of the sentences of refusals. */
  language: Language
  /** Codes that every call of this kind may give; the guide tells them once. */
  usualCodes: (call: Call) => ReadonlySet<RefusalCode>
  /** Names of shapes that the page has opened already: each is told once. */
  told: Set<string>
}

/** The calls of a tag in the order of the document. */
export const callsOf = (document: OpenApi, tag: string): Call[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
        parameters: operation.parameters.map((it) => resolved<Parameter>(document, it)),
      })),
  )

function resolved<T>(document: OpenApi, it: T | Reference): T {
  const { $ref } = it as Partial<Reference>
  if ($ref === undefined) return it as T
  return $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((place, name) => (place as Record<string, unknown>)[name], document) as T
}

/** Codes a call may refuse with, as its replies tell them. */
const codesOf = (document: OpenApi, operation: Operation): RefusalCode[] =>
  Object.values(operation.responses)
    .map((it) => resolved<Reply>(document, it).content?.['application/json']?.examples ?? {})
    .flatMap((it) => Object.keys(it) as RefusalCode[])

/** Calls of one kind are refused alike: reads, writes, and writes with a body. */
export function usualCodes(document: OpenApi): Reading['usualCodes'] {
  const kindOf = ({ method, operation }: Call) =>
    `${method === 'GET'} ${Object.keys(operation.requestBody?.content ?? {}).join(' ')}`
  const calls = document.tags.flatMap((it) => callsOf(document, it.name))
  const usual = new Map<string, Set<RefusalCode>>()
  for (const [kind, its] of Map.groupBy(calls, kindOf)) {
    const lists = its.map((it) => codesOf(document, it.operation))
    usual.set(kind, new Set(lists[0]!.filter((code) => lists.every((it) => it.includes(code)))))
  }
  return (call) => usual.get(kindOf(call)) ?? new Set()
}

export const badge = (method: string): Html =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>`

/** A path whose parts in braces stand out, and which may break where a part ends. */
export const pathCode = (path: string): Html =>
  html`<code class="path"
    >${path.split(/(\{\w+\})/).map((it, at) => (at % 2 === 1 ? html`<em>${it}</em>` : it.split(/(?<=\/)/).map((part) => html`${part}<wbr />`)))}</code
  >`

export function operationSection(call: Call, reading: Reading): Html {
  const { operation, method, path } = call
  const [status, reply] = successOf(reading.document, operation)
  return html`<section class="row" id="${operation.operationId}">
    <div class="words">
      <h3><a href="#${operation.operationId}">${operation.summary}</a></h3>
      <p class="address">${badge(method)} ${pathCode(path)}</p>
      ${operation.description !== undefined && prose(operation.description)}
      ${needsOf(call)}${inputOf(call, reading)}${replyOf(status, reply, reading)}${refusalsTable(call, reading)}
    </div>
    <div class="code">
      ${curlCard(call, reading.origin)}
      ${reply.content && card('Reply', replyCode(reply.content), `${status} ${STATUS_CODES[status] ?? ''}`)}
    </div>
  </section>`
}

/** An example as it comes: JSON in its colours, a stream as it is. */
function replyCode(content: NonNullable<Reply['content']>): Html | string {
  const [{ example } = {}] = Object.values(content)
  return typeof example === 'string' ? example : jsonCode(example)
}

function successOf(document: OpenApi, operation: Operation): [string, Reply] {
  const [status = '', reply] = Object.entries(operation.responses).find(([it]) => it < '300') ?? []
  return [status, resolved<Reply>(document, reply!)]
}

const sectionsOfHeaders: Record<string, string> = {
  'Idempotency-Key': 'idempotency',
  Prefer: 'dry-run',
  'If-Match': 'versions',
  'If-None-Match': 'versions',
}

const people: Record<string, string> = {
  clientSession: 'none; a buyer who has signed in',
  memberSession: 'none; a member who has signed in',
}

/** The right it takes and the headers it knows; those that every call knows stand in the guide. */
function needsOf({ operation, parameters }: Call): Html {
  const scopes = [...new Set(operation.security.flatMap((it) => Object.values(it).flat()))]
  const [way = 'nobody'] = operation.security.flatMap(Object.keys)
  const common = new Set(Object.values(commonHeaders).map((it) => it.name))
  const own = parameters.filter((it) => it.in === 'header' && !common.has(it.name))
  const links = own.map(
    ({ name }) => html`<a href="#${sectionsOfHeaders[name] ?? 'headers'}"><code>${name}</code></a>`,
  )
  return html`<dl class="needs">
    <div>
      <dt>Scope</dt>
      <dd>
        ${
          scopes.length > 0
            ? joined(
                scopes.map((it) => html`<a href="#authentication"><code>${it}</code></a>`),
                ' ',
              )
            : (people[way] ?? 'none; open to everybody')
        }
      </dd>
    </div>
    <div>
      <dt>Headers</dt>
      <dd>${joined(links, ' ')} <a href="#headers">and those of every call</a></dd>
    </div>
  </dl>`
}

function inputOf({ operation, parameters }: Call, { document, told }: Reading): Html {
  const view: View = { resolve: (shape) => resolved(document, shape), told, side: 'sent' }
  const inPlace = (place: string): Field[] =>
    parameters
      .filter((it) => it.in === place)
      .map(({ name, schema, required, description }) => ({ name, shape: schema, required, description }))
  const body = operation.requestBody?.content['application/json']?.schema
  const part = (title: string, fields: Field[]) =>
    fields.length > 0 &&
    html`<h4>${title}</h4>
      ${fieldList(fields, view)}`
  return html`${part('Path', inPlace('path'))}${part('Query', inPlace('query'))}${
    body && part('Body', fieldsOf(body, view))
  }${
    body?.minProperties !== undefined &&
    html`<p class="note">At least ${body.minProperties === 1 ? 'one' : body.minProperties} of them.</p>`
  }`
}

/** The fields of `data`: the envelope around it is always the same. */
function replyOf(status: string, reply: Reply, { document, told }: Reading): Html {
  const view: View = { resolve: (shape) => resolved(document, shape), told, side: 'received' }
  const data = reply.content?.['application/json']?.schema.properties?.['data']
  const name = data && nameIn(data)
  const isTold = name !== undefined && told.has(name)
  if (name !== undefined) told.add(name)
  const fields = data && !isTold ? fieldsOf(data, view) : []
  return html`<h4${name !== undefined && !isTold && html` id="shape-${name}"`}>Reply <span class="status">${status}</span></h4>
    ${
      isTold &&
      html`<p class="note">
        In <a href="#envelope"><code>data</code></a
        >: <a href="#shape-${name}">${name}</a>
      </p>`
    }${
      fields.length > 0 &&
      html`<p class="note">
          In <a href="#envelope"><code>data</code></a
          >:
        </p>
        ${fieldList(fields, view)}`
    }`
}

function refusalsTable(call: Call, { document, usualCodes: usual, language }: Reading): Html {
  const codes = codesOf(document, call.operation)
  const own = codes.filter((it) => !usual(call).has(it))
  const links = codes
    .filter((it) => usual(call).has(it))
    .map((it) => html`<a href="#${it}"><code>${it}</code></a>`)
  return html`<h4>Refusals</h4>
    ${own.length > 0 && codeTable(own, language)}
    <p class="note">
      ${own.length > 0 ? 'And what' : 'What'} every ${call.method === 'GET' ? 'read' : 'such write'} may say:
      ${joined(links, ' ')}
    </p>`
}

const codeTable = (codes: RefusalCode[], language: Language): Html =>
  html`<table class="codes">
    <thead>
      <tr>
        <th scope="col">Status</th>
        <th scope="col">Code</th>
        <th scope="col">Meaning</th>
      </tr>
    </thead>
    <tbody>
      ${codes.map(
        (it) =>
          html`<tr>
            <td><span class="status">${refusals[it].status}</span></td>
            <td>
              <a href="#${it}"><code>${it}</code></a>
            </td>

            <td lang=${language}>${inline(refusals[it][language])}</td>
          </tr> `,
      )}
    </tbody>
  </table>`
