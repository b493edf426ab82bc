// One operation in the reference: input, reply and errors on the left; the call in three languages, a panel that sends it,
// and an example of the reply on the right.

import { STATUS_CODES } from 'node:http'
import { card, jsonCard } from './code.ts'
import { Html, html, inline, joined, prose } from '../http/html.ts'
import type { PageContext } from './page-context.ts'
import { type Field, fieldList, fieldsOf, nameIn, type View } from './schema.ts'
import { type Call, formType, isInSdk, type SignIn, signInOf, snippetsOf } from './snippets.ts'
import { slugOf } from './tags.ts'
import { tryPanel } from './try-panel.ts'
import { commonHeaders } from '../http/openapi-headers.ts'
import type { OpenApi, Operation, Parameter, Reference, ResponseObject } from '../http/openapi.ts'
import type { Language } from '../http/language.ts'
import { type RefusalCode, refusals } from '../http/refusals.ts'

/** The operations of a tag, in the order of the document. */
export const operationsOf = (document: OpenApi, tag: string): Call[] =>
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

export function resolved<T>(document: OpenApi, it: T | Reference): T {
  const { $ref } = it as Partial<Reference>
  if ($ref === undefined) return it as T
  return $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((place, name) => (place as Record<string, unknown>)[name], document) as T
}

/** The error codes of an operation, from the examples of its responses. */
export const codesOf = (document: OpenApi, operation: Operation): RefusalCode[] =>
  Object.values(operation.responses)
    .map((it) => resolved<ResponseObject>(document, it).content?.['application/json']?.examples ?? {})
    .flatMap((it) => Object.keys(it) as RefusalCode[])

/** Operations of one kind (reads, writes, writes with a body) share most error codes. */
export function commonCodes(document: OpenApi): PageContext['commonCodes'] {
  const kindOf = ({ method, operation }: Call) =>
    `${method === 'GET'} ${Object.keys(operation.requestBody?.content ?? {}).join(' ')}`
  const calls = document.tags.flatMap((it) => operationsOf(document, it.name)).filter(isInSdk)
  const byKind = new Map<string, Set<RefusalCode>>()
  for (const [kind, its] of Map.groupBy(calls, kindOf)) {
    const lists = its.map((it) => codesOf(document, it.operation))
    byKind.set(kind, new Set(lists[0]!.filter((code) => lists.every((it) => it.includes(code)))))
  }
  return (call) => byKind.get(kindOf(call)) ?? new Set()
}

export const badge = (method: string): Html =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>`

/** Emphasizes parameters, and allows line breaks after slashes. */
export const pathCode = (path: string): Html =>
  html`<code class="path"
    >${path.split(/(\{\w+\})/).map((it, at) => (at % 2 === 1 ? html`<em>${it}</em>` : it.split(/(?<=\/)/).map((part) => html`${part}<wbr />`)))}</code
  >`

export function operationSection(call: Call, context: PageContext): Html {
  const { operation, method, path } = call
  const [status, reply] = successOf(context.document, operation)
  return html`<section class="row" id="${operation.operationId}">
    <div class="words">
      <h2><a href="#${operation.operationId}">${operation.summary}</a></h2>
      <p class="address">${badge(method)} ${pathCode(path)}</p>
      ${prose(operation.description)}
      ${needsOf(call)}${inputOf(call, context)}${replyOf(status, reply, context)}${refusalsTable(call, context)}
    </div>
    <div class="code">
      ${snippetTabs(call, context.origin)} ${beforeNote(call, context)} ${tryPanel(call, context.document)}
      ${reply.content && replyCard(reply.content, `${status} ${STATUS_CODES[status] ?? ''}`)}
    </div>
  </section>`
}

/** What to do before the example works: a fresh demo shop does not have the objects that it names. */
function beforeNote(call: Call, { document }: PageContext): Html | false {
  const { operation } = call
  const signIn = signInOf(call)
  // The example signs in itself.
  const needs = (operation['x-example']?.needs ?? []).filter(
    (it) => it.field !== undefined || it.operation !== signIn?.operation,
  )
  const links = needs.map(({ operation: name, field }) => {
    const other = operationNamed(document, name)
    const address =
      other.tags[0] === operation.tags[0] ? `#${name}` : `/docs/${slugOf(other.tags[0]!)}#${name}`
    const use = field && html`, which gives <code>${field}</code>`
    return html`<a href="${address}">${other.summary}</a>${use}`
  })
  const first = needs.length > 0 && html`<p class="before">First: ${joined(links, '; ')}.</p>`
  return signIn ? html`${signInNote(signIn)}${first}` : first
}

