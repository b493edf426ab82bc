import type { Database } from '../../base/db.ts'
import { fitModel } from '../engine/fit-model.ts'
import type { Figures, Metrics, Model } from '../engine/model.ts'
import * as store from '../store/models.ts'
import { patiently } from './patiently.ts'
import { readSnapshot } from './read-snapshot.ts'
import { fileOf, saveModel, switchTo } from './save-model.ts'

/** Fewer deeds than this say nothing. */
const fewestDeeds = 500
/** A new model may be a little worse than the live one on its own week: weeks differ. */
const margin = 0.85

export interface Outcome {
  outcome: 'activated' | 'kept' | 'nothing'
  note: string
  modelId: number | null
  metrics: Metrics | null
}

export interface TrainOptions {
  seed: number
  threads: number
  /** Hears under which id the training is kept. */
  began?: (trainingId: number) => void
  tell: (line: string) => void
}

type Telling = Omit<TrainOptions, 'tell'> & { tell: (line: string) => Promise<void> }

/** Learns from what buyers did, and lets the new model serve unless it is worse than the one that does. */
export async function trainModel(db: Database, options: TrainOptions): Promise<Outcome> {
  const id = await patiently(() => db.transaction((tx) => store.insertTraining(tx)))
  options.began?.(id)
  const tell = async (line: string) => {
    options.tell(line)
    await patiently(() => db.transaction((tx) => store.noteProgress(tx, id, line)))
  }
  try {
    const outcome = await trained(db, { ...options, tell })
    await patiently(() => db.transaction((tx) => store.finishTraining(tx, id, outcome)))
    return outcome
  } catch (error) {
    const failed = { outcome: 'failed', note: String(error), modelId: null } as const
    await patiently(() => db.transaction((tx) => store.finishTraining(tx, id, failed)))
    throw error
  }
}

async function trained(db: Database, options: Telling): Promise<Outcome> {
  const snapshot = await readSnapshot(db)
  const deeds = snapshot.buyers.reduce((sum, steps) => sum + steps.length, 0)
  await options.tell(
    `read ${deeds} deeds of ${snapshot.buyers.length} buyers with ${snapshot.wares.length} products`,
  )
  if (deeds < fewestDeeds)
    return {
      outcome: 'nothing',
      note: `${deeds} deeds are too few to learn from`,
      modelId: null,
      metrics: null,
    }
  const model = await fitModel(snapshot, options)
  const file = fileOf(model)
  const live = await patiently(() => store.findActive(db.read()))
  const fault = faultOf(model, live?.metrics)
  return patiently(() =>
    db.transaction(async (tx) => {
      const modelId = await saveModel(tx, file, 'trained')
      if (!fault) await switchTo(tx, modelId)
      return {
        outcome: fault ? 'kept' : 'activated',
        note: fault ?? `learnt from ${deeds} deeds; ${figuresOf(model.metrics)}`,
        modelId,
        metrics: model.metrics,
      }
    }),
  )
}

/** The three ways to answer, measured on the same questions of the last week. */
const figuresOf = ({ popularity, candidates, ranker }: Metrics): string => {
  const figure = (it: Figures | null) => it?.ndcg10.toFixed(4) ?? 'none'
  return `ndcg@10 on the last week: popularity ${figure(popularity)}, candidates ${figure(candidates)}, ranker ${figure(ranker)}`
}

/** Why a model must not serve; undefined when it may. */
export function faultOf(model: Model, live: Metrics | undefined): string | undefined {
  if (model.items.count === 0 || model.graphs.walk.indices.length === 0) return 'it has learnt nothing'
  const [now, before] = [best(model.metrics).ndcg10, live ? best(live).ndcg10 : 0]
  if (model.metrics.cases > 0 && now < before * margin)
    return `it is worse than the one that serves: ndcg@10 ${now.toFixed(4)} against ${before.toFixed(4)}`
  return undefined
}

const best = ({ ranker, candidates }: Metrics): Figures =>
  ranker && ranker.ndcg10 > candidates.ndcg10 ? ranker : candidates
