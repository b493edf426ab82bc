import { monthOf, createPartitions } from '../../../src/recommendations/interactions/jobs.ts'
import { interactionRecords } from '../../../src/recommendations/interactions/records.ts'
import { activateJoined, type JoinedModel } from '../../../src/recommendations/models/join-to-live.ts'
import { activateModel, saveModel } from '../../../src/recommendations/models/save-model.ts'
import type { Tx } from '../../../src/base/database.ts'
import type { NewPair } from '../pairs.ts'

/** An interaction arrives while the partition of its month is created. */
const partitionAndInteraction: NewPair = async (db) => {
  const month = monthOf(db.clock.now(), 0)
  const table = `recommendations_interactions_${month.replace('-', '_')}`
  await db.transaction((tx) => tx.all(`delete from recommendations_interactions`))
  await db.transaction((tx) => tx.all(`drop table if exists ${table}`))
  const record = { user_id: '7', offer_id: '1', kind: 'view', at: db.clock.now().toISOString() }
  return {
    works: [
      (tx) => createPartitions(tx, 0),
      async (tx) => (await interactionRecords.load(tx, [record])).length,
    ],
    observe: () =>
      db
        .read()
        .one(
          `select (select count(*) from ${table}) as here, (select count(*) from recommendations_interactions_default) as elsewhere`,
        ),
  }
}

/** What storing a model needs of it. */
const file = {
  model: { until: new Date(0), items: { count: 1 }, metrics: {}, ranker: undefined, external: undefined },
  bytes: Buffer.from('a model'),
} as unknown as JoinedModel['file']
const origin = { origin: 'uploaded', rankerOrigin: null } as const

/** Two parts are joined to the serving model; the second must be joined to the first one's result. */
const twoActivations: NewPair = async (db) => {
  const liveId = await db.transaction(async (tx) => {
    const modelId = await saveModel(tx, file, origin)
    await activateModel(tx, { modelId })
    return modelId
  })
  const activate = async (tx: Tx) =>
    (await activateJoined(tx, { file, liveId, ...origin })) ? 'activated' : 'changed meanwhile'
  return { works: [activate, activate] }
}

export const recommendationPairs: Readonly<Record<string, NewPair>> = {
  partitionAndInteraction,
  twoActivations,
}
