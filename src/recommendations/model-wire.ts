// A model on the wire.

import { Type } from 'typebox'
import { nullable, oneOf } from '../http/schema.ts'
import type { ModelRecord } from './store/models.ts'

const instant = Type.String({ format: 'date-time' })
const figures = Type.Object({ ndcg10: Type.Number(), hit10: Type.Number(), recall30: Type.Number() })
export const modelReply = Type.Object({
  id: Type.String({ examples: ['7'] }),
  origin: oneOf(['trained', 'uploaded', 'imported'], {
    description:
      'Learnt here; the one before with a ranker from outside; or the one before with, or without, what another engine has learnt.',
  }),
  made_at: instant,
  learnt_until: instant,
  checksum: Type.String({ description: 'SHA-256 of the file.' }),
  size_bytes: Type.Integer(),
  products: Type.Integer(),
  has_ranker: Type.Boolean(),
  ranker_origin: nullable(oneOf(['trained', 'uploaded'])),
  outside: nullable(
    Type.Object(
      {
        kind: oneOf(['neighbours', 'factors']),
        products: Type.Integer({ description: 'How many of the model’s products it knows.' }),
        learnt_until: instant,
        dimensions: nullable(Type.Integer({ description: 'Of factors.' })),
      },
      { description: 'What was brought in from another engine.' },
    ),
  ),
  is_active: Type.Boolean(),
  metrics: Type.Object({
    cases: Type.Integer(),
    ranker: nullable(figures),
    candidates: figures,
    popularity: figures,
  }),
})
export const modelView = (it: ModelRecord) => ({
  id: String(it.id),
  origin: it.origin,
  made_at: it.madeAt.toISOString(),
  learnt_until: it.learntUntil.toISOString(),
  checksum: it.checksum,
  size_bytes: it.sizeBytes,
  products: it.products,
  has_ranker: it.hasRanker,
  ranker_origin: it.rankerOrigin,
  outside: it.outside && {
    kind: it.outside.kind,
    products: it.outside.products,
    learnt_until: it.outside.learntUntil,
    dimensions: it.outside.dimensions,
  },
  is_active: it.isActive,
  metrics: it.metrics,
})
