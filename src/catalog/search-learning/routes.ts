// What was learned from searches, for operators.

import { type Static, type TSchema, Type } from 'typebox'
import { get, patch, type Route } from '../../http/route.ts'
import { flag, idText, instant, integer, list, nullable, strict, named } from '../../http/schema.ts'
import { switchLearning } from './learn-search.ts'
import { loadLearning, type SearchLearning, type StoredPart } from './store.ts'
import { featureShares } from './ranker.ts'

const maxShown = 1_000

const comparison = nullable(
  Type.Object(
    {
      weight: Type.Number({ description: 'Weight of the interactions that were compared.' }),
      plain: Type.Number(),
      learned: Type.Number(),
    },
    { description: 'Mean of 1 / place of what buyers chose on the held-out days, without and with it.' },
  ),
)

const enabled = Type.Boolean({ description: 'Whether operators allow it.' })
const active = Type.Boolean({
  description: 'Whether searches use it: it is enabled and won on the held-out days.',
})
const partReply = <T extends Record<string, TSchema>>(learned: T, description: string) =>
  Type.Object({ enabled, active, comparison, ...learned }, { description })

const reply = Type.Object({
  learning: named(
    'SearchLearning',
    Type.Object({
      enabled: Type.Boolean({ description: 'Whether operators allow any of it.' }),
      active: Type.Boolean({
        description:
          'Whether searches use predicted categories: they are enabled and won on the held-out days.',
      }),
      comparison,
      predictions: list(
        Type.Object({
          query: Type.String(),
          category_id: idText,
          share: Type.Number(),
          weight: Type.Number(),
        }),
        maxShown,
      ),
      predictions_enabled: Type.Boolean({ description: 'Whether operators allow predicted categories.' }),
      synonyms: partReply(
        {
          lines: list(
            Type.Object({
              query: Type.String({ examples: ['зарядник'] }),
              meant: Type.String({ examples: ['зарядное устройство'] }),
              similarity: Type.Number({ description: 'Cosine of what both queries led to.' }),
              weight: Type.Number(),
            }),
            maxShown,
          ),
        },
        'Queries that mean another query: both led to the same products, and only the other one finds them.',
      ),
      ranker: partReply(
        {
          queries: integer(0, Number.MAX_SAFE_INTEGER, {
            description: 'How many queries it knows choices of.',
          }),
          features: list(Type.Object({ name: Type.String(), share: Type.Number() }), 50),
        },
        'Trees that order products that match nearly alike; `features` says how much each input changes the order.',
      ),
      version: integer(1, Number.MAX_SAFE_INTEGER),
      learned_at: nullable(instant),
    }),
  ),
})

const view = ({ isEnabled, parts, version, learnedAt }: SearchLearning): Static<typeof reply> => {
  const stateOf = (it: StoredPart<unknown>) => ({
    enabled: it.isEnabled,
    active: isEnabled && it.isEnabled && it.isWinning,
    comparison: it.comparison,
  })
  const { predictions, synonyms, ranker } = parts
  return {
    learning: {
      ...stateOf(predictions),
      enabled: isEnabled,
      predictions: predictions.learned
        .toSorted((a, b) => b.weight - a.weight)
        .slice(0, maxShown)
        .map(({ query, categoryId, share, weight }) => ({
          query,
          category_id: String(categoryId),
          share,
          weight,
        })),
      predictions_enabled: predictions.isEnabled,
      synonyms: { ...stateOf(synonyms), lines: synonyms.learned.slice(0, maxShown) },
      ranker: {
        ...stateOf(ranker),
        queries: ranker.learned?.statistics.queries.length ?? 0,
        features: ranker.learned ? featureShares(ranker.learned.model) : [],
      },
      version,
      learned_at: learnedAt?.toISOString() ?? null,
    },
  }
}

export const searchLearningRoutes: Route[] = [
  get('/v1/admin/search/learning', {
    summary: 'Get what was learned from searches',
    scope: 'admin:read',
    reply,
    run: async ({ read }) => {
      const learning = await loadLearning(read)
      return { data: view(learning), version: learning.version, isVolatile: true }
    },
  }),
  patch('/v1/admin/search/learning', {
    summary: 'Switch learning from searches on or off',
    description:
      '`enabled` allows or forbids everything, the other fields one part each. Off, every search is as if it had not been learned.',
    scope: 'admin:write',
    body: strict({
      enabled: Type.Optional(flag),
      predictions_enabled: Type.Optional(flag),
      synonyms_enabled: Type.Optional(flag),
      ranker_enabled: Type.Optional(flag),
    }),
    reply,
    versioned: true,
    run: async ({ tx, body, ifMatch }) => {
      const saved = await switchLearning(tx, {
        isEnabled: body.enabled,
        parts: {
          predictions: body.predictions_enabled,
          synonyms: body.synonyms_enabled,
          ranker: body.ranker_enabled,
        },
        ifMatch,
      })
      return { data: view(saved), version: saved.version }
    },
  }),
]
