// Measures the quality of search on judged queries: ours, other engines, and ours without each of its steps.
//   npm run evaluate:search                       ours by set, kind and part, then other engines, then the ablation
//   npm run evaluate:search -- --wrong [KIND]     visible queries that are answered wrongly
//   npm run evaluate:search -- --set NAME         only ours on one set: by part, and without the queries of earlier sets
//   npm run evaluate:search -- --ours             only ours, without other engines and ablation
//   npm run evaluate:search -- --peers [NAME]     only the other engines, or one of them, on every fourth query of all sets
//   npm run evaluate:search -- --ablation [STEP]  only ours without each step, or without one, on every fourth query of all sets
//   npm run evaluate:search -- --quick            only ours, only the visible queries
//   npm run evaluate:search -- --learned          what learning from the demo's searches gains on its last days

import { ProductIndex } from '../../src/catalog/product-index/product-index.ts'
import { type StepName, stepNames, Synonyms } from '../../src/search/index.ts'
import { type ShopProduct, shopProducts } from './demo-products.ts'
import { type JudgedQuery, judgedQueries, querySets, type QuerySet } from './judged-queries.ts'
import { type Figures, type Find, judge, measure, together } from './measure.ts'

const products = shopProducts()
const bySet = (Object.keys(querySets) as QuerySet[]).map((it) => [it, judgedQueries(it, products)] as const)
const queries = bySet.flatMap(([, it]) => it)
const visible = queries.filter((it) => !it.isHeldOut)
/** Other engines and the ablation ask every fourth query of all sets: the queries are asked many times over. */
const sample = queries.filter((_, at) => at % 4 === 0)
const parts = ['visible', 'held out'] as const
type Part = (typeof parts)[number]
const index = indexOf(products, Synonyms.curated())
const [option, kind] = process.argv.slice(2)

if (option === '--wrong') await printWrong()
else if (option === '--learned') await (await import('./learning.ts')).printLearning(products)
else if (option === '--set') await printSet(kind)
else if (option === '--peers') await printPeers()
else if (option === '--ablation') await printAblation()
else {
  await printOurs(option === '--quick' ? ['visible'] : parts)
  if (option === undefined) {
    await printPeers()
    await printAblation()
  }
}

async function printOurs(measured: readonly Part[]): Promise<void> {
  const columns: [string, Map<string, Figures>][] = []
  for (const part of measured) {
    const figures: Map<string, Figures>[] = []
    for (const [name, its] of bySet) {
      figures.push(await measure(finder(index), ofPart(its, part)))
      columns.push([`${name} ${part}`, figures.at(-1)!])
    }
    columns.push([`all ${part}`, together(figures)])
  }
  console.log(`${queries.length} queries, ${visible.length} of them visible; ours by set and part`)
  console.log('precision of the first five / first result right\n')
  printTable(columns)
}

async function printSet(name: string | undefined): Promise<void> {
  const at = bySet.findIndex(([it]) => it === name)
  if (at < 0) throw new Error(`--set needs one of ${Object.keys(querySets).join(', ')}`)
  const asked = bySet[at]![1]
  const earlier = new Set(bySet.slice(0, at).flatMap(([, its]) => its.map((it) => it.text)))
  const fresh = asked.filter((it) => !earlier.has(it.text))
  console.log(`${asked.length} queries, ${fresh.length} of them in no earlier set`)
  console.log('precision of the first five / first result right\n')
  const figuresOf = (its: readonly JudgedQuery[]) => measure(finder(index), its)
  printTable([
    ['both parts', await figuresOf(asked)],
    ...(await Promise.all(parts.map(async (it) => [it, await figuresOf(ofPart(asked, it))] as const))),
    ['in no earlier', await figuresOf(fresh)],
  ])
}

function ofPart(its: readonly JudgedQuery[], part: Part): JudgedQuery[] {
  return its.filter((it) => it.isHeldOut === (part === 'held out'))
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

function printTable(columns: (readonly [string, Map<string, Figures>])[]): void {
  const kinds = [...new Set(queries.map((it) => it.kind)), 'all']
  const line = (cells: string[]) =>
    console.log(
      cells
        .map((it) => it.padEnd(22))
        .join('')
        .trimEnd(),
    )
  line(['kind', ...columns.map(([name]) => name)])
  const cell = (it: Figures | undefined) =>
    it ? `${it.precision.toFixed(3)} / ${it.firstHit.toFixed(2)}` : ''
  for (const it of kinds)
    if (columns.some(([, figures]) => figures.has(it)))
      line([it, ...columns.map(([, figures]) => cell(figures.get(it)))])
}

/** One line of both parts: precision of the first five / first result right. */
async function printRow(name: string, find: Find, asked: readonly JudgedQuery[]): Promise<void> {
  const cells: string[] = []
  for (const part of parts) {
    const all = (await measure(find, ofPart(asked, part))).get('all')!
    cells.push(`${all.precision.toFixed(3)} / ${all.firstHit.toFixed(3)}`)
  }
  console.log(`${name.padEnd(14)} ${cells.join('   ')}`)
}

async function printPeers(): Promise<void> {
  const { eachPeer } = await import('./peers.ts')
  console.log(`\nengine, ${sample.length} queries   visible   held out`)
  const isAsked = (name: string) => option !== '--peers' || kind === undefined || name === kind
  await eachPeer(products, isAsked, (name, find) => printRow(name, find, sample))
}

/** What is lost without each step. */
async function printAblation(): Promise<void> {
  console.log(`\nwithout, ${sample.length} queries   visible   held out`)
  const isAsked = (name: string) => option !== '--ablation' || kind === undefined || name === kind
  const row = async (name: string, find: Find) => {
    if (isAsked(name)) await printRow(name, find, sample)
  }
  await row('nothing', finder(index))
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
