import type { Database } from '../../base/db.ts'
import { refuse } from '../../base/refusal.ts'
import { type Model, noMetrics } from '../engine/model.ts'
import { movedTo } from '../engine/outside.ts'
import { readModel } from '../read-model.ts'
import { findActive, type ModelRecord } from '../store/models.ts'
import { joinToLive } from '../training/join-to-live.ts'
import { type KnowledgeReport, type KnowledgeTerms, readKnowledge } from './read-knowledge.ts'

/** Joins what another engine has learnt to the model that serves, in the place of what it had from outside before. */
export async function importKnowledge(
  db: Database,
  source: AsyncIterable<Uint8Array>,
  { until = db.clock.now(), ...terms }: Partial<KnowledgeTerms>,
): Promise<{ model: ModelRecord; report: KnowledgeReport }> {
  if (until > db.clock.now())
    throw refuse('validation_failed', {
      fields: [{ path: 'learnt_until', rule: 'past', limit: db.clock.now().toISOString() }],
    })
  const active = await findActive(db.read())
  if (!active)
    throw refuse('conflict', { reason: 'no model serves yet, so nobody knows which products there are' })
  const { items } = await readModel(db, active.id)
  const { outside, report } = await readKnowledge(source, items, { ...usualTerms, ...terms, until })
  const model = await joinToLive(db, 'imported', (live) => ({
    ...live,
    outside: movedTo(outside, items, live.items),
    metrics: noMetrics,
  }))
  return { model, report }
}

/** As Spark has them unless it is told otherwise. */
const usualTerms = { alpha: 1, regularisation: 0.1 }

/** A model without what was brought in from another engine. */
export function withoutKnowledge(live: Model): Model {
  if (!live.outside) throw refuse('not_found')
  return { ...live, outside: undefined, metrics: noMetrics }
}
