// What was learned from searches, for operators.

import { Type } from 'typebox'
import { get, patch, type Route } from '../../http/route.ts'
import { flag, idText, instant, integer, list, nullable, strict } from '../../http/schema.ts'
import { switchLearning } from './learn-search.ts'
import { loadLearning, type SearchLearning } from './store.ts'

const maxShown = 1_000

const reply = Type.Object({
  learning: Type.Object({
    enabled: Type.Boolean({ description: 'Whether operators allow it.' }),
    active: Type.Boolean({
      description: 'Whether searches use it: it is enabled and won on the held-out days.',
    }),
    comparison: nullable(
      Type.Object(
        {
          weight: Type.Number({ description: 'Weight of the interactions that were compared.' }),
          plain: Type.Number(),
          learned: Type.Number(),
        },
        { description: 'Mean of 1 / place of what buyers chose on the held-out days, without and with it.' },
      ),
    ),
    predictions: list(
      Type.Object({ query: Type.String(), category_id: idText, share: Type.Number(), weight: Type.Number() }),
      maxShown,
    ),
    version: integer(1, Number.MAX_SAFE_INTEGER),
    learned_at: nullable(instant),
  }),
})

const view = (it: SearchLearning) => ({
  learning: {
    enabled: it.isEnabled,
    active: it.isEnabled && it.isWinning,
    comparison: it.comparison,
    predictions: it.predictions
      .toSorted((a, b) => b.weight - a.weight)
      .slice(0, maxShown)
      .map(({ query, categoryId, share, weight }) => ({
        query,
        category_id: String(categoryId),
        share,
        weight,
      })),
    version: it.version,
    learned_at: it.learnedAt?.toISOString() ?? null,
  },
})

export const searchLearningRoutes: Route[] = [
  get('/v1/admin/search/learning', {
    summary: 'Get what was learned from searches',
    scope: 'admin:read',
    reply,
    run: async ({ read }) => ({ data: view(await loadLearning(read)) }),
  }),
  patch('/v1/admin/search/learning', {
    summary: 'Switch learning from searches on or off',
    description: 'Off, every search is as if nothing had been learned.',
    scope: 'admin:write',
    body: strict({ enabled: flag }),
    reply,
    versioned: true,
    run: async ({ tx, body, ifMatch }) => {
      const saved = await switchLearning(tx, { isEnabled: body.enabled, ifMatch })
      return { data: view(saved), version: saved.version }
    },
  }),
]
