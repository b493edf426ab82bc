// Links of a mail that lead through us, so that a campaign knows that they were followed. Where they lead is what stands
// in the mail that was sent: a link alone leads nowhere else.

import { tokensOf } from '../templates/html.ts'
import { mostLinks } from './tokens.ts'

/** A link as it stands in a mail: where its address begins and ends, and where it leads. */
interface Link {
  from: number
  to: number
  target: string
}

/** The addresses that a mail's links lead to, each once, in the order in which they stand. */
export const targetsIn = (html: string): string[] => distinct(readOf(html).links)

/** The mail with its links led through us, and with a picture that tells when it is opened. */
export function tracked(
  html: string,
  { linkTo, picture, except }: { linkTo: (number: number) => string; picture: string; except: string | null },
): string {
  const { links, end } = readOf(html)
  const numbers = new Map(distinct(links).map((target, at) => [target, at + 1]))
  const pieces: string[] = []
  let seen = 0
  for (const { from, to, target } of links) {
    const number = target === except ? undefined : numbers.get(target)
    if (number === undefined) continue
    pieces.push(html.slice(seen, from), linkTo(number))
    seen = to
  }
  const seenPicture = `<img src="${picture}" width="1" height="1" alt="" />`
  return [...pieces, html.slice(seen, end), seenPicture, html.slice(end)].join('')
}

const distinct = (links: readonly Link[]): string[] =>
  [...new Set(links.map((it) => it.target))].slice(0, mostLinks)

/** The links of a mail, and where its body ends. */
function readOf(html: string): { links: Link[]; end: number } {
  const links: Link[] = []
  let end = html.length
  for (const token of tokensOf(html)) {
    if (token.kind === 'close' && token.name === 'body') end = token.from
    if (token.kind !== 'open' || token.name !== 'a') continue
    const href = token.attributes.find((it) => it.name === 'href')
    const target = href?.isQuoted ? targetOf(href.value) : undefined
    if (!href || target === undefined) continue
    links.push({ from: href.from, to: href.from + href.value.length, target })
    // Links behind the end of the body are followed too.
    end = html.length
  }
  return { links, end }
}

/** Where a link to the web leads; undefined for others, and for one that is written in a way that we do not read. */
function targetOf(written: string): string | undefined {
  const target = written.trim().replace(/&(amp|lt|gt|quot|#39);/g, (it) => entities[it]!)
  const isRead = !/&#?[a-z0-9]+;/i.test(written.replace(/&(amp|lt|gt|quot|#39);/g, ''))
  return isRead && /^https?:\/\//i.test(target) ? target : undefined
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}
