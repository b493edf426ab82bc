// Renders the Markdown of the guides: headings, paragraphs, lists, tables, quotes, code, links, emphasis.

import { card } from './code.ts'
import { Html, html, joined, verbatim } from '../http/html.ts'

export interface Guide {
  /** The name in the address. */
  slug: string
  title: string
  /** The first paragraph. */
  summary: string
  markdown: string
}

export function parseGuide(slug: string, markdown: string): Guide {
  const [, title = slug] = /^# (.+)$/m.exec(markdown) ?? []
  const rest = markdown.slice(markdown.indexOf('\n')).trim()
  const [summary = ''] = rest.split(/\n\n/)
  return { slug, title, summary: summary.replaceAll('\n', ' '), markdown }
}

export interface CodeBlock {
  language: string
  /** The words after the language: `reply`, or a title. */
  note: string
  code: string
}

const fence = /^```(\w*) ?(.*)\n([^]*?)\n```$/gm

export const codeBlocks = (markdown: string): CodeBlock[] =>
  [...markdown.matchAll(fence)].map(([, language = '', note = '', code = '']) => ({ language, note, code }))

export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** The body of a page; the first heading is left to the caller. */
export function markdownHtml(markdown: string): Html {
  const blocks: string[] = []
  const kept = markdown
    .replace(/^# .+\n/, '')
    .replace(fence, (_, language: string, note: string, code: string) => {
      blocks.push(codeCard(language, note, code).text)
      return `\u0000${blocks.length - 1}`
    })
  return new Html(
    kept
      .split(/\n{2,}/)
      .map((it) => it.trim())
      .filter(Boolean)
      .map((it) => (it.startsWith('\u0000') ? blocks[Number(it.slice(1))]! : blockHtml(it).text))
      .join('\n'),
  )
}

const titles: Record<string, string> = {
  sh: 'Shell',
  ts: 'TypeScript',
  python: 'Python',
  json: 'JSON',
}

const codeCard = (language: string, note: string, code: string): Html =>
  card(note || (titles[language] ?? language), { code, language })

function blockHtml(block: string): Html {
  const heading = /^(#{2,3}) (.+)$/.exec(block)
  if (heading) {
    const [, marks = '', title = ''] = heading
    const link = html`<a href="#${anchorOf(title)}">${title}</a>`
    return marks.length === 2
      ? html`<h2 id="${anchorOf(title)}">${link}</h2>`
      : html`<h3 id="${anchorOf(title)}">${link}</h3>`
  }
  const lines = block.split('\n')
  if (lines.every((it) => /^(- |  )/.test(it)))
    return html`<ul>
      ${itemsOf(lines, /^- /)}
    </ul>`
  if (lines.every((it) => /^(\d+\. |   )/.test(it)))
    return html`<ol>
      ${itemsOf(lines, /^\d+\. /)}
    </ol>`
  if (lines[0]!.startsWith('| ')) return tableHtml(lines)
  if (lines[0]!.startsWith('> ')) return html`<p class="hint">${spans(block.replace(/^> /gm, ''))}</p>`
  return html`<p>${spans(block)}</p>`
}

function itemsOf(lines: string[], mark: RegExp): Html[] {
  const items: string[] = []
  for (const line of lines)
    if (mark.test(line)) items.push(line.replace(mark, ''))
    else items[items.length - 1] += ` ${line.trim()}`
  return items.map((it) => html`<li>${spans(it)}</li>`)
}

function tableHtml([head = '', , ...rows]: string[]): Html {
  const cells = (row: string) => row.replace(/^\| ?| ?\|$/g, '').split(' | ')
  return html`<div class="scroll" tabindex="0">
    <table>
      <thead>
        <tr>
          ${cells(head).map((it) => html`<th scope="col">${spans(it)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${cells(row).map((it) => html`<td>${spans(it)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** Code, links and bold text within a paragraph. */
function spans(text: string): Html {
  const parts = text.replaceAll('\n', ' ').split(/(`[^`]+`|\[[^\]]+\]\([^)]+\)|\*\*[^*]+\*\*)/)
  return joined(
    parts.map((part) => {
      if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`
      const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part)
      if (link) return verbatim`<a href="${addressOf(link[2]!)}">${spans(link[1]!)}</a>`
      return part.startsWith('**') ? html`<strong>${spans(part.slice(2, -2))}</strong>` : part
    }),
    '',
  )
}

/** Links between guides name their files, so that they also work in the repository. */
const addressOf = (target: string): string =>
  /^[\w-]+\.md(#.*)?$/.test(target) ? `/docs/guides/${target.replace('.md', '')}` : target
