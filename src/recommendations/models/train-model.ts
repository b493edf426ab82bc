import type { Database } from '../../base/database.ts'
import type { FitOptions } from './fit-parts.ts'
import { type Fitted, fitModel } from './fit-model.ts'
import type { Comparison, Figures, Metrics, Model } from './model.ts'
import { ModelRejected, parseModelFile } from './model-file.ts'
import { historiesOf } from './histories.ts'
import type { TrainingProduct } from './items.ts'
import { inheritedFrom, type ServingBaseline } from './serving-baseline.ts'
import * as store from './store.ts'
import { withRetries, readSnapshot } from './read-snapshot.ts'
import { type Measurement, recordProgress } from './training-progress.ts'
import { encodeModel, saveModel, activateModel } from './save-model.ts'

/** With fewer interactions nothing is trained. */
const fewestInteractions = 500
/** A new model may be this much worse than the serving one; smaller differences are noise. */
const margin = 0.85
/** With fewer cases models are not compared. */
const fewestCompared = 100

export interface Outcome {
  outcome: 'activated' | 'rejected' | 'skipped'
  note: string
  modelId: number | null
  metrics: Metrics | null
}

export interface TrainOptions extends Pick<FitOptions, 'seed' | 'threads' | 'strides' | 'budgetSeconds'> {
  /** Time to search for better families and parameters; without it the sources keep those of the active model. */
  searchSeconds?: number | 'by_size'
  /** Replaces an uploaded ranker with our own. */
  replacesRanker?: boolean
  /** The id of its record, when the caller created it. */
  trainingId?: number
  /** Called with the id of the training's record. */
  began?: (trainingId: number) => void
  /** Reports progress; awaited. */
  report: (line: string) => void | Promise<void>
}

type ReportingOptions = Omit<TrainOptions, 'report'> & {
  report: (line: string) => Promise<void>
  onProgress: (measurement: Measurement) => Promise<void>
}

/** Trains a model on recent interactions and activates it unless it is worse than the serving one. */
export async function trainModel(db: Database, options: TrainOptions): Promise<Outcome> {
  const id = options.trainingId ?? (await withRetries(() => db.transaction((tx) => store.insertTraining(tx))))
  options.began?.(id)
  const report = async (line: string) => {
    await options.report(line)
    await withRetries(() => db.transaction((tx) => store.saveProgress(tx, id, line)))
  }
  const progress = recordProgress((points) =>
    withRetries(() => db.transaction((tx) => store.saveMeasurements(tx, id, points))),
  )
  try {
    await progress.add({ stage: 'read' })
    const outcome = await trained(db, { ...options, report, onProgress: progress.add })
    await progress.add({ stage: 'done' })
    await withRetries(() => db.transaction((tx) => store.finishTraining(tx, id, outcome)))
    return outcome
  } catch (error) {
    const failed = { outcome: 'failed', note: String(error), modelId: null } as const
    await withRetries(() => db.transaction((tx) => store.finishTraining(tx, id, failed)))
    throw error
  }
}

async function trained(db: Database, options: ReportingOptions): Promise<Outcome> {
  const snapshot = await readSnapshot(db)
  const interactions = historiesOf(snapshot.buyers).size
  await options.report(
    `read ${interactions} interactions of ${snapshot.buyers.length} buyers with ${snapshot.products.length} products`,
  )
  if (interactions < fewestInteractions)
    return {
      outcome: 'skipped',
      note: `${interactions} interactions are too few to train on`,
      modelId: null,
      metrics: null,
    }
  const live = await withRetries(() => store.findActive(db.read()))
  const baseline = live && (await servingBaseline(db, live, { ...options, products: snapshot.products }))
  const { searchSeconds: wanted = 0, ...others } = options
  const searchSeconds = wanted === 'by_size' ? searchSecondsFor(interactions) : wanted
  const fitted = await fitModel(snapshot, { ...others, searchSeconds }, baseline)
  const { model } = fitted
  const file = encodeModel(model)
  const rankerOrigin = baseline?.keepsRanker ? 'uploaded' : 'trained'
  return withRetries(() =>
    db.transaction(async (tx) => {
      const hasChanged = (await store.lockActive(tx)) !== live?.id
      const fault = faultOf(model, fitted.comparison) ?? (hasChanged ? changedNote : undefined)
      const modelId = await saveModel(tx, file, { origin: 'trained', rankerOrigin })
      if (!fault) await activateModel(tx, { modelId })
      return {
        outcome: fault ? 'rejected' : 'activated',
        note: fault ?? `trained on ${interactions} interactions; ${figuresOf(fitted)}`,
        modelId,
        metrics: model.metrics,
      }
    }),
  )
}

const leastSearchSeconds = 20
const mostSearchSeconds = 300
const searchedPerSecond = 30_000

/** Each trial of a large shop takes longer. */
const searchSecondsFor = (interactions: number): number =>
  Math.min(mostSearchSeconds, Math.max(leastSearchSeconds, Math.round(interactions / searchedPerSecond)))

const changedNote = 'another model was activated during the training and stays active'

/** The serving model; undefined when it cannot be read. It is read twice, because it is large. */
async function servingBaseline(
  db: Database,
  { id, rankerOrigin }: store.ModelRecord,
  { replacesRanker = false, report, products }: ReportingOptions & { products: readonly TrainingProduct[] },
): Promise<ServingBaseline | undefined> {
  const load = async (): Promise<Model | undefined> => {
    try {
      return parseModelFile(await withRetries(() => store.readBytes(db.read(), id)))
    } catch (error) {
      if (!(error instanceof ModelRejected)) throw error
      await report(`the serving model cannot be read, so no comparison is made: ${error.message}`)
      return undefined
    }
  }
  const model = await load()
  const keepsRanker = rankerOrigin === 'uploaded' && !replacesRanker
  return model && { inherited: inheritedFrom(model, products), keepsRanker, load }
}

/** The figures of the last week as text. */
const figuresOf = ({ model, comparison, spareRanker }: Fitted): string => {
  const { popularity, candidates, ranker } = model.metrics
  const figure = (it: Figures | null) => it?.ndcg10.toFixed(4) ?? 'none'
  const kept = spareRanker ? ` (uploaded and kept; our own ${figure(spareRanker)})` : ''
  const against = comparison && comparison.cases > 0 ? `; ${comparisonText(comparison)}` : ''
  return `ndcg@10 on the last week: popularity ${figure(popularity)}, candidates ${figure(candidates)}, ranker ${figure(ranker)}${kept}${against}`
}

const comparisonText = ({ cases, fresh, live }: Comparison): string =>
  `${fresh.ndcg10.toFixed(4)} against ${live.ndcg10.toFixed(4)} of the serving model, on ${cases} later cases`

/** Why a model must not serve; undefined when it may. */
export function faultOf(model: Model, comparison: Comparison | null): string | undefined {
  if (isEmpty(model)) return 'it is empty'
  if (
    comparison &&
    comparison.cases >= fewestCompared &&
    comparison.fresh.ndcg10 < comparison.live.ndcg10 * margin
  )
    return `it is worse than the serving model: ndcg@10 ${comparisonText(comparison)}`
  return undefined
}

/** No two products were found to go together. Other sources than the regression may be missing in a good model. */
const isEmpty = ({ learned }: Model): boolean =>
  !learned.regression?.tables['values']?.some((weight) => weight !== 0)
