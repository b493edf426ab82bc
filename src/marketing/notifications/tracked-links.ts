// Tracked links of e-mails, by which a campaign counts clicks. A tracked link redirects only to a target that is in the
// e-mail that was sent, so it is no open redirect.

import { tokensOf } from '../templates/html.ts'
import { maxLinks } from './link-tokens.ts'

/** The offsets of a link's URL in the HTML, and its target. */
interface Link {
  from: number
  to: number
  target: string
}

/** The distinct link targets of an e-mail, in order of appearance. */
export const linkTargets = (html: string): string[] => distinct(linksIn(html).links)

/** Replaces the links by tracked ones and adds a tracking pixel. */
export function withTracking(
  html: string,
  {
    linkTo,
    pixelUrl,
    except,
  }: { linkTo: (number: number) => string; pixelUrl: string; except: string | null },
): string {
  const { links, end } = linksIn(html)
  const numbers = new Map(distinct(links).map((target, at) => [target, at + 1]))
  const pieces: string[] = []
  let copied = 0
  for (const { from, to, target } of links) {
    const number = target === except ? undefined : numbers.get(target)
    if (number === undefined) continue
    pieces.push(html.slice(copied, from), linkTo(number))
    copied = to
  }
  const pixel = `<img src="${pixelUrl}" width="1" height="1" alt="" />`
  return [...pieces, html.slice(copied, end), pixel, html.slice(end)].join('')
}

const distinct = (links: readonly Link[]): string[] =>
  [...new Set(links.map((it) => it.target))].slice(0, maxLinks)

/** The links of an e-mail, and the offset where its body ends. */
function linksIn(html: string): { links: Link[]; end: number } {
  const links: Link[] = []
  let end = html.length
  for (const token of tokensOf(html)) {
    if (token.kind === 'close' && token.name === 'body') end = token.from
    if (token.kind !== 'open' || token.name !== 'a') continue
    const href = token.attributes.find((it) => it.name === 'href')
    const target = href?.isQuoted ? targetOf(href.value) : undefined
    if (!href || target === undefined) continue
    links.push({ from: href.from, to: href.from + href.value.length, target })
    // Links after </body> work too, so the pixel goes to the end.
    end = html.length
  }
  return { links, end }
}

/** The target of a web link; undefined for other schemes, and for entities that are not decoded here. */
function targetOf(href: string): string | undefined {
  const target = href.trim().replace(/&(amp|lt|gt|quot|#39);/g, (it) => entities[it]!)
  const isDecoded = !/&#?[a-z0-9]+;/i.test(href.replace(/&(amp|lt|gt|quot|#39);/g, ''))
  return isDecoded && /^https?:\/\//i.test(target) ? target : undefined
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}
