// Checks values against declared shapes. Nothing is coerced, removed or filled in: what was sent is what is judged.

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'

/** What is wrong with a field: where it stands, which rule it breaks, and what would do. */
export interface FieldFault {
  path: string
  rule: string
  limit?: unknown
}

export type FaultsIn = (value: unknown) => FieldFault[]

const maxFaults = 100

/** Compiles checks that find every fault at once; none when the value is of the shape. */
export function faultFinder(): (schema: TSchema) => FaultsIn {
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    validateFormats: false,
    ownProperties: true,
    verbose: true,
  })
  return (schema) => {
    const validate: ValidateFunction = ajv.compile(schema)
    return (value) => (validate(value) ? [] : faultsOf(validate.errors ?? []))
  }
}

// oxfmt-ignore
const rules: Record<string, string> = {
  required: 'required', additionalProperties: 'unknown_field', type: 'type', enum: 'choice', const: 'choice',
  minimum: 'minimum', maximum: 'maximum', minLength: 'min_length', maxLength: 'max_length', pattern: 'format',
  minItems: 'min_items', maxItems: 'max_items', uniqueItems: 'unique', minProperties: 'min_fields',
  maxProperties: 'max_fields', propertyNames: 'field_name',
}

function faultsOf(errors: ErrorObject[]): FieldFault[] {
  return errors.slice(0, maxFaults).map(({ instancePath, keyword, params, parentSchema }) => {
    const parts = instancePath.split('/').slice(1)
    if (keyword === 'required') parts.push(params['missingProperty'] as string)
    if (keyword === 'additionalProperties') parts.push(params['additionalProperty'] as string)
    const limit: unknown =
      params['limit'] ?? params['type'] ?? params['allowedValues'] ?? likenessOf(parentSchema, params)
    return { path: parts.join('.'), rule: rules[keyword] ?? keyword, ...(limit !== undefined && { limit }) }
  })
}

/** Where a pattern was missed: people read an example of the shape more easily than its pattern. */
const likenessOf = (shape: TSchema | undefined, { pattern }: Record<string, unknown>): unknown =>
  pattern === undefined
    ? undefined
    : ((shape as { examples?: unknown[] } | undefined)?.examples?.[0] ?? pattern)
