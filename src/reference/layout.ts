// The frame of every page: head, header with search, menu, content.

import { type Html, html, verbatim } from '../http/html.ts'
import type { MenuGroup } from './site.ts'

export interface PageFrame {
  title: string
  /** The address of this page. */
  address: string
  description: string
  menu: MenuGroup[]
  version: string
  content: Html
}

export const pageHtml = (page: PageFrame): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content="${page.description}" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title} · Bozor</title>
        <link rel="icon" href="/docs/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/docs/style.css" />
        <link rel="alternate" type="text/markdown" href="${markdownAddress(page.address)}" />
        <script src="/docs/script.js" defer></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        ${topBar(page.version)} ${sidebar(page)}
        <main id="content" tabindex="-1">${page.content} ${footer(page)}</main>
      </body>
    </html>`

export const markdownAddress = (address: string): string =>
  address === '/docs' ? '/docs/index.md' : `${address}.md`

/** The eight-pointed star of the tilework: two squares, one of them turned. */
export const star = (fill: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="${fill}"><path d="M4.6 4.6h14.8v14.8H4.6z"/><path d="M12 1.5 22.5 12 12 22.5 1.5 12z"/><circle cx="12" cy="12" r="3.6" fill="#fff"/></svg>`

const topBar = (version: string): Html =>
  html`<header class="top">
    <a class="brand" href="/docs"
      ><img src="/docs/icon.svg" alt="" width="24" height="24" />Bozor <small>API ${version}</small></a
    >
    <div class="search on-script">
      <label class="unseen" for="search">Search the documentation</label>
      <input
        id="search"
        type="search"
        role="combobox"
        aria-expanded="false"
        aria-controls="found"
        aria-autocomplete="list"
        placeholder="Search calls, guides, errors, events"
        autocomplete="off"
        spellcheck="false"
      /><kbd aria-hidden="true">/</kbd>
      <ul id="found" role="listbox" aria-label="Search results" hidden></ul>
      <p class="unseen" role="status" id="found-count"></p>
    </div>
    <form class="key-form on-script">
      <label class="unseen" for="key">Your test key</label>
      <input
        id="key"
        type="text"
        placeholder="Your test key: ak_test_…"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        maxlength="60"
        aria-describedby="key-state"
      />
      <button id="make-key" type="button" hidden>Fill in a new test key</button>
      <p id="key-state" role="status" hidden></p>
    </form>
    <button class="menu-button on-script" type="button" aria-expanded="false" aria-controls="menu">
      Menu
    </button>
  </header>`

const sidebar = ({ menu, address }: PageFrame): Html =>
  html`<nav class="side" id="menu" aria-label="Documentation">
    ${menu.map(
      ({ name, links }) =>
        html`<p class="group">${name}</p>
          <ul>
            ${links.map((it) =>
              it.address === address
                ? html`<li><a href="${it.address}" aria-current="page">${it.title}</a></li>`
                : html`<li><a href="${it.address}">${it.title}</a></li>`,
            )}
          </ul>`,
    )}
  </nav>`

const footer = ({ address, version }: PageFrame): Html =>
  html`<footer>
    <p>
      Bozor API ${version} · ${verbatim`<a href="${markdownAddress(address)}">This page as Markdown</a>`} ·
      <a href="/openapi.json">openapi.json</a> · <a href="/llms.txt">llms.txt</a>
    </p>
  </footer>`
