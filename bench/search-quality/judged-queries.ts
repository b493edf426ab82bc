// The judged queries: which products of the demo shop a shopper expects for each.

import { readFileSync } from 'node:fs'
import { inOtherLayout } from '../../src/search/keyboard-layout.ts'
import type { ShopProduct } from './demo-products.ts'

export interface JudgedQuery {
  kind: string
  text: string
  /** Held-out queries are measured, but their single results are not shown, so that the search is not fitted to them. */
  isHeldOut: boolean
  /** Ids of the relevant products; empty for what is not sold. */
  relevant: ReadonlySet<number>
}

/** All but the first set were written before their results were seen. */
export const querySets = {
  first: 'queries.txt',
  second: 'second-queries.txt',
  third: 'third-queries.txt',
  fourth: 'fourth-queries.txt',
  fifth: 'fifth-queries.txt',
  sixth: 'sixth-queries.txt',
  seventh: 'seventh-queries.txt',
  eighth: 'eighth-queries.txt',
  ninth: 'ninth-queries.txt',
  tenth: 'tenth-queries.txt',
  eleventh: 'eleventh-queries.txt',
  twelfth: 'twelfth-queries.txt',
  thirteenth: 'thirteenth-queries.txt',
  fourteenth: 'fourteenth-queries.txt',
  fifteenth: 'fifteenth-queries.txt',
  sixteenth: 'sixteenth-queries.txt',
  seventeenth: 'seventeenth-queries.txt',
} as const
export type QuerySet = keyof typeof querySets

/** Kinds that some sets call by another name. */
const kindNames: Record<string, string> = {
  absent: 'none',
  attribute: 'attributes',
  brand: 'brands',
  model: 'models',
  phrase: 'needs',
  typo: 'typos',
  unit: 'units',
}

export function judgedQueries(set: QuerySet, products: readonly ShopProduct[]): JudgedQuery[] {
  return readFileSync(new URL(querySets[set], import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => {
      const [kind, target, texts] = line.split(' | ') as [string, string, string]
      const relevant = relevantTo(target.trim(), products)
      return texts.split(';').map((typed) => {
        const text = kind === 'layout' ? inOtherLayout(typed.trim()) : typed.trim()
        const isHeldOut = hashOf(`${kind} ${text}`) % 2 === 1
        return { kind: kindNames[kind] ?? kind, text, relevant, isHeldOut }
      })
    })
}

const targetForm =
  /^(?<slugs>[^ ]+)(?: \/(?<pattern>.*)\/)?(?: brand:(?<brand>\S+))?(?: below:(?<below>\d+))?$/

function relevantTo(target: string, products: readonly ShopProduct[]): Set<number> {
  if (target === 'none') return new Set()
  const { slugs, pattern, brand, below } = targetForm.exec(target)!.groups!
  const named = pattern === undefined ? undefined : new RegExp(pattern, 'i')
  const wanted = products.filter(
    (it) =>
      (slugs === '*' || slugs!.split(',').includes(it.category)) &&
      (named === undefined || named.test(it.product.name.ru!)) &&
      (brand === undefined || it.brandSlug === brand) &&
      (below === undefined || it.product.offers.some((offer) => offer.priceTiyin <= Number(below) * 100)),
  )
  if (wanted.length === 0) throw new Error(`no product is relevant to ${target}`)
  return new Set(wanted.map((it) => it.product.id))
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return (hash ^ (hash >>> 15)) >>> 0
}
