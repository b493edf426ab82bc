// All pages of the reference by their addresses. A page is made when it is first asked for.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nearest } from '../base/nearest.ts'
import type { Html } from '../http/html.ts'
import type { Language } from '../http/language.ts'
import type { OpenApi } from '../http/openapi.ts'
import {
  errorsContent,
  eventsContent,
  guideContent,
  homeContent,
  missingContent,
  resourceContent,
  type SearchEntry,
  searchEntries,
} from './content.ts'
import { markdownAddress, pageHtml } from './layout.ts'
import { type Guide, parseGuide } from './markdown.ts'
import { commonCodes } from './operation.ts'
import type { SiteContext } from './page-context.ts'
import { errorsMarkdown, eventsMarkdown, homeMarkdown, llmsText, resourceMarkdown } from './page-markdown.ts'
import { menuOf, resourcesOf } from './site.ts'

export interface Site {
  document: OpenApi
  guides: Guide[]
  entries: SearchEntry[]
  /** The addresses of all HTML pages. */
  addresses: string[]
  has(address: string): boolean
  /** The page at the address, as HTML, or as Markdown when the address ends with `.md`. */
  text(address: string, language: Language): string
  /** What a reader sees at an address without a page. */
  missing(address: string): string
}

interface PageSource {
  title: string
  description: string
  content(language: Language): Html
  markdown(): string
}

const guidesFolder = join(import.meta.dirname, '../../docs/guides')
/** Guides are written for a server on this address; readers see the address of theirs. */
const writtenOrigin = 'http://127.0.0.1:8080'

export const readGuides = (origin = writtenOrigin): Guide[] =>
  readdirSync(guidesFolder)
    .filter((it) => it.endsWith('.md'))
    .toSorted()
    .map((name) => {
      const text = readFileSync(join(guidesFolder, name), 'utf8').replaceAll(writtenOrigin, origin)
      return parseGuide(name.slice(0, -3), text)
    })

export function openSite(document: OpenApi): Site {
  const origin = document.servers[0]!.url
  const context: SiteContext = {
    document,
    origin,
    guides: readGuides(origin),
    commonCodes: commonCodes(document),
  }
  const pages = pagesOf(context)
  const byMarkdown = new Map([...pages.keys()].map((it) => [markdownAddress(it), it]))
  const menu = menuOf(context)
  return {
    document,
    guides: context.guides,
    entries: searchEntries(context),
    addresses: [...pages.keys()],
    has: (address) => pages.has(address) || byMarkdown.has(address),
    text: (address, language) => {
      if (address === '/llms.txt') return llmsText(context)
      const source = byMarkdown.get(address)
      if (source !== undefined) return pages.get(source)!.markdown()
      const page = pages.get(address)!
      const { version } = document.info
      return pageHtml({ ...page, address, menu, version, content: page.content(language) }).text
    },
    missing: (address) =>
      pageHtml({
        title: 'No such page',
        description: 'There is no page at this address.',
        address: '/docs',
        menu,
        version: document.info.version,
        content: missingContent(address, nearestAddress(address, [...pages.keys()])),
      }).text,
  }
}

/** `/docs/cart` for `/docs/carts`: compared by the last part. */
function nearestAddress(address: string, addresses: readonly string[]): string | undefined {
  const lastOf = (it: string) => it.split('/').at(-1)!
  const name = nearest(lastOf(address), addresses.map(lastOf))
  return addresses.find((it) => lastOf(it) === name)
}

function pagesOf(context: SiteContext): Map<string, PageSource> {
  const pages = new Map<string, PageSource>()
  pages.set('/docs', {
    title: 'Documentation',
    description: 'Guides and reference of the Bozor API: operations, errors, events and examples.',
    content: () => homeContent(context),
    markdown: () => homeMarkdown(context),
  })
  for (const guide of context.guides)
    pages.set(`/docs/guides/${guide.slug}`, {
      title: guide.title,
      description: guide.summary.replace(/[`*[\]]/g, '').slice(0, 300),
      content: () => guideContent(guide),
      markdown: () => guide.markdown,
    })
  pages.set('/docs/errors', {
    title: 'Errors',
    description: 'Every error code with its cause and remedy.',
    content: errorsContent,
    markdown: errorsMarkdown,
  })
  pages.set('/docs/event-types', {
    title: 'Events',
    description: 'Every event with a sample.',
    content: eventsContent,
    markdown: eventsMarkdown,
  })
  for (const resource of resourcesOf(context.document))
    pages.set(`/docs/${resource.slug}`, {
      title: resource.name,
      description: resource.description,
      content: (language) =>
        resourceContent(resource, {
          ...context,
          language,
          describedSchemas: new Set(),
          describedCodes: new Set(),
          commonLists: new Map(),
        }),
      markdown: () => resourceMarkdown(resource, context),
    })
  return pages
}
