// Questions whose answers are known, as a ranker sees them: a row per candidate, by the one definition of features that
// training and serving have. Whoever learns from them elsewhere makes a ranker that fits.

import type { Database } from '../../base/db.ts'
import { casesWithin } from '../engine/cases.ts'
import { featureNames } from '../engine/features.ts'
import { fitter } from '../engine/fit-model.ts'
import { lessonOf, schoolOf } from '../engine/lessons.ts'
import { readFile } from '../engine/model-file.ts'
import type { Model } from '../engine/model.ts'
import { findActive, readBytes } from '../store/models.ts'
import { readSnapshot } from '../training/read-snapshot.ts'
import type { Cell, Rows } from './written-rows.ts'

export const mostDays = 60
export const usualDays = 14
const mostCasesADay = 2_000
const dayMs = 86_400_000
const columns = ['query', 'at', 'product_id', 'label', ...featureNames]

export interface FeatureWish {
  /** The visits of so many days are asked. */
  days: number
  /** The end of those days; now unless said. */
  until?: Date | undefined
  threads: number
}

/**
 * The visits of some days, asked of candidates that were learnt before them. Queries are numbered in the order of time,
 * and their candidates stand in the order of the blend. The same deeds and the same `until` give the same rows.
 */
export const featureRows = (db: Database, wish: FeatureWish): Rows => ({
  columns,
  batches: batches(db, wish),
})

async function* batches(db: Database, { days, until, threads }: FeatureWish): AsyncGenerator<Cell[][], void> {
  const snapshot = await readSnapshot(db, until)
  const today = snapshot.until.getTime() / dayMs
  if (snapshot.wares.length === 0) return
  const fitted = await fitter(snapshot, { threads }, await liveModel(db))
  const model = await fitted(today - days)
  const school = schoolOf(model)
  let query = 0
  for (let from = today - days; from < today; from++)
    for (const asked of casesWithin(
      { ...snapshot, items: model.items },
      { from, to: from + 1, most: mostCasesADay },
    )) {
      query++
      const { candidates, features, labels } = lessonOf(school, asked)
      const at = new Date(Math.round(asked.inquiry.day * dayMs)).toISOString()
      yield labels.map((label, row): Cell[] => [
        query,
        at,
        model.items.productIds[candidates.items[row]!]!,
        label,
        ...features.map((column) => shortest(column[row]!)),
      ])
    }
}

/** Nine digits tell a number of four bytes from all others. */
const shortest = (value: number): number => Number(value.toPrecision(9))

/** For what it has from outside; one that cannot be read has nothing. */
async function liveModel(db: Database): Promise<Model | undefined> {
  const active = await findActive(db.read())
  try {
    return active && readFile(await readBytes(db.read(), active.id))
  } catch {
    return undefined
  }
}
