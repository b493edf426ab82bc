// Training examples for external rankers: one row per candidate, with the features that training and serving use.

import { dayMs } from '../../base/clock.ts'
import type { Database } from '../../base/database.ts'
import { casesBetween } from '../models/cases.ts'
import { featureNames } from '../serving/features.ts'
import { fitter } from '../models/fit-model.ts'
import { exampleOf, exampleBuilderOf } from '../models/training-examples.ts'
import { parseModelFile } from '../models/model-file.ts'
import type { Model } from '../models/model.ts'
import { inheritedFrom } from '../models/serving-baseline.ts'
import { findActive, readBytes } from '../models/store.ts'
import { readSnapshot } from '../models/read-snapshot.ts'
import type { Cell, Rows } from './rows.ts'

export const maxDays = 60
export const defaultDays = 14
const maxCasesPerDay = 2_000
const columns = ['query', 'at', 'product_id', 'label', ...featureNames]

export interface FeatureExportOptions {
  /** How many days of visits are exported. */
  days: number
  /** The end of those days; now by default. */
  until?: Date | undefined
  threads: number
}

/**
 * Visits of some days as queries to a model trained before them. Queries are numbered in order of time, their candidates
 * are in the order of the blend. Deterministic for the same data and `until`: interactions, products, the active model,
 * orders on credit, and the credit limit, which is the present one also for past visits.
 */
export const featureRows = (db: Database, options: FeatureExportOptions): Rows => ({
  columns,
  batches: batches(db, options),
})

async function* batches(
  db: Database,
  { days, until, threads }: FeatureExportOptions,
): AsyncGenerator<Cell[][], void> {
  const snapshot = await readSnapshot(db, until)
  const today = snapshot.until.getTime() / dayMs
  if (snapshot.products.length === 0) return
  const live = await liveModel(db)
  const fitted = fitter(snapshot, { threads }, live && inheritedFrom(live, snapshot.products))
  const model = await fitted(today - days)
  const builder = exampleBuilderOf(model)
  let query = 0
  for (let from = today - days; from < today; from++)
    for (const asked of casesBetween(
      { ...snapshot, items: model.items },
      { from, to: from + 1, most: maxCasesPerDay },
    )) {
      query++
      const { candidates, features, labels } = exampleOf(builder, asked)
      const at = new Date(Math.round(asked.query.day * dayMs)).toISOString()
      yield labels.map((label, row): Cell[] => [
        query,
        at,
        model.items.productIds[candidates.items[row]!]!,
        label,
        ...features.map((column) => shortest(column[row]!)),
      ])
    }
}

/** Nine digits identify a 32-bit float. */
const shortest = (value: number): number => Number(value.toPrecision(9))

/** The active model, for its external model; undefined when it cannot be read. */
async function liveModel(db: Database): Promise<Model | undefined> {
  const active = await findActive(db.read())
  try {
    return active && parseModelFile(await readBytes(db.read(), active.id))
  } catch {
    return undefined
  }
}
