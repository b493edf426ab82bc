// SQL of experiments.

import { violatedUnique, type Reader, type Tx } from '../../base/database.ts'
import { type ListRequest, type ListPage, loadPage } from '../../base/listing.ts'
import type { Experiment } from './experiment.ts'

const columns = `id, slug, name, status, layers, groups, version, created_at as "createdAt", updated_at as "updatedAt",
  started_at as "startedAt", stopped_at as "stoppedAt", max_harm as "maxHarm", stop_reason as "stopReason"`

export const experimentSorts = ['created_at', 'name'] as const

export const listExperiments = (
  read: Reader,
  { status }: { status: Experiment['status'] | undefined },
  listing: ListRequest,
): Promise<ListPage<Experiment>> =>
  loadPage<Experiment>(
    read,
    {
      columns,
      from: 'recommendations_experiments',
      where: status === undefined ? [] : ['status = $1'],
      values: status === undefined ? [] : [status],
      sorts: { created_at: { by: 'created_at', type: 'timestamptz' }, name: { by: 'name', type: 'text' } },
      key: { by: 'id', type: 'int8' },
    },
    listing,
  )

export const runningExperiments = (read: Reader): Promise<Experiment[]> =>
  read.all<Experiment>(
    `select ${columns} from recommendations_experiments where status = 'running' order by id limit 100`,
  )

export const findExperiment = (read: Reader, id: number): Promise<Experiment | undefined> =>
  read.maybe<Experiment>(`select ${columns} from recommendations_experiments where id = $1`, [id])

/** Locks the experiment's row. */
export const lockExperiment = (tx: Tx, id: number): Promise<Experiment | undefined> =>
  tx.maybe<Experiment>(`select ${columns} from recommendations_experiments where id = $1 for update`, [id])

/** Locks all unfinished experiments, so that no two start on one page. */
export const lockRunning = (tx: Tx): Promise<Experiment[]> =>
  tx.all<Experiment>(
    `select ${columns} from recommendations_experiments where status <> 'stopped' order by id for update`,
  )

type NewExperiment = Pick<Experiment, 'slug' | 'name' | 'layers' | 'groups' | 'maxHarm'>

/** Inserts an experiment; undefined when the slug is taken. */
export async function insertExperiment(tx: Tx, it: NewExperiment): Promise<Experiment | undefined> {
  try {
    return await tx.attempt(() =>
      tx.one<Experiment>(
        `insert into recommendations_experiments (slug, name, status, layers, groups, max_harm, created_at, updated_at)
         values ($1, $2, 'draft', $3, $4, $5, $6, $6) returning ${columns}`,
        [it.slug, it.name, it.layers, JSON.stringify(it.groups), it.maxHarm, tx.now],
      ),
    )
  } catch (error) {
    if (violatedUnique(error) === 'recommendations_experiments_slug') return undefined
    throw error
  }
}

export const saveExperiment = (tx: Tx, it: Experiment): Promise<Experiment> =>
  tx.one<Experiment>(
    `update recommendations_experiments set name = $2, layers = $3, groups = $4, status = $5, started_at = $6,
       stopped_at = $7, updated_at = $8, max_harm = $9, stop_reason = $10, version = version + 1 where id = $1 returning ${columns}`,
    [
      it.id,
      it.name,
      it.layers,
      JSON.stringify(it.groups),
      it.status,
      it.startedAt,
      it.stoppedAt,
      tx.now,
      it.maxHarm,
      it.stopReason,
    ],
  )

export const deleteExperiment = async (tx: Tx, id: number): Promise<void> => {
  await tx.all(`delete from recommendations_experiments where id = $1`, [id])
}
