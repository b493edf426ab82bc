// What 200 buyers of the demo shop see: lists judged by the rules that a person would apply, against what the simulation
// knows (what is used up, what goes with what). Everything runs in this process on the generated history: no server.

import type { Product } from '../src/demo/product.ts'
import { companions, usedUpAfterDays } from '../src/demo/themes.ts'
import { ndcgAt } from '../src/ml/metrics.ts'
import { relativeGainOf } from '../src/ml/relative-gain.ts'
import { prepareModel, type ServingModel } from '../src/recommendations/models/active-model.ts'
import { casesBetween } from '../src/recommendations/models/cases.ts'
import { fitModel } from '../src/recommendations/models/fit-model.ts'
import { orderOf } from '../src/recommendations/models/measure.ts'
import { exampleBuilderOf, exampleOf } from '../src/recommendations/models/training-examples.ts'
import { dayMs } from '../src/base/clock.ts'
import { openShop, type Shop, today, until } from './demo-shop.ts'
import type { Row } from './row.ts'
import { seasonalRows, seasonalRowsOfYears } from './new-buyer-months.ts'
import { lastPurchases, limit, listOf, newList, printLists } from './shopper-lists.ts'

const buyerCount = 200
/** All of the week: with fewer the cost of the mix has a larger error than the bound allows for. */
const measuredCases = 3_000

export async function bench(): Promise<Row[]> {
  const shop = openShop()
  const { model } = await fitModel(shop.snapshot, { seed: 1, threads: 2, strides: 'long', report })
  const serving = prepareModel(0, model)
  const buyers = Array.from({ length: buyerCount }, (_, at) => at)
  const judged = (it: ServingModel) => [
    ...home(shop, it, buyers),
    ...newBuyer(shop, it),
    ...productPages(shop, it, buyers),
    ...carts(shop, it, buyers),
  ]
  const without = judged(withoutRules(serving))
  const rows = judged(serving).map((it, at) => ({
    ...it,
    note: [`without rules ${Number(without[at]!.ours.toPrecision(3))}`, it.note].filter(Boolean).join('; '),
  }))
  if (process.env['BENCH_LISTS']) printLists(shop, serving)
  return [...rows, ...seasonalRowsOfYears(shop, model), ...(await accuracy(shop))]
}

/** The order of the ranker, with what the buyer has bought. */
const withoutRules = (serving: ServingModel): ServingModel => ({
  ...serving,
  arrange: (ranked) => ranked,
  model: { ...serving.model, rhythm: allDueAgain(serving.model.items.count) },
})

/** A rhythm that excludes no purchase: everything is bought again at once. */
const allDueAgain = (items: number) => ({
  gap: new Float64Array(items),
  again: new Float64Array(items).fill(1),
  second: new Float64Array(items).fill(1),
})

const report = (line: string) => void process.stderr.write(`  ${line}\n`)

const row = (name: string, ours: number, unit: string, more: Partial<Row> = {}): Row => ({
  name: `shoppers: ${name}`,
  ours,
  unit,
  ...more,
})
const mean = (values: number[]): number =>
  values.reduce((sum, it) => sum + it, 0) / Math.max(1, values.length)
const percent = (values: number[]): number => 100 * mean(values)

function home(shop: Shop, serving: ServingModel, buyers: number[]): Row[] {
  const owned: number[] = []
  const firstOwned: number[] = []
  const due: number[] = []
  const tooEarly: number[] = []
  const largest: number[] = []
  const twins: number[] = []
  const seen: number[] = []
  const ignored: number[] = []
  const more: number[] = []
  for (const buyer of buyers) {
    const steps = shop.snapshot.buyers[buyer]!
    const list = listOf(shop, serving, { steps, layer: 'main_page', page: [] })
    const bought = lastPurchases(shop, steps)
    const durable = (id: number) => bought.has(id) && !usedUpAfterDays[shop.slugOf(id)]
    owned.push(list.filter(durable).length)
    firstOwned.push(Number(durable(list[0]!)))
    for (const [id, day] of bought) {
      const rhythm = usedUpAfterDays[shop.slugOf(id)]
      if (!rhythm) continue
      const age = (today - day) / rhythm
      if (age >= 0.8 && age <= 2) due.push(Number(list.includes(id)))
      if (age < 0.4) tooEarly.push(Number(list.includes(id)))
    }
    largest.push(largestShare(shop, list))
    twins.push(twinsIn(shop, list))
    const views = Map.groupBy(steps, (it) => shop.snapshot.products[it.item]!.productId)
    const isIgnored = (id: number) =>
      (views.get(id)?.length ?? 0) > 2 && views.get(id)!.every((it) => it.kind === 'view')
    seen.push(mean(list.map((id) => Number(views.has(id)))))
    ignored.push(list.filter(isIgnored).length)
    const owned30 = new Set(
      [...bought]
        .filter(([id, day]) => today - day <= 30 && !usedUpAfterDays[shop.slugOf(id)])
        .map(([id]) => shop.slugOf(id)),
    )
    if (owned30.size > 0) more.push(mean(list.slice(0, 10).map((id) => Number(owned30.has(shop.slugOf(id))))))
  }
  return [
    row('home: first place is a durable the buyer has', percent(firstOwned), '%', { bar: '0' }),
    row('home: durables the buyer has, per list', mean(owned), 'products', { bar: '0' }),
    row('home: consumables shown when due', percent(due), '%', { note: `${due.length} due` }),
    row('home: consumables shown too early', percent(tooEarly), '%', {
      bar: '0',
      note: `${tooEarly.length} fresh`,
    }),
    row('home: largest share of a category, mean', percent(largest), '%', { bar: '≤ 40' }),
    row(
      'home: more of the category of a durable bought in the last month, in the first ten',
      percent(more),
      '%',
      {
        note: `${more.length} buyers`,
      },
    ),
    row('home: products that the buyer has seen', percent(seen), '%', { bar: '≤ 50' }),
    row('home: seen three times and more without a reaction, per list', mean(ignored), 'products', {
      bar: '≤ 3',
    }),
    row('home: second colours of a model, per list', mean(twins), 'products', { bar: '≤ 0.5' }),
  ]
}

