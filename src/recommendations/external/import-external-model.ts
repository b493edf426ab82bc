import type { Database } from '../../base/database.ts'
import { conflict } from '../../base/conflict.ts'
import { refuse } from '../../base/refusal.ts'
import { type Model, noMetrics } from '../models/model.ts'
import { remapTo } from '../models/external-model.ts'
import { readModel } from '../models/read-model.ts'
import { findActive, type ModelRecord } from '../models/store.ts'
import { joinToLive } from '../models/join-to-live.ts'
import {
  type ImportPart,
  type ImportReport,
  type ImportOptions,
  readExternalModel,
} from './read-external-model.ts'

/** Adds an external model to the active model, in place of an earlier one. */
export async function importExternalModel(
  db: Database,
  source: AsyncIterable<Uint8Array> | readonly ImportPart[],
  { until = db.clock.now(), ...terms }: Partial<ImportOptions>,
): Promise<{ model: ModelRecord; report: ImportReport }> {
  if (until > db.clock.now())
    throw refuse('validation_failed', {
      fields: [{ path: 'trained_until', rule: 'past', limit: db.clock.now().toISOString() }],
    })
  const active = await findActive(db.read())
  if (!active) throw conflict('no_active_model', {})
  const { items } = await readModel(db, active.id)
  const { external, report } = await readExternalModel(
    Array.isArray(source) ? source : [{ name: '', source }],
    items,
    {
      ...sparkDefaults,
      ...terms,
      until,
    },
  )
  const model = await joinToLive(db, 'imported', (live) => ({
    ...live,
    external: remapTo(external, items, live.items),
    metrics: noMetrics,
  }))
  return { model, report }
}

/** The defaults of Spark's ALS. */
const sparkDefaults = { alpha: 1, regularisation: 0.1 }

/** The model without its external model. */
export function withoutExternalModel(live: Model): Model {
  if (!live.external) throw refuse('not_found', { resource: 'external_model' })
  return { ...live, external: undefined, metrics: noMetrics }
}
