import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import * as store from '../store/experiments.ts'
import { findModel } from '../store/models.ts'
import { heldExperiment, wrongState } from './change-experiment.ts'
import type { Experiment } from './experiment.ts'

/** From now on buyers draw their groups. A page takes part in one experiment at a time, or none could be told from another. */
export async function startExperiment(tx: Tx, id: number): Promise<Experiment> {
  const all = await store.lockRunning(tx)
  const experiment = await heldExperiment(tx, id, undefined)
  if (experiment.status !== 'draft') throw wrongState(experiment, 'start')
  const rival = all.find(
    (it) => it.status === 'running' && it.layers.some((layer) => experiment.layers.includes(layer)),
  )
  if (rival) throw refuse('conflict', { experiment_id: String(rival.id), layers: rival.layers })
  await refuseMissingModels(tx, experiment)
  const started = await store.saveExperiment(tx, { ...experiment, status: 'running', startedAt: tx.now })
  await publish(tx, { type: 'ExperimentStarted', experimentId: id, slug: started.slug })
  return started
}

/** Everybody gets the usual lists again. What was shown goes on counting for its purchases. */
export async function stopExperiment(tx: Tx, id: number): Promise<Experiment> {
  const experiment = await heldExperiment(tx, id, undefined)
  if (experiment.status !== 'running') throw wrongState(experiment, 'stop')
  const stopped = await store.saveExperiment(tx, { ...experiment, status: 'stopped', stoppedAt: tx.now })
  await publish(tx, { type: 'ExperimentStopped', experimentId: id, slug: stopped.slug })
  return stopped
}

async function refuseMissingModels(tx: Tx, { groups }: Experiment): Promise<void> {
  for (const [at, { modelId }] of groups.entries())
    if (modelId !== null && !(await findModel(tx, modelId)))
      throw refuse('validation_failed', { fields: [{ path: `groups.${at}.model_id`, rule: 'exists' }] })
}
