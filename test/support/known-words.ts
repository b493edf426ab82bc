// What a search knows of the words of a small shop, for tests of how queries are read.

import type { LocalizedText } from '../../src/http/language.ts'
import { KnownWords } from '../../src/search/known-words.ts'
import { Synonyms } from '../../src/search/synonyms.ts'
import { TextIndex } from '../../src/search/text-index.ts'

export interface NamedProduct {
  name: LocalizedText
  brand: string
  /** The Russian name of its category. */
  category: string
  /** In Russian. */
  description?: string
}

export function knownWordsOf(products: readonly NamedProduct[]): { index: TextIndex; known: KnownWords } {
  const index = new TextIndex({ slots: products.length, release: () => undefined })
  for (const [slot, { name, brand, category, description }] of products.entries())
    index.add(slot, {
      name,
      brand,
      description: description === undefined ? {} : { ru: description },
      variants: [],
      categoryNames: [{ ru: category }],
    })
  return { index, known: new KnownWords(index, Synonyms.curated()) }
}
