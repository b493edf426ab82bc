import type { Database } from '../../base/db.ts'
import type { FitOptions } from '../engine/fit-graphs.ts'
import { type Fitted, fitModel, type Standing } from '../engine/fit-model.ts'
import type { Contest, Figures, Metrics, Model } from '../engine/model.ts'
import { ModelRefused, readFile } from '../engine/model-file.ts'
import * as store from '../store/models.ts'
import { patiently } from './patiently.ts'
import { readSnapshot } from './read-snapshot.ts'
import { fileOf, saveModel, activateModel } from './save-model.ts'

/** Fewer deeds than this say nothing. */
const fewestDeeds = 500
/** A new model may be a little worse than the live one: so few questions tell no smaller difference. */
const margin = 0.85
/** Fewer questions than this tell nothing at all. */
const fewestCompared = 100

export interface Outcome {
  outcome: 'activated' | 'kept' | 'nothing'
  note: string
  modelId: number | null
  metrics: Metrics | null
}

export interface TrainOptions extends Pick<FitOptions, 'seed' | 'threads' | 'strides'> {
  /** Puts our own ranker in the place of one that somebody brought in. */
  replacesRanker?: boolean
  /** Under which id whoever ordered it keeps it already. */
  trainingId?: number
  /** Hears under which id the training is kept. */
  began?: (trainingId: number) => void
  /** Says how far it is, and is waited for. */
  tell: (line: string) => void | Promise<void>
}

type Telling = Omit<TrainOptions, 'tell'> & { tell: (line: string) => Promise<void> }

/** Learns from what buyers did, and lets the new model serve unless it is worse than the one that does. */
export async function trainModel(db: Database, options: TrainOptions): Promise<Outcome> {
  const id = options.trainingId ?? (await patiently(() => db.transaction((tx) => store.insertTraining(tx))))
  options.began?.(id)
  const tell = async (line: string) => {
    await options.tell(line)
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
  const live = await patiently(() => store.findActive(db.read()))
  const standing = live && (await standingModel(db, live, options))
  const fitted = await fitModel(snapshot, options, standing)
  const { model } = fitted
  const file = fileOf(model)
  const rankerOrigin = standing?.keepsRanker ? 'uploaded' : 'trained'
  return patiently(() =>
    db.transaction(async (tx) => {
      const isOvertaken = (await store.lockActive(tx)) !== live?.id
      const fault = faultOf(model, fitted.contest) ?? (isOvertaken ? overtakenNote : undefined)
      const modelId = await saveModel(tx, file, { origin: 'trained', rankerOrigin })
      if (!fault) await activateModel(tx, { modelId })
      return {
        outcome: fault ? 'kept' : 'activated',
        note: fault ?? `learnt from ${deeds} deeds; ${figuresOf(fitted)}`,
        modelId,
        metrics: model.metrics,
      }
    }),
  )
}

const overtakenNote = 'another model was let serve while this one learnt, and goes on'

/** What serves now; undefined when it cannot be read. */
async function standingModel(
  db: Database,
  live: store.ModelRecord,
  { replacesRanker = false, tell }: Telling,
): Promise<Standing | undefined> {
  try {
    const model = readFile(await patiently(() => store.readBytes(db.read(), live.id)))
    return { model, keepsRanker: live.rankerOrigin === 'uploaded' && !replacesRanker }
  } catch (error) {
    if (!(error instanceof ModelRefused)) throw error
    await tell(`the model that serves cannot be read, so nothing is compared with it: ${error.message}`)
    return undefined
  }
}

/** The three ways to answer, measured on the same questions of the last week. */
const figuresOf = ({ model, contest, spareRanker }: Fitted): string => {
  const { popularity, candidates, ranker } = model.metrics
  const figure = (it: Figures | null) => it?.ndcg10.toFixed(4) ?? 'none'
  const kept = spareRanker ? ` (uploaded, and kept; one of our own ${figure(spareRanker)})` : ''
  const against = contest && contest.cases > 0 ? `; ${comparison(contest)}` : ''
  return `ndcg@10 on the last week: popularity ${figure(popularity)}, candidates ${figure(candidates)}, ranker ${figure(ranker)}${kept}${against}`
}

const comparison = ({ cases, fresh, live }: Contest): string =>
  `${fresh.ndcg10.toFixed(4)} against ${live.ndcg10.toFixed(4)} of the one that serves, on ${cases} questions since it learnt`

/** Why a model must not serve; undefined when it may. */
export function faultOf(model: Model, contest: Contest | null): string | undefined {
  if (model.items.count === 0 || model.graphs.walk.indices.length === 0) return 'it has learnt nothing'
  if (contest && contest.cases >= fewestCompared && contest.fresh.ndcg10 < contest.live.ndcg10 * margin)
    return `it is worse than the one that serves: ndcg@10 ${comparison(contest)}`
  return undefined
}
