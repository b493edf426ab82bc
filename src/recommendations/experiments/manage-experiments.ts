import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { conflict } from '../../base/conflict.ts'
import { refuse } from '../../base/refusal.ts'
import { findModel } from '../models/store.ts'
import { type Experiment, groupFaults } from './experiment.ts'
import * as store from './store.ts'
import { type IfMatch, requireVersion } from '../../http/version.ts'

/** Changes a draft. After the start only the name may change, because other groups would make the results incomparable. */
export async function changeExperiment(
  tx: Tx,
  id: number,
  { changes, ifMatch }: { changes: Partial<Omit<ExperimentPlan, 'slug'>>; ifMatch: IfMatch | undefined },
): Promise<Experiment> {
  const before = await lockExperiment(tx, id, ifMatch)
  const isOnlyRenamed = Object.keys(changes).every((it) => it === 'name')
  if (before.status !== 'draft' && !isOnlyRenamed) throw invalidState(before, 'change')
  const after = { ...before, ...changes }
  rejectInvalidGroups(after.groups)
  const saved = await store.saveExperiment(tx, after)
  publish(tx, { type: 'ExperimentChanged', experimentId: id, slug: saved.slug })
  return saved
}

/** Deletes a draft. */
export async function deleteExperiment(
  tx: Tx,
  id: number,
  ifMatch: IfMatch | undefined,
): Promise<Experiment> {
  const experiment = await lockExperiment(tx, id, ifMatch)
  if (experiment.status !== 'draft') throw invalidState(experiment, 'delete')
  await store.deleteExperiment(tx, id)
  publish(tx, { type: 'ExperimentDeleted', experimentId: id })
  return experiment
}

/** Locks the experiment and checks the version that the caller expects. */
export async function lockExperiment(tx: Tx, id: number, ifMatch: IfMatch | undefined): Promise<Experiment> {
  const found = await store.lockExperiment(tx, id)
  if (!found) throw refuse('not_found')
  requireVersion(found, ifMatch)
  return found
}

/** Renaming is possible in every state. */
const steps: Record<Experiment['status'], readonly string[]> = {
  draft: ['change', 'start', 'delete'],
  running: ['stop'],
  stopped: [],
}

export const invalidState = ({ status }: Experiment, requested: string) =>
  refuse('invalid_transition', { state: status, requested, allowed: steps[status] })

export type ExperimentPlan = Pick<Experiment, 'slug' | 'name' | 'layers' | 'groups' | 'maxHarm'>

/** Creates a draft. It changes no lists until it is started. */
export async function createExperiment(tx: Tx, plan: ExperimentPlan): Promise<Experiment> {
  rejectInvalidGroups(plan.groups)
  const experiment = await store.insertExperiment(tx, plan)
  if (!experiment) throw refuse('validation_failed', { fields: [{ path: 'slug', rule: 'taken' }] })
  publish(tx, { type: 'ExperimentCreated', experimentId: experiment.id, slug: experiment.slug })
  return experiment
}

export function rejectInvalidGroups(groups: Experiment['groups']): void {
  const fields = groupFaults(groups)
  if (fields.length > 0) throw refuse('validation_failed', { fields })
}

/** Starts a draft. A page takes part in one experiment at a time, so that effects do not mix. */
export async function startExperiment(tx: Tx, id: number): Promise<Experiment> {
  const all = await store.lockRunning(tx)
  const experiment = await lockExperiment(tx, id, undefined)
  if (experiment.status !== 'draft') throw invalidState(experiment, 'start')
  const conflicting = all.find(
    (it) => it.status === 'running' && it.layers.some((layer) => experiment.layers.includes(layer)),
  )
  if (conflicting)
    throw conflict('experiment_running', {
      experiment_id: String(conflicting.id),
      layers: conflicting.layers.filter((it) => experiment.layers.includes(it)),
    })
  await rejectMissingModels(tx, experiment)
  const started = await store.saveExperiment(tx, { ...experiment, status: 'running', startedAt: tx.now })
  publish(tx, { type: 'ExperimentStarted', experimentId: id, slug: started.slug })
  return started
}

/** Stops an experiment. Purchases after the stop still count for the lists that were shown. */
export async function stopExperiment(tx: Tx, id: number, stopReason: string): Promise<Experiment> {
  const experiment = await lockExperiment(tx, id, undefined)
  if (experiment.status !== 'running') throw invalidState(experiment, 'stop')
  const stopped = await store.saveExperiment(tx, {
    ...experiment,
    status: 'stopped',
    stoppedAt: tx.now,
    stopReason,
  })
  publish(tx, { type: 'ExperimentStopped', experimentId: id, slug: stopped.slug })
  return stopped
}

async function rejectMissingModels(tx: Tx, { groups }: Experiment): Promise<void> {
  for (const [at, { modelId }] of groups.entries())
    if (modelId !== null && !(await findModel(tx, modelId)))
      throw refuse('validation_failed', { fields: [{ path: `groups.${at}.model_id`, rule: 'exists' }] })
}