function newBuyer(shop: Shop, serving: ServingModel): Row[] {
  const list = newList(shop, serving)
  return [
    row('new buyer: largest share of a category', 100 * largestShare(shop, list), '%', { bar: '≤ 10' }),
    row('new buyer: categories in the list', new Set(list.map(shop.slugOf)).size, 'categories'),
    ...seasonalRows(shop, [{ list, at: until }], ''),
  ]
}

function productPages(shop: Shop, serving: ServingModel, buyers: number[]): Row[] {
  const alternatives: number[] = []
  const far: number[] = []
  const others: number[] = []
  for (const buyer of buyers) {
    const steps = shop.snapshot.buyers[buyer]!
    const page = shop.snapshot.products[steps.at(-1)!.item]!.productId
    const list = listOf(shop, serving, { steps, layer: 'offer_page', page: [page] })
    const isSame = (id: number) => shop.slugOf(id) === shop.slugOf(page)
    const ratio = (id: number) => shop.products.get(id)!.price / shop.products.get(page)!.price
    const isNear = (id: number) => ratio(id) >= 1 / 3 && ratio(id) <= 3
    alternatives.push(mean(list.slice(0, 10).map((id) => Number(isSame(id) && isNear(id)))))
    far.push(mean(list.slice(0, 10).map((id) => Number(isSame(id) && !isNear(id)))))
    others.push(mean(list.map((id) => Number(!isSame(id)))))
  }
  return [
    row('product page: alternatives of a similar price in the first ten', percent(alternatives), '%'),
    row('product page: same category, other price, in the first ten', percent(far), '%'),
    row('product page: other categories in the list', percent(others), '%'),
    sameSize(shop, serving),
    sameVariety(shop, serving),
  ]
}

/** For tyres: others of the same size and variety exist for each. */
function sameVariety(shop: Shop, serving: ServingModel): Row {
  const nameOf = (id: number) => shop.products.get(id)!.record.name.en
  const varietyOf = (id: number) => /\S+ tyre$/.exec(nameOf(id))?.[0]
  const tyres = [...shop.products.keys()].filter((id) => varietyOf(id) !== undefined)
  const shares = tyres.map((page) => {
    const list = listOf(shop, serving, { steps: [], layer: 'offer_page', page: [page] })
    return mean(list.slice(0, 2).map((id) => Number(varietyOf(id) === varietyOf(page))))
  })
  return row('product page of tyres: the same variety in the first two', percent(shares), '%', {
    note: `${tyres.length} pages`,
  })
}

/** For products whose size must fit: tyres and diapers that others of the same size exist for. */
function sameSize(shop: Shop, serving: ServingModel): Row {
  const sizeOf = (id: number) =>
    /\d+\/\d+ R\d+|size \d/.exec(shop.products.get(id)!.record.name.en)?.[0] ?? null
  const sized = [...shop.products.keys()].filter((id) => sizeOf(id) !== null)
  const shares = sized.map((page) => {
    const list = listOf(shop, serving, { steps: [], layer: 'offer_page', page: [page] })
    return mean(list.slice(0, 3).map((id) => Number(sizeOf(id) === sizeOf(page))))
  })
  return row('product page of tyres and diapers: the same size in the first three', percent(shares), '%', {
    note: `${sized.length} pages`,
  })
}

