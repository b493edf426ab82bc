// What OpenSearch keeps of words and rows. Nothing is analysed there: all words are keys of our own pipeline.

import type { Types } from '@opensearch-project/opensearch'

/** A new number makes the next start build new indices. */
export const mappingVersion = 1

/** A product: its words, and in the same order the fields in which it has them. */
export interface StoredRow {
  product_id: number
  hash: number
  words: string[]
  fields: number[]
}

type Mapping = Types.Common_Mapping.TypeMapping
type Property = Types.Common_Mapping.Property

const keyword: Property = { type: 'keyword' }
/** Returned with the document and not searched. */
const kept: Property = { type: 'keyword', index: false, doc_values: false }

const strict = (properties: Record<string, Property>): Mapping => ({
  dynamic: 'strict',
  _meta: { version: mappingVersion },
  properties,
})

export const wordMapping: Mapping = strict({
  key: keyword,
  fields: { type: 'short', index: false, doc_values: false },
  stems: keyword,
  deletes: { type: 'integer' },
  sounds: keyword,
  soundKey: kept,
  latin: kept,
  cyrillic: kept,
})

export const rowMapping: Mapping = strict({
  product_id: { type: 'long' },
  hash: { type: 'long', index: false, doc_values: false },
  words: keyword,
  fields: { type: 'short', index: false, doc_values: false },
})
