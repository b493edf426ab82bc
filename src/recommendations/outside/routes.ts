// What other engines have learnt, brought in and forgotten again.

import { Type } from 'typebox'
import { instantOf, instantText } from '../../http/instant.ts'
import { del, type Route, upload } from '../../http/route.ts'
import { integer, strict } from '../../http/schema.ts'
import type { Workshop } from '../model-routes.ts'
import { modelReply, modelView } from '../model-wire.ts'
import { jointOf, letServe, overtaken } from '../training/join-to-live.ts'
import { importKnowledge, withoutKnowledge } from './import-knowledge.ts'
import { mostDimensions, mostNeighbours } from './read-knowledge.ts'

const path = '/v1/recommendations/models/outside'
const count = (description: string) => integer(0, Number.MAX_SAFE_INTEGER, { description })

export const knowledgeRoutes = ({ shops }: Pick<Workshop, 'shops'>): Route[] => [
  upload(path, {
    summary: 'Import factors or neighbours',
    description: `What another engine has learnt of our products, a line each: item factors, \`{"id":10,"features":[0.1,…]}\`, up to ${mostDimensions} numbers and as many in every line, as Spark writes those of its ALS; or neighbours, \`{"id":10,"neighbours":[{"id":11,"score":0.8},…]}\`, up to ${mostNeighbours}. Ids are those of products. It becomes one more source of candidates, named \`outside\`, of a new model that serves at once, in the place of what was there before; trainings leave it there. Products that the model does not know are counted and passed over; one line that is wrong refuses the whole. It takes no \`Idempotency-Key\` and no dry run.`,
    scope: 'admin:write',
    takes: ['application/x-ndjson', 'application/jsonl'],
    example: '{"id":10,"features":[0.12,-0.5]}\n{"id":11,"features":[0.2,0.01]}\n',
    query: strict({
      learnt_until: Type.Optional(instantText),
      alpha: Type.Optional(
        Type.Number({
          minimum: 0.001,
          maximum: 1e6,
          description: 'Of factors: how much more something touched counted, 1 unless said, as in Spark.',
        }),
      ),
      regularisation: Type.Optional(
        Type.Number({
          minimum: 1e-6,
          maximum: 1e6,
          description: 'Of factors: 0.1 unless said, as in Spark.',
        }),
      ),
    }),
    reply: Type.Object({
      model: modelReply,
      read: count('Lines that were not empty.'),
      known: count('Lines about products that the model knows.'),
      unknown: count('Lines about others.'),
      unknown_neighbours: count('Neighbours that were left out, because the model does not know them.'),
    }),
    refusals: ['conflict', 'validation_failed'],
    run: async ({ db, body, query: { learnt_until: until, ...terms } }) => {
      const { model, report } = await importKnowledge(db, body, {
        ...terms,
        ...(until !== undefined && { until: instantOf(until, 'learnt_until') }),
      })
      const { unknownNeighbours, ...counts } = report
      return { data: { model: modelView(model), ...counts, unknown_neighbours: unknownNeighbours } }
    },
  }),
  del(path, {
    summary: 'Forget imported factors or neighbours',
    description: 'A model without them serves from now on. To have them back, activate the one before.',
    scope: 'admin:write',
    reply: Type.Object({ model: modelReply }),
    refusals: ['conflict', 'not_found'],
    prepare: ({ environment }) => jointOf(shops[environment].db, 'imported', withoutKnowledge),
    run: async ({ tx, prepared }) => {
      const model = await letServe(tx, prepared)
      if (!model) throw overtaken()
      return { data: { model: modelView(model) } }
    },
  }),
]