function carts(shop: Shop, serving: ServingModel, buyers: number[]): Row[] {
  const same: number[] = []
  const goesWith: number[] = []
  for (const buyer of buyers) {
    const steps = shop.snapshot.buyers[buyer]!
    const carted = steps.findLast((it) => it.kind === 'cart' && companions[slugOfItem(shop, it.item)])
    if (!carted) continue
    const page = shop.snapshot.products[carted.item]!.productId
    const list = listOf(shop, serving, { steps, layer: 'cart_page', page: [page] })
    same.push(mean(list.map((id) => Number(shop.slugOf(id) === shop.slugOf(page)))))
    const wanted = companions[shop.slugOf(page)]!
    goesWith.push(mean(list.slice(0, 10).map((id) => Number(wanted.includes(shop.slugOf(id))))))
  }
  const note = `${same.length} carts with a product that has companions`
  return [
    row('cart: more of the same category in the list', percent(same), '%', { bar: '≤ 10', note }),
    row('cart: companions in the first ten', percent(goesWith), '%', { note }),
  ]
}

/** NDCG@10 of the last week before and after the rules of the pages: what they cost. */
async function accuracy(shop: Shop): Promise<Row[]> {
  const from = today - 7
  const { model } = await fitModel(
    {
      ...shop.snapshot,
      until: new Date(from * dayMs),
      buyers: shop.snapshot.buyers.map((steps) => steps.filter((it) => it.day < from)),
    },
    { seed: 1, threads: 2, strides: 'long', report },
  )
  const { ranker, arrange } = prepareModel(0, model)
  const builder = exampleBuilderOf(model)
  const cases = casesBetween(
    { ...shop.snapshot, items: model.items },
    { from, to: today, most: measuredCases },
  )
  const figures = cases.map((testCase) => {
    const { candidates, features } = exampleOf(builder, testCase)
    const scores = ranker?.scores(features, candidates.items.length)
    const ranked = orderOf(candidates.items, scores) ?? candidates.items
    const relevant = new Set(testCase.grades.keys())
    const { layer } = testCase.query
    const categoryOf = (item: number) => model.items.categories[item]!
    const onPage = new Set(testCase.query.context.map(categoryOf))
    const shown = [...arrange(ranked, testCase.query, limit)]
    return {
      layer,
      buyer: testCase.buyer,
      isOther: [...relevant].some((item) => !onPage.has(categoryOf(item))),
      blended: ndcgAt(candidates.items, relevant, 10),
      before: ndcgAt(ranked, relevant, 10),
      unmixed: ndcgAt(arrange(ranked, testCase.query, limit, 0), relevant, 10),
      after: ndcgAt(shown, relevant, 10),
      explored: ndcgAt([...shown.slice(0, 9), -1, ...shown.slice(9)], relevant, 10),
    }
  })
  const rowOf = (name: string, own: typeof figures): Row => {
    const meanOf = (it: 'blended' | 'before' | 'unmixed' | 'after' | 'explored') =>
      mean(own.map((figure) => figure[it])).toFixed(4)
    const { gain, error } = relativeGainOf(
      own.map(({ buyer, unmixed, after }) => ({ group: buyer, before: [unmixed], after: [after] })),
    )
    return row(`NDCG@10 of the last week, ${name}`, Number(meanOf('after')), '', {
      note: `the mix costs ${(-gain * 100).toFixed(1)} %, standard error ${(error * 100).toFixed(1)} %; ${meanOf('blended')} by the blend, ${meanOf('before')} as ranked, ${meanOf('unmixed')} with unwanted products last, ${meanOf('explored')} with a useless new product at the tenth place; ${own.length} queries`,
    })
  }
  const layers = ['main_page', 'offer_page', 'cart_page'] as const
  const carts = figures.filter((it) => it.layer === 'cart_page' && it.isOther)
  return [
    ...layers.map((layer) =>
      rowOf(
        `${layer}, rules decide ${model.ruleShares[layer] * 100} %`,
        figures.filter((it) => it.layer === layer),
      ),
    ),
    rowOf('cart_page, answers of other categories than those of the cart', carts),
  ]
}

const slugOfItem = (shop: Shop, item: number): string => shop.slugOf(shop.snapshot.products[item]!.productId)

function largestShare({ slugOf }: Shop, list: number[]): number {
  const counts = Map.groupBy(list, slugOf)
  return Math.max(...[...counts.values()].map((it) => it.length)) / Math.max(1, list.length)
}

/** Products that differ from an earlier one of the list in one word without digits, at the same price. */
function twinsIn({ products }: Shop, list: number[]): number {
  const isTwin = (a: Product, b: Product) => {
    const [one, other] = [a, b].map((it) => it.record.name.en.split(/[ ,]+/))
    const different = one!.filter((word, at) => word !== other![at])
    return (
      a.record.category_id === b.record.category_id &&
      a.record.brand_id === b.record.brand_id &&
      Math.abs(a.price - b.price) < 1 &&
      one!.length === other!.length &&
      different.length === 1 &&
      !/\d/.test(different[0]!)
    )
  }
  return list.filter((id, at) =>
    list.slice(0, at).some((before) => isTwin(products.get(id)!, products.get(before)!)),
  ).length
}
