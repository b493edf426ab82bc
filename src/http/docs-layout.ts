// The page around the words: head, menu, and the order of things.

import { bearer, type Call, shellCard } from './docs-example.ts'
import { type GuideSection, guideSections } from './docs-guide.ts'
import { Html, html, inline } from './docs-html.ts'
import { badge, callsOf, operationSection, pathCode, type Reading } from './docs-operation.ts'
import { script } from './docs-script.ts'
import { style } from './docs-style.ts'

interface Chapter {
  name: string
  parts: { id: string; name: string; description: string; calls: Call[] }[]
}

export function docsBody(reading: Reading): Html {
  const guide = guideSections(reading)
  const chapters = chaptersOf(reading)
  const { version } = reading.document.info
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta
          name="description"
          content="Reference of the Bozor API: calls, fields, refusals and lines to paste."
        />
        <meta name="color-scheme" content="light dark" />
        <title>Bozor API reference</title>
        <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(star('#0d8f86'))}" />
        ${new Html(`<style>${style}</style>`)}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the reference</a>
        ${phoneBar(guide, chapters)} ${sidebar(guide, chapters, version)}
        <main id="content" tabindex="-1">
          ${introduction(reading)} ${guide.map(guideRow)} ${chapters.map((it) => chapterRows(it, reading))}
          <footer class="row">
            <p class="words">
              Bozor API ${version}. Made from the tables that the server runs by, also as
              <a href="/openapi.json">openapi.json</a>.
            </p>
          </footer>
        </main>
        ${new Html(`<script>${script}</script>`)}
      </body>
    </html>`
}

const chaptersOf = ({ document }: Reading): Chapter[] =>
  document['x-tagGroups'].map(({ name, tags }) => ({
    name,
    parts: tags.map((tag) => ({
      id: `about-${tag.toLowerCase().replaceAll(' ', '-')}`,
      name: tag,
      description: document.tags.find((it) => it.name === tag)?.description ?? '',
      calls: callsOf(document, tag),
    })),
  }))

/** The eight-pointed star of the tilework: two squares, one of them turned. */
const star = (fill: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="${fill}"><path d="M4.6 4.6h14.8v14.8H4.6z"/><path d="M12 1.5 22.5 12 12 22.5 1.5 12z"/><circle cx="12" cy="12" r="3.6" fill="#fff"/></svg>`

const brand = (version: string): Html =>
  html`<a class="brand" href="#content"
    ><span aria-hidden="true">${new Html(star('currentColor'))}</span>Bozor <small>API ${version}</small></a
  >`

/** On a phone, a short menu: chapters and the guide; each chapter begins with a list of its calls. */
const phoneBar = (guide: GuideSection[], chapters: Chapter[]): Html =>
  html`<header class="bar">
    <details>
      <summary>Menu</summary>
      <nav aria-label="Short menu">
        <ul>
          ${guide.map((it) => html`<li><a href="#${it.id}">${it.title}</a></li>`)}
        </ul>
        ${chapters.map(
          (chapter) =>
            html`<p>${chapter.name}</p>
              <ul>
                ${chapter.parts.map((it) => html`<li><a href="#${it.id}">${it.name}</a></li>`)}
              </ul>`,
        )}
      </nav>
    </details>
    <a class="brand" href="#content"
      ><span aria-hidden="true">${new Html(star('currentColor'))}</span>Bozor</a
    >
  </header>`

const sidebar = (guide: GuideSection[], chapters: Chapter[], version: string): Html =>
  html`<nav class="side" aria-label="Reference">
    ${brand(version)}
    <p class="filter on-script">
      <label class="unseen" for="filter">Filter calls</label
      ><input
        id="filter"
        type="search"
        placeholder="Filter calls"
        autocomplete="off"
        spellcheck="false"
        aria-describedby="filter-hint"
      /><kbd aria-hidden="true">/</kbd>
    </p>
    <p class="unseen" id="filter-hint" role="status"></p>
    <div data-group>
      <p class="group">Guide</p>
      <ul>
        ${guide.map((it) => html`<li><a href="#${it.id}">${it.title}</a></li>`)}
      </ul>
    </div>
    ${chapters.map(
      (chapter) =>
        html`<div data-group>
          <p class="group">${chapter.name}</p>
          ${chapter.parts.map(
            (part) =>
              html`<details open data-group>
                <summary>${part.name}</summary>
                <ul>
                  <li><a href="#${part.id}" data-find="${part.name}">Overview</a></li>
                  ${part.calls.map(callLink)}
                </ul>
              </details>`,
          )}
        </div>`,
    )}
  </nav>`

const callLink = ({ operation, method, path }: Call): Html =>
  html`<li>
    <a href="#${operation.operationId}" data-find="${path}">${operation.summary} ${badge(method)}</a>
  </li>`

const promises = [
  ['One key, two environments: `ak_test_…` to try, `ak_live_…` to sell.', 'authentication', 'Authentication'],
  ['Every reply has the same envelope; every refusal has a code that never changes.', 'errors', 'Errors'],
  ['Every write can be sent twice and is done once.', 'idempotency', 'Idempotency'],
  ['Every write can be tried without doing it.', 'dry-run', 'Dry run'],
  ['Names and messages come in Russian, Uzbek and English.', 'headers', 'Headers'],
  ['In test, time is yours to move.', 'test-clock', 'Test clock'],
] as const

const introduction = ({ document, origin }: Reading): Html =>
  html`<section class="row intro">
    <div class="words">
      <h1 id="title">Bozor API</h1>
      <p>${document.info.description.split('\n\n')[0]}</p>
      <ul>
        ${promises.map(([text, to, name]) => html`<li>${inline(text)} <a href="#${to}">${name}</a></li>`)}
      </ul>
    </div>
    <div class="code">
      <form class="card keys on-script">
        <label for="key">Your test key</label
        ><input
          id="key"
          type="text"
          placeholder="ak_test_…"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          maxlength="60"
          aria-describedby="key-state"
        />
        <p id="key-state" role="status">
          Paste it once, and every line below works as it stands. It stays in this tab.
        </p>
      </form>
      ${shellCard('Try it', `curl '${origin}/v1/catalog/categories?per_page=3'`, bearer)}
    </div>
  </section>`

const guideRow = (it: GuideSection): Html =>
  html`<section class="row" id="${it.id}">
    <div class="words">
      <h2><a href="#${it.id}">${it.title}</a></h2>
      ${it.words}
    </div>
    ${it.code && html`<div class="code">${it.code}</div>`}
  </section>`

const chapterRows = (chapter: Chapter, reading: Reading): Html =>
  html`${chapter.parts.map(
    (part) =>
      html`<section class="row part" id="${part.id}">
          <div class="words">
            <p class="chapter">${chapter.name}</p>
            <h2><a href="#${part.id}">${part.name}</a></h2>
            <p>${part.description}</p>
          </div>
          <div class="code">
            <nav class="card calls" aria-label="Calls of ${part.name}">
              <ul>
                ${part.calls.map(
                  ({ operation, method, path }) =>
                    html`<li><a href="#${operation.operationId}">${badge(method)} ${pathCode(path)}</a></li>`,
                )}
              </ul>
            </nav>
          </div>
        </section>
        ${part.calls.map((it) => operationSection(it, reading))}`,
  )}`
