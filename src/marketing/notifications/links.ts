// Links of a mail that lead through us, so that a campaign knows that they were followed. Where they lead is what stands
// in the mail that was sent: a link alone leads nowhere else.

import { mostLinks } from './tokens.ts'

const href = /(<a\b[^>]*?[\s/"']href\s*=\s*)(["'])(https?:\/\/.*?)\2/gis

/** The addresses that a mail's links lead to, each once, in the order in which they stand. */
export const targetsIn = (html: string): string[] =>
  [...new Set([...html.matchAll(href)].map(([, , , target = '']) => plain(target)))].slice(0, mostLinks)

/** The mail with its links led through us, and with a picture that tells when it is opened. */
export function tracked(
  html: string,
  { linkTo, picture, except }: { linkTo: (number: number) => string; picture: string; except: string | null },
): string {
  const targets = targetsIn(html)
  const led = html.replace(href, (all, before: string, quote: string, target: string) => {
    const number = targets.indexOf(plain(target)) + 1
    return number === 0 || plain(target) === except ? all : `${before}${quote}${linkTo(number)}${quote}`
  })
  const seen = `<img src="${picture}" width="1" height="1" alt="" />`
  return /<\/body\s*>/i.test(led) ? led.replace(/<\/body\s*>/i, (end) => `${seen}${end}`) : `${led}${seen}`
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}
const plain = (text: string): string => text.replace(/&(amp|lt|gt|quot|#39);/g, (it) => entities[it]!)