/** Where the values of the variables come from. */
function signInNote({ variables, byApplication }: SignIn): Html {
  const names = Object.values(variables).map((it) => html`<code>${it}</code>`)
  const whose = byApplication
    ? html`a client: <a href="/docs/sign-in#auth.register">register</a> one`
    : html`a member of the dashboard`
  return html`<p class="before">${joined(names, ' and ')} are those of ${whose}.</p>`
}

const operationNamed = (document: OpenApi, name: string): Operation =>
  Object.values(document.paths)
    .flatMap((it) => Object.values(it))
    .find((it) => it.operationId === name)!

/** Without the script all three languages are shown. */
const snippetTabs = (call: Call, origin: string): Html =>
  html`<div class="tabs">
    ${snippetsOf(call, origin).map(
      (it) => html`<div data-language="${it.language}">${card(it.title, it)}</div>`,
    )}
  </div>`

function replyCard(content: NonNullable<ResponseObject['content']>, status: string): Html {
  const [{ example } = {}] = Object.values(content)
  return typeof example === 'string'
    ? card('Reply', { code: example, language: '', status })
    : jsonCard('Reply', example, status)
}

export function successOf(document: OpenApi, operation: Operation): [string, ResponseObject] {
  const [status = '', reply] = Object.entries(operation.responses).find(([it]) => it < '400') ?? []
  return [status, resolved<ResponseObject>(document, reply!)]
}

const guidesOfHeaders: Record<string, string> = {
  'Idempotency-Key': '/docs/guides/idempotency',
  Prefer: '/docs/guides/conventions#dry-run',
  'If-Match': '/docs/guides/versioning#versions-of-resources',
  'If-None-Match': '/docs/guides/versioning#versions-of-resources',
}

const headersGuide = '/docs/guides/conventions#headers-of-every-call'
const envelopeGuide = '/docs/guides/conventions#replies'

const sessions: Record<string, string> = {
  clientSession: 'none; needs the session of a client',
  memberSession: 'none; needs the session of a member',
}

/** Required scope and headers; the guide describes headers of every operation. */
function needsOf({ operation, parameters }: Call): Html {
  const scopes = [...new Set(operation.security.flatMap((it) => Object.values(it).flat()))]
  const [scheme = 'none'] = operation.security.flatMap(Object.keys)
  const common = new Set(Object.values(commonHeaders).map((it) => it.name))
  const own = parameters.filter((it) => it.in === 'header' && !common.has(it.name))
  const links = own.map(
    ({ name }) => html`<a href="${guidesOfHeaders[name] ?? headersGuide}"><code>${name}</code></a>`,
  )
  return html`<dl class="needs">
    <div>
      <dt>Scope</dt>
      <dd>
        ${
          scopes.length > 0
            ? joined(
                scopes.map((it) => html`<a href="/docs/guides/authentication#scopes"><code>${it}</code></a>`),
                ' ',
              )
            : (sessions[scheme] ?? 'none; no credential needed')
        }
      </dd>
    </div>
    <div>
      <dt>Headers</dt>
      <dd>
        ${joined(links, ' ')}
        <a href="${headersGuide}">${own.length > 0 ? 'and the' : 'the'} headers of every call</a>
      </dd>
    </div>
  </dl>`
}

function inputOf({ operation, parameters }: Call, { document, describedSchemas }: PageContext): Html {
  const view: View = { resolve: (shape) => resolved(document, shape), describedSchemas, side: 'sent' }
  const inPlace = (place: string): Field[] =>
    parameters
      .filter((it) => it.in === place)
      .map(({ name, schema, required, description }) => ({ name, shape: schema, required, description }))
  const content = operation.requestBody?.content
  const body = (content?.['application/json'] ?? content?.[formType])?.schema
  const part = (title: string, fields: Field[]) =>
    fields.length > 0 &&
    html`<h3>${title}</h3>
      ${fieldList(fields, view)}`
  return html`${part('Path', inPlace('path'))}${part('Query', inPlace('query'))}${
    body && part('Body', fieldsOf(body, view))
  }${
    body?.minProperties !== undefined &&
    html`<p class="note">At least ${body.minProperties === 1 ? 'one' : body.minProperties} of them.</p>`
  }`
}

