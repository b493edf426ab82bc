// The record format of an attribute definition, and of the values of a product.

import { Type } from 'typebox'
import { flag, integer, list, localizedText, nullable, oneOf, strict, text } from '../../http/schema.ts'
import { attributeKind } from '../entities/entity-kinds.ts'
import { form, type RecordForm, recordIdOrNull } from '../entities/record-forms.ts'
import { type Attribute, attributeKinds } from './attribute.ts'

const maxOptions = 500

const option = strict({
  value: text({
    max: 50,
    pattern: '^[a-z0-9]+(?:[-_./][a-z0-9]+)*$',
    description: 'What filters and records contain.',
    examples: ['black'],
  }),
  title: localizedText(100),
})

export const attributeForm: RecordForm<Attribute> = form(
  attributeKind,
  {
    required: {
      code: text({
        max: 50,
        pattern: '^[a-z][a-z0-9_]*$',
        description: 'The name in records and filters; unique.',
        examples: ['screen'],
      }),
      kind: oneOf(attributeKinds),
      name: localizedText(100),
    },
    optional: {
      category_id: {
        shape: Type.Unsafe<number | string | null>({
          ...recordIdOrNull,
          description: 'Applies to this category and those below it; to all products when it is null.',
        }),
        otherwise: null,
      },
      unit: {
        shape: nullable(localizedText(20)),
        otherwise: null,
      },
      options: { shape: list(option, maxOptions), otherwise: [] },
      facet: {
        shape: Type.Unsafe<boolean>({
          ...flag,
          description: 'Count its values in lists and searches. Texts are never counted.',
        }),
        otherwise: true,
      },
      position: { shape: integer(0, 10_000, { description: 'Lower ones are shown first.' }), otherwise: 100 },
    },
  },
  {
    fromRecord: {
      facet: (it: boolean) => ({ isFacet: it }),
      category_id: (it: number | string | null) => ({ categoryId: it === null ? null : Number(it) }),
    },
    hides: ['isFacet'],
    toRecord: (it) => ({ facet: it.isFacet }),
  },
)
