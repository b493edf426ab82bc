// Validates values against JSON schemas. Nothing is coerced, removed or defaulted.

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import { nearest } from './nearest.ts'

/** A field that breaks a rule, with the limit or the allowed values. */
export interface FieldFault {
  path: string
  rule: string
  limit?: unknown
  /** The field takes texts only and stands in JSON, so what it takes is written in quotes. */
  isQuoted?: true
}

export type Validator = (value: unknown) => FieldFault[]

const maxFaults = 100

/** Compiles schemas into validators that report all faults at once. */
export function validatorCompiler(): (schema: TSchema) => Validator {
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    // TypeBox writes the schemas; checking them too would be a noticeable part of every start.
    meta: false,
    validateSchema: false,
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
  const tooShort = new Set(errors.filter((it) => it.keyword === 'minLength').map((it) => it.instancePath))
  return (
    errors
      .slice(0, maxFaults)
      // A text that is too short has one fault: its format need not be named as well.
      .filter(({ keyword, instancePath }) => keyword !== 'pattern' || !tooShort.has(instancePath))
      .map(({ instancePath, keyword, params, parentSchema }) => {
        const parts = instancePath.split('/').slice(1)
        if (keyword === 'required') parts.push(params['missingProperty'] as string)
        if (keyword === 'additionalProperties') parts.push(params['additionalProperty'] as string)
        const limit: unknown =
          params['limit'] ??
          params['type'] ??
          params['allowedValues'] ??
          meantField(parentSchema, params) ??
          exampleOf(parentSchema, params)
        return {
          path: parts.join('.'),
          rule: rules[keyword] ?? keyword,
          ...(limit !== undefined && { limit }),
        }
      })
  )
}

/** The field that a misspelt one was probably meant to be. */
const meantField = (shape: TSchema | undefined, { additionalProperty: sent }: Record<string, unknown>) =>
  typeof sent === 'string'
    ? nearest(sent, Object.keys((shape as { properties?: object } | undefined)?.properties ?? {}))
    : undefined

/** For a pattern, an example of the schema is easier to read than the pattern. */
const exampleOf = (shape: TSchema | undefined, { pattern }: Record<string, unknown>): unknown =>
  pattern === undefined
    ? undefined
    : ((shape as { examples?: unknown[] } | undefined)?.examples?.[0] ?? pattern)
