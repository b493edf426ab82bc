// Which of the simulated interactions began with a search, and what the buyer typed. Draws have names of their own, so the
// interactions are the same with and without searches.

import type { Three } from './assortment/assortment.ts'
import { brands } from './brands.ts'
import { type Market, marketOf } from './interactions.ts'
import { offers, type Stock } from './offers.ts'
import type { Product } from './product.ts'
import type { InteractionRecord } from './record.ts'
import { searchWords } from './search-words.ts'
import type { SeededRandom } from './seeded-random.ts'

export interface SearchedInteraction {
  /** What the buyer typed. */
  text: string
  interaction: InteractionRecord
}

/** The share of products that a buyer reaches by typing. */
const searchShare = 0.35
/** Cumulative: how a query names the product. The rest adds the model to the brand. */
const queryShares = { words: 0.62, withBrand: 0.9 }
/** Cumulative: the language of a buyer. The rest types in English. */
const languageShares = { ru: 0.55, uz: 0.9 }

const brandNames = new Map(brands.map((it) => [it.id, it.name]))

/**
 * The share of searches in which a buyer of the cheapest or the most expensive third of a category adds a word about
 * the price.
 */
const intentShare = 0.3
/** By price band and language; none for the middle third. */
const intentWords: Record<number, [ru: string[], uz: string[], en: string[]]> = {
  0: [['недорого', 'дешёвый'], ['arzon'], ['cheap']],
  2: [['хороший', 'лучший'], ['zo‘r'], ['best']],
}

export interface SearchedProduct extends Pick<Product, 'noun' | 'title' | 'record'> {
  priceBand: number
}

/** The products that can be searched for, by offer id, and their market. */
export function searchedStock(stock: Stock): { market: Market; productOf: Map<string, SearchedProduct> } {
  const market = marketOf(stock)
  const bands = new Map([...market.categories.values()].flat().map((it) => [it.productId, it.priceBand]))
  const products = new Map(
    stock.products.map((it) => [it.record.id, { ...it, priceBand: bands.get(it.record.id) ?? 1 }]),
  )
  const productOf = new Map(offers(stock).map((it) => [String(it.id), products.get(it.product_id)!]))
  return { market, productOf }
}

/** The interactions of one buyer that followed a search. All with one offer on one day followed the same search. */
export function searchesOf(
  interactions: readonly InteractionRecord[],
  { chance, productOf }: { chance: SeededRandom; productOf: ReadonlyMap<string, SearchedProduct> },
): SearchedInteraction[] {
  return interactions.flatMap((interaction) => {
    const { user_id: buyer, offer_id: offer, at } = interaction
    const draw = `search/${buyer}/${offer}/${at.slice(0, 10)}`
    const product = productOf.get(offer)
    if (!product || chance.share(draw) >= searchShare) return []
    return [{ text: typedFor(product, { chance, draw, buyer }), interaction }]
  })
}

function typedFor(
  { noun, title, record, priceBand }: SearchedProduct,
  { chance, draw, buyer }: { chance: SeededRandom; draw: string; buyer: string },
): string {
  if (title) return chance.oneOf(`${draw}/title`, [title[0], title[1], title[2], 'книга', 'kitob', 'book'])
  const brand = brandNames.get(record.brand_id)!
  const language = languageOf(chance.share(`language/${buyer}`))
  const word = chance.oneOf(`${draw}/word`, wordsFor(noun, language))
  const how = chance.share(`${draw}/how`)
  const intents = intentWords[priceBand]?.[language]
  if (intents && how < queryShares.words * intentShare)
    return `${word} ${chance.oneOf(`${draw}/intent`, intents)}`
  if (how < queryShares.words) return word
  if (how < queryShares.withBrand) return `${word} ${brand}`.toLowerCase()
  // «Смартфон Samsung Galaxy A06 4/128 ГБ, чёрный»: brand and model, without the noun and what follows.
  const rest = record.name.ru.slice(noun[0].length + 1).split(',')[0]!
  return rest.split(' ').slice(0, 3).join(' ').toLowerCase()
}

const languageOf = (share: number): 0 | 1 | 2 =>
  share < languageShares.ru ? 0 : share < languageShares.uz ? 1 : 2

function wordsFor(noun: Three, language: 0 | 1 | 2): string[] {
  const words = searchWords[noun[0]]?.split(' | ')[language]
  return words ? words.split(', ') : [noun[0].toLowerCase()]
}
