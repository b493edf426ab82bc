// The content of the pages.

import { events, type EventType } from '../events.ts'
import { type Html, html, inline } from '../http/html.ts'
import { type Language, languages } from '../http/language.ts'
import { errorExample } from '../http/openapi-errors.ts'
import { type RefusalCode, refusals } from '../http/refusals.ts'
import { card, jsonCard } from './code.ts'
import { errorAdvice } from './error-advice.ts'
import { eventSample } from './event-schemas.ts'
import { anchorOf, type Guide, markdownHtml } from './markdown.ts'
import { badge, operationSection, pathCode } from './operation.ts'
import type { PageContext, SiteContext } from './page-context.ts'
import { keyVariable } from './snippets.ts'
import { menuOf, operationAddress, type Resource, resourcesOf } from './site.ts'

const starts = [
  ['Server-to-Server', 'quick-start-server', 'Import a catalog, place orders, receive webhooks.'],
  ['Web', 'quick-start-web', 'A shop in the browser, with sessions and OAuth.'],
  ['Mobile', 'quick-start-mobile', 'An application with PKCE and refresh tokens.'],
  ['Mini-App', 'quick-start-mini-app', 'A shop page inside another application.'],
] as const

export function homeContent(context: SiteContext): Html {
  const { document, origin } = context
  return html`<section class="row hero">
      <div class="words">
        <h1>Bozor API</h1>
        <p class="lead">${document.info.description.split('\n\n')[0]!}</p>
        <ul class="starts">
          ${starts.map(
            ([name, slug, text]) =>
              html`<li>
                <a href="/docs/guides/${slug}"><strong>${name}</strong><span>${text}</span></a>
              </li>`,
          )}
        </ul>
      </div>
      <div class="code">
        ${card('Shell', {
          language: 'sh',
          code: `curl -G ${origin}/v1/catalog/products/search \\\n  -d q=smartphone -d per_page=2 \\\n  -H "Authorization: Bearer $BOZOR_KEY"`,
        })}
        ${card('TypeScript', {
          language: 'ts',
          code: `import { createBozor } from 'bozor/sdk'

const bozor = createBozor({
  baseUrl: '${origin}',
  apiKey: ${keyVariable},
})

const found = bozor.products.search({ q: 'smartphone' })
for await (const product of found) {
  console.log(product.name)
}`,
        })}
      </div>
    </section>
    <section class="plain" aria-labelledby="all-pages">
      <h2 id="all-pages">Everything</h2>
      <div class="map">
        ${menuOf(context).map(
          ({ name, links }) =>
            html`<div>
              <h3>${name}</h3>
              <ul>
                ${links.map((it) => html`<li><a href="${it.address}">${it.title}</a></li>`)}
              </ul>
            </div>`,
        )}
      </div>
    </section>`
}

export const guideContent = (guide: Guide): Html =>
  html`<article class="guide">
    <h1>${guide.title}</h1>
    ${markdownHtml(guide.markdown)}
  </article>`

export function resourceContent(resource: Resource, context: PageContext): Html {
  return html`<section class="row hero">
      <div class="words">
        <p class="chapter">${resource.group}</p>
        <h1>${resource.name}</h1>
        <p class="lead">${resource.description}</p>
      </div>
      <div class="code">
        <nav class="card calls" aria-label="Calls of ${resource.name}">
          <ul>
            ${resource.calls.map(
              ({ operation, method, path }) =>
                html`<li><a href="#${operation.operationId}">${badge(method)} ${pathCode(path)}</a></li>`,
            )}
          </ul>
        </nav>
      </div>
    </section>
    ${resource.calls.map((it) => operationSection(it, context))}`
}

const languageNames: Record<Language, string> = { ru: 'Русский', uz: 'O‘zbekcha', en: 'English' }

export function errorsContent(language: Language): Html {
  const links = languages.map((it) =>
    it === language
      ? html`<b lang="${it}" aria-current="true">${languageNames[it]}</b> `
      : html`<a lang="${it}" hreflang="en" href="?lang=${it}">${languageNames[it]}</a> `,
  )
  return html`<section class="plain">
      <h1>Errors</h1>
      <p class="lead">
        Programs use <code>code</code>, which never changes; people read <code>message</code>, which follows
        <code>Accept-Language</code>. <code>details</code> says what is wrong and where, with the figures.
      </p>
      <p>
        After 429 and 503 wait <code>Retry-After</code> seconds and repeat the request. A 500 is a defect of
        the server: report its <code>request_id</code>. Rules of the shop list every violation with a
        <code>remedy</code>: a change that would be accepted.
      </p>
      <p class="languages">Messages in ${links}</p>
    </section>
    ${(Object.keys(refusals) as RefusalCode[]).map((code) => errorSection(code, language))}`
}

