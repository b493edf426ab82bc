// Attribute definitions.

import { Type } from 'typebox'
import type { EventType } from '../../events.ts'
import { inLanguage } from '../../http/language.ts'
import type { Route } from '../../http/route.ts'
import { flag, idText, instant, integer, list, named, nullable, oneOf, text } from '../../http/schema.ts'
import { type EntityRoutes, readRoutes, writeRoutes } from '../entities/crud-routes.ts'
import { type Attribute, attributeKinds } from './attribute.ts'
import { attributeForm } from './record-form.ts'

export const attributeEvents = [
  'AttributeCreated',
  'AttributeChanged',
  'AttributeDeleted',
] as const satisfies EventType[]

const string = Type.String()

const reply = named(
  'Attribute',
  Type.Object({
    id: idText,
    code: Type.String({ examples: ['screen'] }),
    category_id: nullable(idText),
    kind: oneOf(attributeKinds),
    name: Type.String({ examples: ['Диагональ экрана'] }),
    unit: nullable(string),
    options: list(Type.Object({ value: string, title: string }), 500),
    facet: flag,
    position: integer(0, 10_000),
    created_at: instant,
    updated_at: instant,
  }),
)

const routes: EntityRoutes<Attribute> = {
  form: attributeForm,
  plural: { path: 'attributes', field: 'attributes' },
  singular: { field: 'attribute', words: 'an attribute' },
  reply,
  show: (_read, entities, { language }) =>
    entities.map((it) => ({
      id: String(it.id),
      code: it.code,
      category_id: it.categoryId === null ? null : String(it.categoryId),
      kind: it.kind,
      name: inLanguage(it.name, language),
      unit: it.unit && inLanguage(it.unit, language),
      options: it.options.map(({ value, title }) => ({ value, title: inLanguage(title, language) })),
      facet: it.isFacet,
      position: it.position,
      created_at: it.createdAt.toISOString(),
      updated_at: it.updatedAt.toISOString(),
    })),
  sorts: {
    position: { by: 'position::int8', type: 'int8' },
    id: { by: 'id', type: 'int8' },
    code: { by: 'code', type: 'text' },
    created_at: { by: 'created_at', type: 'timestamptz' },
  },
  defaultSort: 'position',
  filters: {
    code: { shape: text({ max: 50 }), condition: 'code =' },
    category_id: { shape: idText, condition: 'category_id =', value: (it: string) => Number(it) },
    kind: { shape: oneOf(attributeKinds), condition: 'kind =' },
  },
  invalidatedBy: attributeEvents,
}

export const attributeRoutes: Route[] = [...readRoutes(routes), ...writeRoutes(routes)]