/** The fields of `data`; the guide describes the envelope. */
function replyOf(status: string, reply: ResponseObject, { document, describedSchemas }: PageContext): Html {
  const view: View = { resolve: (shape) => resolved(document, shape), describedSchemas, side: 'received' }
  const schema = reply.content?.['application/json']?.schema
  const data = schema?.properties?.['data']
  const isBare = schema !== undefined && data === undefined
  const name = data && nameIn(data)
  const isDescribed = name !== undefined && describedSchemas.has(name)
  if (name !== undefined) describedSchemas.add(name)
  const shown = data ?? schema
  const fields = shown && !isDescribed ? fieldsOf(shown, view) : []
  return html`<h3${name !== undefined && !isDescribed && html` id="shape-${name}"`}>Reply <span class="status">${status}</span></h3>
    ${
      isDescribed &&
      html`<p class="note">
        In <a href="${envelopeGuide}"><code>data</code></a
        >: <a href="#shape-${name}">${name}</a>
      </p>`
    }${
      fields.length > 0 &&
      html`${
        !isBare &&
        html`<p class="note">
          In <a href="${envelopeGuide}"><code>data</code></a
          >:
        </p>`
      }
      ${fieldList(fields, view)}`
    }`
}

/** Errors of OAuth have no envelope and codes of their own. */
function protocolErrors({ operation }: Call, document: OpenApi): Html {
  const rows = Object.entries(operation.responses).filter(([status]) => status >= '400')
  return html`<h3>Errors</h3>
    <table class="codes">
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col"><code>error</code></th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(([status, it]) => {
          const { description, content } = resolved<ResponseObject>(document, it)
          const codes = content?.['application/json']?.schema.properties?.['error']?.enum ?? []
          return html`<tr>
            <td><span class="status">${status}</span></td>
            <td>
              ${joined(
                codes.map((code) => html`<code>${String(code)}</code>`),
                ' ',
              )}
            </td>
            <td>${inline(description)}</td>
          </tr>`
        })}
      </tbody>
    </table>`
}

/** A code is explained where the page names it first, and so are the codes that all calls of a kind share. */
function refusalsTable(call: Call, context: PageContext): Html {
  const { document, describedCodes, language } = context
  if (!isInSdk(call)) return protocolErrors(call, document)
  const common = context.commonCodes(call)
  const own = codesOf(document, call.operation).filter((it) => !common.has(it))
  const fresh = own.filter((it) => !describedCodes.has(it))
  const known = own.filter((it) => describedCodes.has(it))
  for (const it of fresh) describedCodes.add(it)
  return html`<h3>Errors</h3>
    ${fresh.length > 0 && codeTable(fresh, language)}
    ${known.length > 0 && html`<p class="note">${fresh.length > 0 && 'Also '}${codeLinks(known)}</p>`}
    ${commonErrors(call, own.length > 0 ? 'And the' : 'The', context)}`
}

const codeLinks = (codes: RefusalCode[]): Html =>
  joined(
    codes.map((it) => html`<a href="/docs/errors#${it}"><code>${it}</code></a>`),
    ' ',
  )

function commonErrors(call: Call, start: string, { commonCodes: common, commonLists }: PageContext): Html {
  const codes = common(call)
  const kind = `errors of every ${call.method === 'GET' ? 'read' : 'such write'}`
  const listed = commonLists.get(codes)
  if (listed !== undefined) return html`<p class="note">${start} <a href="#${listed}">${kind}</a></p>`
  const anchor = `errors-${commonLists.size + 1}`
  commonLists.set(codes, anchor)
  return html`<p class="note" id="${anchor}">${start} ${kind}: ${codeLinks([...codes])}</p>`
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
            <td>${codeLinks([it])}</td>
            <td lang=${language}>${inline(refusals[it][language])}</td>
          </tr> `,
      )}
    </tbody>
  </table>`
