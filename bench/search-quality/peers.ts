// Other search engines over the same products, each with the settings that its documentation recommends for a shop.

import { create, insertMultiple, search as searchOrama } from '@orama/orama'
import FlexSearch from 'flexsearch'
import MiniSearch from 'minisearch'
import pg from 'pg'
import { freshDatabase } from '../../test/support/database.ts'
import type { ShopProduct } from './demo-products.ts'
import type { Find } from './measure.ts'

interface Document {
  id: number
  name: string
  brand: string
  category: string
  description: string
}

const documentsOf = (products: readonly ShopProduct[]): Document[] =>
  products.map(({ product }) => ({
    id: product.id,
    name: Object.values(product.name).join(' '),
    brand: product.brand,
    category: product.categoryNames.flatMap((it) => Object.values(it)).join(' '),
    description: Object.values(product.description).join(' '),
  }))

const boosts = { name: 4, brand: 3, category: 2, description: 1 }

function miniSearch(documents: Document[]): Find {
  const engine = new MiniSearch<Document>({
    fields: ['name', 'brand', 'category', 'description'],
    searchOptions: { boost: boosts, prefix: true, fuzzy: 0.2 },
  })
  engine.addAll(documents)
  return (text, limit) =>
    engine
      .search(text)
      .slice(0, limit)
      .map((it) => it.id as number)
}

async function orama(documents: Document[]): Promise<Find> {
  const engine = create({
    schema: { name: 'string', brand: 'string', category: 'string', description: 'string' },
  })
  await insertMultiple(
    engine,
    documents.map((it) => ({ ...it, id: String(it.id) })),
  )
  return async (text, limit) => {
    const found = await searchOrama(engine, {
      term: text,
      limit,
      boost: boosts,
      tolerance: 1,
      threshold: 0.5,
    })
    return found.hits.map((it) => Number(it.id))
  }
}

function flexSearch(documents: Document[]): Find {
  const engine = new FlexSearch.Document({
    tokenize: 'forward',
    document: { id: 'id', index: ['name', 'brand', 'category', 'description'] },
  })
  for (const it of documents) engine.add(it as never)
  return (text, limit) => {
    const found = engine.search(text, { limit, merge: true, suggest: true } as never) as unknown as {
      id: number
    }[]
    return found.slice(0, limit).map((it) => Number(it.id))
  }
}

/** Full text search with a Russian, an English and a plain dictionary, and trigrams where that finds nothing. */
async function postgres(documents: Document[]): Promise<{ find: Find; close: () => Promise<void> }> {
  const client = new pg.Client(await freshDatabase())
  await client.connect()
  const hasTrigrams = await client
    .query('create extension if not exists pg_trgm')
    .then(() => true)
    .catch(() => false)
  await client.query(
    'create table documents (id int primary key, name text, brand text, category text, description text, words tsvector)',
  )
  await client.query(
    `insert into documents select (d->>'id')::int, d->>'name', d->>'brand', d->>'category', d->>'description'
     from jsonb_array_elements($1::jsonb) d`,
    [JSON.stringify(documents)],
  )
  const vector = (field: string, weight: string) =>
    ['russian', 'english', 'simple']
      .map((it) => `setweight(to_tsvector('${it}', ${field}), '${weight}')`)
      .join(' || ')
  await client.query(
    `update documents set words = ${vector('name', 'A')} || ${vector('brand', 'B')} || ${vector('category', 'C')} || ${vector('description', 'D')}`,
  )
  await client.query('create index on documents using gin (words)')
  const find: Find = async (text, limit) => {
    const { rows } = await client.query<{ id: number }>(
      `select id from documents, (select websearch_to_tsquery('russian', $1) || websearch_to_tsquery('english', $1) ||
       websearch_to_tsquery('simple', $1) as q) asked where words @@ q order by ts_rank(words, q) desc, id limit $2`,
      [text, limit],
    )
    if (rows.length > 0 || !hasTrigrams) return rows.map((it) => it.id)
    const similar = await client.query<{ id: number }>(
      'select id from documents where word_similarity($1, name) > 0.4 order by word_similarity($1, name) desc, id limit $2',
      [text, limit],
    )
    return similar.rows.map((it) => it.id)
  }
  return { find, close: () => client.end() }
}

/** Visits the asked engines one after the other. */
export async function eachPeer(
  products: readonly ShopProduct[],
  isAsked: (name: string) => boolean,
  visit: (name: string, find: Find) => Promise<void>,
): Promise<void> {
  const documents = documentsOf(products)
  if (isAsked('MiniSearch')) await visit('MiniSearch', miniSearch(documents))
  if (isAsked('Orama')) await visit('Orama', await orama(documents))
  if (isAsked('FlexSearch')) await visit('FlexSearch', flexSearch(documents))
  if (!isAsked('PostgreSQL')) return
  const { find, close } = await postgres(documents)
  await visit('PostgreSQL', find).finally(close)
}
