// Which products of the buyer's history and of the page made a candidate source propose an item: each source is explained
// for the items that it is asked with in `candidates.ts`.

import type { Explainer, Reason } from '../../ml/retrieval/explainers.ts'
import { neighbourExplainer } from '../../ml/retrieval/explainers.ts'
import { ialsExplainer } from '../../ml/retrieval/ials.ts'
import { familyOf, type Params } from '../../ml/selection/families.ts'
import { foldedFactors, neighbourReach } from '../models/external-model.ts'
import type { Model } from '../models/model.ts'
import type { LearnerName } from '../models/sources.ts'
import {
  againShare,
  alikeReach,
  categoriesOf,
  companionReach,
  externalTrail,
  pageReach,
  type SourceName,
} from '../serving/candidates.ts'
import { focusOf, type ModelQuery, trailOf, visitOf } from '../serving/model-query.ts'

/** The reasons of a source for an item. They add up to its score, and are empty where no product is a reason. */
export type SourceReasons = (query: ModelQuery, source: SourceName, item: number) => Reason[]

/** Nothing is computed before the first explanation. */
export function sourceReasonsOf(model: Model): SourceReasons {
  const known = new Map<string, Explainer>()
  const explainer = (name: string, make: () => Explainer | undefined): Explainer => {
    const found = known.get(name) ?? make() ?? (() => [])
    known.set(name, found)
    return found
  }
  const learned = (name: LearnerName, more: Params = {}): Explainer =>
    explainer(`${name} ${JSON.stringify(more)}`, () => {
      const own = model.learned[name]
      return own && familyOf(own.kind)!.explain(own.tables, { ...own.params, ...more }, model.items.count)
    })
  return (query, source, item) => {
    switch (source) {
      case 'ease_history':
        return learned('regression')(trailOf(query), item)
      case 'ease_focus':
        return learned('regression', { ...pageReach(model.learned) })(focusOf(query), item)
      case 'walk_history':
        return learned('walk')(trailOf(query), item)
      case 'rules_focus':
        return learned('rules')(visitOf(query), item)
      case 'baskets_focus':
        return learned('baskets')(focusOf(query), item)
      case 'sessions_visit':
        return learned('sessions')(visitOf(query), item)
      case 'factors_history':
        return learned('factors')(trailOf(query), item)
      case 'alike_history':
        return learned('alike')(trailOf(query), item)
      case 'alike_focus':
        return neighbourExplainer(model.alike, alikeReach)(focusOf(query), item)
      case 'external':
        return explainer('external', () => externalExplainer(model))(externalTrail(query), item)
      case 'companions_focus':
        return companionReasons(model, query, item)
      case 'again':
        return [{ from: item, added: againShare(trailOf(query), item) }]
      case 'repeat':
        return [{ from: item, added: 1 }]
      case 'popular':
        return []
    }
  }
}

function externalExplainer({ external }: Model): Explainer | undefined {
  if (!external) return undefined
  const { content } = external
  return content.kind === 'neighbours'
    ? neighbourExplainer(content.graph, neighbourReach)
    : ialsExplainer(foldedFactors(content))
}

/** Companions go with categories: the last product of the page in a category stands for it. */
function companionReasons(model: Model, { context }: ModelQuery, item: number): Reason[] {
  const { categories } = model.items
  const rows = categoriesOf(model)(context)
  return neighbourExplainer(model.companions.weights, companionReach)(rows, item).flatMap(
    ({ from, added }) => {
      const category = model.companions.categories[from!]
      const product = context.findLast((it) => categories[it] === category)
      return product === undefined ? [] : [{ from: product, added }]
    },
  )
}