function errorSection(code: RefusalCode, language: Language): Html {
  const { status, type } = refusals[code]
  const advice = errorAdvice[code]
  return html`<section class="row small" id="${code}">
    <div class="words">
      <h2>
        <a href="#${code}"><code>${code}</code></a> <span class="status">${status}</span>
      </h2>
      <p lang="${language}">${refusals[code][language]}</p>
      <dl class="needs">
        <div>
          <dt>Cause</dt>
          <dd>${inline(advice.cause)}</dd>
        </div>
        <div>
          <dt>Remedy</dt>
          <dd>${inline(advice.remedy)}</dd>
        </div>
        <div>
          <dt>Type</dt>
          <dd><code>${type}</code></dd>
        </div>
      </dl>
    </div>
    <div class="code">
      ${jsonCard('Error', { error: { ...errorExample(code).value.error, message: refusals[code][language] } }, String(status))}
    </div>
  </section>`
}

export function eventsContent(): Html {
  const modules = Map.groupBy(Object.keys(events) as EventType[], (it) => events[it].module)
  return html`<section class="plain">
      <h1>Events</h1>
      <p class="lead">
        Every change is published as a CloudEvents 1.0 event, in the transaction of the change. Webhooks, the
        list, the stream and the message bus have the same ids and bodies:
        <a href="/docs/guides/webhooks">how to receive them</a>.
      </p>
      <ul class="inline-list">
        ${[...modules.keys()].map((it) => html`<li><a href="#module-${it}">${it}</a></li>`)}
      </ul>
    </section>
    ${[...modules].map(
      ([module, types]) =>
        html`<section class="plain" id="module-${module}">
          <h2><a href="#module-${module}">${module}</a></h2>
          ${types.map(
            (type) =>
              html`<details class="event" id="${type}">
                <summary><code>${type}</code> <span>${inline(events[type].description)}</span></summary>
                ${jsonCard(type, eventSample(type))}
              </details>`,
          )}
        </section>`,
    )}`
}

export interface SearchEntry {
  /** The title that the list of results shows. */
  t: string
  /** The path of the page, with the heading after `#` if there is one. */
  a: string
  /** What it is or belongs to, such as `guide`, `POST` or `event`; shown beside the title. */
  k: string
  /** Words that find it besides the title. */
  w: string
}

/** Everything that can be found: pages, headings of guides, operations, error codes, events. */
export function searchEntries(context: SiteContext): SearchEntry[] {
  const guides = context.guides.flatMap((it) => [
    { t: it.title, a: `/docs/guides/${it.slug}`, k: 'guide', w: it.summary },
    ...[...it.markdown.matchAll(/^## (.+)$/gm)].map(([, title = '']) => ({
      t: title,
      a: `/docs/guides/${it.slug}#${anchorOf(title)}`,
      k: it.title,
      w: '',
    })),
  ])
  const resources = resourcesOf(context.document).flatMap((it) => [
    { t: it.name, a: `/docs/${it.slug}`, k: it.group, w: it.description },
    ...it.calls.map((call) => ({
      t: call.operation.summary,
      a: operationAddress(it, call),
      k: `${call.method} · ${it.name}`,
      w: `${call.path} ${call.operation.operationId}`,
    })),
  ])
  const errors = (Object.keys(refusals) as RefusalCode[]).map((code) => ({
    t: code,
    a: `/docs/errors#${code}`,
    k: String(refusals[code].status),
    w: `${refusals[code].en} ${refusals[code].ru}`,
  }))
  const types = (Object.keys(events) as EventType[]).map((type) => ({
    t: type,
    a: `/docs/event-types#${type}`,
    k: 'event',
    w: events[type].description,
  }))
  return [...guides, ...resources, ...errors, ...types]
}

export const missingContent = (address: string, meant: string | undefined): Html =>
  html`<section class="plain">
    <h1>There is no such page</h1>
    <p>Nothing is at <code>${address}</code>.</p>
    ${meant !== undefined && html`<p>Did you mean <a href="${meant}">${meant}</a>?</p>`}
    <p>Search above, choose from the menu, or begin at the <a href="/docs">first page</a>.</p>
  </section>`
