import { writeFileSync } from 'node:fs'
import { ProductIndex } from '../src/catalog/product-index/product-index.ts'
import { Synonyms } from '../src/search/synonyms.ts'
import { shopProducts } from './search-quality/demo-products.ts'
import { judgedQueries, querySets } from './search-quality/judged-queries.ts'
const products = await shopProducts()
const index = new ProductIndex(Synonyms.curated())
for (const it of products) index.put(it.product)
const lines: string[] = []
for (const set of Object.keys(querySets)) for (const q of judgedQueries(set as never, products)) {
  const { facets, ...r } = index.find({ region: 'home', language: 'ru', filters: {}, sort: 'relevance', limit: 20, wantsFacets: false, text: q.text } as never) as any
  lines.push(JSON.stringify([q.text, r]))
  lines.push(JSON.stringify(index.suggest(q.text.slice(0, 4), { language: 'ru', region: 'home', limit: 8 } as never)))
}
writeFileSync(process.argv[2]!, lines.join('\n'))
