// Results of an experiment: each group's figures with intervals, and its difference from the first group.

import type { Source } from '../serving/request.ts'
import type { GroupSums } from './metrics-store.ts'
import type { Experiment } from './experiment.ts'
import { type Difference, differenceOf, type Estimate, ratioOf, shareOf } from './intervals.ts'

/** Lists with a click, lists with a purchase and revenue, each per list; and the share of buyers who purchased. */
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
  bySource: { source: Source; figures: Figures }[]
  /** From the first group; null for the first group and for a group without lists. */
  differences: Record<Measure, Difference> | null
}

/** A group without lists has zeros. */
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
      figures: own ?? noFigures,
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

const zero: Estimate = { value: 0, low: 0, high: 0, standardError: 0 }
const noFigures: Figures = {
  buyers: 0,
  lists: 0,
  clicks: 0,
  purchases: 0,
  purchasesAfterClick: 0,
  revenueTiyin: 0,
  ctr: zero,
  conversion: zero,
  revenuePerList: zero,
  buyersConverted: zero,
}
