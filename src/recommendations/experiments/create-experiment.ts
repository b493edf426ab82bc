import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import * as store from '../store/experiments.ts'
import { type Experiment, groupFaults } from './experiment.ts'

export type ExperimentPlan = Pick<Experiment, 'slug' | 'name' | 'layers' | 'groups'>

/** Writes an experiment down. It changes nobody's lists until it is started. */
export async function createExperiment(tx: Tx, plan: ExperimentPlan): Promise<Experiment> {
  refuseFaults(plan.groups)
  const experiment = await store.insertExperiment(tx, plan)
  if (!experiment) throw refuse('validation_failed', { fields: [{ path: 'slug', rule: 'taken' }] })
  await publish(tx, { type: 'ExperimentCreated', experimentId: experiment.id, slug: experiment.slug })
  return experiment
}

export function refuseFaults(groups: Experiment['groups']): void {
  const fields = groupFaults(groups)
  if (fields.length > 0) throw refuse('validation_failed', { fields })
}
