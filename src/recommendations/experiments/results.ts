// What an experiment has shown so far: each group's figures with their intervals, and how it differs from the first.

import type { GroupSums } from '../store/outcomes.ts'
import type { Experiment } from './experiment.ts'
import { type Difference, differenceOf, type Estimate, ratioOf, shareOf } from './intervals.ts'

/** Lists with a click, lists with a purchase, and money, each per list; and the share of buyers who bought. */
export const measures = ['ctr', 'conversion', 'revenuePerList', 'buyersConverted'] as const
export type Measure = (typeof measures)[number]

export interface Figures extends Record<Measure, Estimate> {
  buyers: number
  lists: number
  clicks: number
  purchases: number
  purchasesAfterClick: number
  revenueTiyin: number
}

export interface GroupResult {
  group: string
  figures: Figures
  bySource: { source: string; figures: Figures }[]
  /** From the first group; null for the first itself, and for a group that has shown nothing. */
  differences: Record<Measure, Difference> | null
}

/** A group that has shown nothing yet has nought everywhere. */
export function resultsOf({ groups }: Pick<Experiment, 'groups'>, sums: readonly GroupSums[]): GroupResult[] {
  const figuresOf = (group: string) => {
    const all = sums.find((it) => it.group === group && it.source === null)
    return all && figures(all)
  }
  const first = figuresOf(groups[0]!.name)
  return groups.map(({ name }, at) => {
    const own = figuresOf(name)
    return {
      group: name,
      figures: own ?? nothing,
      bySource: sums.flatMap((it) =>
        it.group === name && it.source !== null ? [{ source: it.source, figures: figures(it) }] : [],
      ),
      differences: at > 0 && own && first ? differences(own, first) : null,
    }
  })
}

function figures(it: GroupSums): Figures {
  const perList = (y: number, yy: number, xy: number) =>
    ratioOf({ buyers: it.buyers, x: it.lists, xx: it.listsSquared, y, yy, xy })
  return {
    buyers: it.buyers,
    lists: it.lists,
    clicks: it.clicks,
    purchases: it.purchases,
    purchasesAfterClick: it.purchasesAfterClick,
    revenueTiyin: it.revenueTiyin,
    ctr: perList(it.clicked, it.clickedSquared, it.listsClicked),
    conversion: perList(it.converted, it.convertedSquared, it.listsConverted),
    revenuePerList: perList(it.revenueTiyin, it.revenueSquared, it.listsRevenue),
    buyersConverted: shareOf(it.purchasers, it.buyers),
  }
}

const differences = (own: Figures, first: Figures): Record<Measure, Difference> => ({
  ctr: differenceOf(own.ctr, first.ctr),
  conversion: differenceOf(own.conversion, first.conversion),
  revenuePerList: differenceOf(own.revenuePerList, first.revenuePerList),
  buyersConverted: differenceOf(own.buyersConverted, first.buyersConverted),
})

const nought: Estimate = { value: 0, low: 0, high: 0, standardError: 0 }
const nothing: Figures = {
  buyers: 0,
  lists: 0,
  clicks: 0,
  purchases: 0,
  purchasesAfterClick: 0,
  revenueTiyin: 0,
  ctr: nought,
  conversion: nought,
  revenuePerList: nought,
  buyersConverted: nought,
}
