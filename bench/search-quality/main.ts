// Measures the quality of search on judged queries: ours, other engines, and ours without each of its steps.
//   npm run evaluate:search                       figures of the visible and the held-out queries
//   npm run evaluate:search -- --wrong [KIND]     visible queries that are answered wrongly
//   npm run evaluate:search -- --ours             only ours, without other engines and ablation
//   npm run evaluate:search -- --quick            only ours, only the visible queries
//   npm run evaluate:search -- --learned          what learning from the demo's searches gains on its last days

import { ProductIndex } from '../../src/catalog/product-index/product-index.ts'
import { type StepName, stepNames, Synonyms } from '../../src/search/index.ts'
import { type ShopProduct, shopProducts } from './demo-products.ts'
import { type JudgedQuery, judgedQueries, querySets, type QuerySet } from './judged-queries.ts'
import { type Figures, type Find, judge, measure } from './measure.ts'

const products = shopProducts()
const bySet = (Object.keys(querySets) as QuerySet[]).map((it) => [it, judgedQueries(it, products)] as const)
const queries = bySet.flatMap(([, it]) => it)
const visible = queries.filter((it) => !it.isHeldOut)
const index = indexOf(products, Synonyms.curated())
const [option, kind] = process.argv.slice(2)

if (option === '--wrong') await printWrong()
else if (option === '--learned') await (await import('./learning.ts')).printLearning(products)
else {
  const columns: [string, Map<string, Figures>][] = []
  for (const [name, its] of bySet)
    for (const part of option === '--quick' ? ['visible'] : ['visible', 'held out']) {
      const asked = its.filter((it) => it.isHeldOut === (part === 'held out'))
      columns.push([`${name} ${part}`, await measure(finder(index), asked)])
    }
  const isWhole = option === undefined
  if (isWhole) {
    const { eachPeer } = await import('./peers.ts')
    await eachPeer(products, async (name, find) => void columns.push([name, await measure(find, queries)]))
  }
  console.log(`${queries.length} queries, ${visible.length} of them visible; ours by set and part`)
  console.log('precision of the first five / first result right; other engines: all queries\n')
  printTable(columns)
  if (isWhole) await printAblation()
}

function indexOf(all: readonly ShopProduct[], synonyms: Synonyms): ProductIndex {
  const filled = new ProductIndex(synonyms)
  for (const it of all) filled.put(it.product)
  return filled
}

function finder(asked: ProductIndex, withoutSteps?: ReadonlySet<StepName>): Find {
  return (text, limit) =>
    asked.find({
      region: 'home',
      language: 'ru',
      text,
      limit,
      filters: {},
      sort: 'relevance',
      wantsFacets: false,
      ...(withoutSteps && { withoutSteps }),
    }).ids
}

function printTable(columns: [string, Map<string, Figures>][]): void {
  const kinds = [...new Set(queries.map((it) => it.kind)), 'all']
  const line = (cells: string[]) =>
    console.log(
      cells
        .map((it) => it.padEnd(17))
        .join('')
        .trimEnd(),
    )
  line(['kind', ...columns.map(([name]) => name)])
  const cell = (it: Figures | undefined) =>
    it ? `${it.precision.toFixed(3)} / ${it.firstHit.toFixed(2)}` : ''
  for (const it of kinds) line([it, ...columns.map(([, figures]) => cell(figures.get(it)))])
}

/** What is lost without each step, on all queries. */
async function printAblation(): Promise<void> {
  console.log('\nwithout        precision / first')
  const row = async (name: string, find: Find) => {
    const all = (await measure(find, queries)).get('all')!
    console.log(`${name.padEnd(14)} ${all.precision.toFixed(3)} / ${all.firstHit.toFixed(3)}`)
  }
  await row('(nothing)', finder(index))
  for (const step of stepNames) await row(step, finder(index, new Set([step])))
  await row('dictionary', finder(indexOf(products, Synonyms.none())))
}

async function printWrong(): Promise<void> {
  const nameOf = (id: number) => products.find((it) => it.product.id === id)!.product.name.ru
  for (const query of visible.filter((it) => kind === undefined || it.kind === kind)) {
    const { precision } = await judge(finder(index), query)
    if (precision < 1) console.log(describe(query, precision, await finder(index)(query.text, 3)))
  }
  function describe({ kind: its, text, relevant }: JudgedQuery, precision: number, ids: number[]): string {
    const wanted = relevant.size === 0 ? 'nothing' : nameOf([...relevant][0]!)
    return `${its} | ${text} | ${precision.toFixed(1)} | ${ids.map(nameOf).join(' ; ')} | wanted: ${wanted}`
  }
}
