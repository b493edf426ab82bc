// Code on the pages: cards with a title. The script of the page highlights it and puts the reader's key into it; markup
// and escaped quotes would double the size of the page.

import { Html, html } from '../http/html.ts'

/** Code with a title. It scrolls, so it must be reachable by keyboard. */
export const card = (
  title: string,
  { code, language, status }: { code: string; language: string; status?: string },
): Html =>
  html`<figure class="card">
    <figcaption>${title} ${status && html`<span class="status">${status}</span>`}</figcaption>
    <pre tabindex="0" data-code="${language}"><code>${codeText(code)}</code></pre>
  </figure>`

export const jsonCard = (title: string, value: unknown, status?: string): Html =>
  card(title, { code: JSON.stringify(value, null, 2), language: 'json', ...(status && { status }) })

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Text between two tags, where quotes mean nothing. */
export const codeText = (text: string): Html => new Html(text.replace(/[&<>]/g, (it) => entities[it]!))
