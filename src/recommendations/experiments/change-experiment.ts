import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import * as store from '../store/experiments.ts'
import { type ExperimentPlan, refuseFaults } from './create-experiment.ts'
import type { Experiment } from './experiment.ts'

/** Changes an experiment that has not begun: whoever changes groups under way compares nothing any more. */
export async function changeExperiment(
  tx: Tx,
  id: number,
  { changes, ifMatch }: { changes: Partial<Omit<ExperimentPlan, 'slug'>>; ifMatch: number | undefined },
): Promise<Experiment> {
  const before = await heldExperiment(tx, id, ifMatch)
  const isOnlyRenamed = Object.keys(changes).every((it) => it === 'name')
  if (before.status !== 'draft' && !isOnlyRenamed) throw wrongState(before, 'change')
  const after = { ...before, ...changes }
  refuseFaults(after.groups)
  const saved = await store.saveExperiment(tx, after)
  await publish(tx, { type: 'ExperimentChanged', experimentId: id, slug: saved.slug })
  return saved
}

/** Removes an experiment that has not begun; what one has shown is kept. */
export async function deleteExperiment(tx: Tx, id: number, ifMatch: number | undefined): Promise<Experiment> {
  const experiment = await heldExperiment(tx, id, ifMatch)
  if (experiment.status !== 'draft') throw wrongState(experiment, 'delete')
  await store.deleteExperiment(tx, id)
  await publish(tx, { type: 'ExperimentDeleted', experimentId: id })
  return experiment
}

/** The experiment, held for this transaction, if it stands as the caller knows it. */
export async function heldExperiment(tx: Tx, id: number, ifMatch: number | undefined): Promise<Experiment> {
  const found = await store.lockExperiment(tx, id)
  if (!found) throw refuse('not_found')
  if (ifMatch !== undefined && ifMatch !== found.version)
    throw refuse('version_mismatch', { current: found.version, expected: ifMatch })
  return found
}

export const wrongState = ({ status }: Experiment, asked: string) =>
  refuse('invalid_transition', { state: status, asked })
