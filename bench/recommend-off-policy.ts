// Off-policy estimates on the demo shop against the truth of its simulation: lists of the blend are logged with shuffled first
// places and simulated clicks, and tell what the ranker would have earned. The simulation knows the chance of every click.

import { seededRandom } from '../src/ml/random.ts'
import { estimateOffPolicy, type LoggedOutcome } from '../src/recommendations/experiments/off-policy.ts'
import { shuffledPlaces, shuffleFor } from '../src/recommendations/experiments/shuffle.ts'
import { prepareModel, type ServingModel } from '../src/recommendations/models/active-model.ts'
import { fitModel } from '../src/recommendations/models/fit-model.ts'
import { orderOf } from '../src/recommendations/models/measure.ts'
import { excludedItems } from '../src/recommendations/serving/candidates.ts'
import { profileOf } from '../src/recommendations/serving/buyer-profile.ts'
import type { ModelQuery } from '../src/recommendations/serving/model-query.ts'
import { openShop, type Shop, today } from './demo-shop.ts'
import type { Row } from './row.ts'

const share = 0.3
const rounds = 100
/** The chance that a place is looked at. */
const looked = [0.6, 0.5, 0.4, 0.3, 0.25, 0.2]

export async function bench(): Promise<Row[]> {
  const shop = openShop()
  const { model } = await fitModel(shop.snapshot, { seed: 1, threads: 2, strides: 'long', report })
  const [logging, other] = [prepareModel(0, { ...model, ranker: undefined }), prepareModel(1, model)]
  const lists = shop.snapshot.buyers.map((_, buyer) => ({
    buyer,
    shown: firstOf(shop, logging, buyer),
    wanted: firstOf(shop, other, buyer),
  }))
  const inOneList = lists.map(({ buyer, shown, wanted }) => ({
    buyer,
    shown,
    wanted: [...wanted.filter((it) => shown.includes(it)), ...shown.filter((it) => !wanted.includes(it))],
  }))
  return [
    ...compared(shop, 'the ranker', lists),
    ...compared(shop, 'the products of the blend, as the ranker orders them', inOneList),
  ]
}

const report = (line: string) => void process.stderr.write(`  ${line}\n`)

/** The first products of a main page. */
function firstOf(
  { snapshot }: Shop,
  { model, propose, describe, ranker, arrange }: ServingModel,
  buyer: number,
): number[] {
  const query: ModelQuery = {
    layer: 'main_page',
    context: [],
    profile: profileOf(model.items, snapshot.buyers[buyer]!.slice(-200)),
    day: today,
    place: null,
  }
  const candidates = propose(query, { limit: 200, out: excludedItems(model, query) })
  const scores = ranker?.scores(describe(query, candidates), candidates.items.length)
  const list = arrange(orderOf(candidates.items, scores) ?? candidates.items, query, 30)
  return Array.from(list.subarray(0, shuffledPlaces), (item) => model.items.productIds[item]!)
}

interface BothLists {
  buyer: number
  shown: number[]
  wanted: number[]
}

function compared({ clickChance }: Shop, name: string, lists: readonly BothLists[]): Row[] {
  const chanceOf = (buyer: number, product: number, place: number) =>
    looked[place]! * clickChance(buyer, product)
  const earned = (of: 'shown' | 'wanted') =>
    mean(
      lists.map((it) => it[of].reduce((sum, product, place) => sum + chanceOf(it.buyer, product, place), 0)),
    )
  const [present, truth] = [earned('shown'), earned('wanted')]
  const found = Array.from({ length: rounds }, (_, round) => {
    const random = seededRandom(round + 1)
    const logged = lists.map(({ buyer, shown, wanted }): LoggedOutcome => {
      const shuffle = shuffleFor(`${round}-${buyer}`, share, shown.length)
      return {
        buyer: String(buyer),
        shuffle,
        rewards: shuffle.order.map((from, place) => Number(random() < chanceOf(buyer, shown[from]!, place))),
        target: wanted.map((product) => shown.indexOf(product)),
      }
    })
    return estimateOffPolicy(logged)
  })
  const covered = (of: 'inversePropensity' | 'doublyRobust') =>
    (100 * found.filter((it) => it[of].low <= truth && truth <= it[of].high).length) / rounds
  const rowOf = (of: 'inversePropensity' | 'doublyRobust', title: string): Row => ({
    name: `off-policy: ${name}, ${title}`,
    ours: mean(found.map((it) => it[of].value)),
    unit: 'clicks a list',
    note: `truth ${truth.toFixed(4)}, of the present lists ${present.toFixed(4)}; the interval of ±${mean(found.map((it) => (it[of].high - it[of].low) / 2)).toFixed(4)} holds it in ${covered(of)} % of ${rounds} rounds; support ${found[0]!.support.toFixed(2)}`,
  })
  return [rowOf('inversePropensity', 'inverse propensities'), rowOf('doublyRobust', 'doubly robust')]
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, it) => sum + it, 0) / Math.max(1, values.length)
