// JSON Schema as the OpenAPI document needs it: plain schemas, example values, named components.

import type { TSchema } from 'typebox'

/** The keywords of JSON Schema that route declarations use. */
export interface JsonSchema {
  $ref?: string
  title?: string
  description?: string
  examples?: unknown[]
  default?: unknown
  enum?: unknown[]
  const?: unknown
  type?: string | string[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  properties?: Record<string, JsonSchema>
  required?: string[]
  minProperties?: number
  additionalProperties?: boolean | JsonSchema
  patternProperties?: Record<string, JsonSchema>
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  discriminator?: { propertyName: string; mapping: Record<string, string> }
}

/** A typebox schema without its compile-time type. */
export const jsonSchemaOf = (schema: TSchema): JsonSchema => schema as unknown as JsonSchema

/** The example of the schema, otherwise the simplest value that is valid. */
export function exampleOf(shape: JsonSchema): unknown {
  const given = givenExample(shape)
  if (given !== undefined) return given
  const { properties = {} } = shape
  if (typeOf(shape) === 'object')
    return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, exampleOf(part)]))
  return plainest(shape)
}

/**
 * An example request body: the required fields. If there are none, one optional field without a pattern, because text
 * with a pattern is often a unique name that is already taken.
 */
export function requestExampleOf(shape: JsonSchema): unknown {
  const given = givenExample(shape)
  if (given !== undefined) return given
  if (typeOf(shape) !== 'object') return exampleOf(shape)
  const fields = Object.entries(shape.properties ?? {})
  const needed = fields.filter(([name]) => shape.required?.includes(name))
  const free = fields.find(([, part]) => part.pattern === undefined && !isNullable(part)) ?? fields[0]
  const sent = needed.length > 0 ? needed : free && (shape.minProperties ?? 0) > 0 ? [free] : []
  return Object.fromEntries(sent.map(([name, part]) => [name, requestExampleOf(part)]))
}

/** A recorded value with the fields that were added to its schema after the recording, as their declarations show them. */
export function completed(shape: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) return shape.items ? value.map((it) => completed(shape.items!, it)) : value
  const { properties, required = [] } = shape
  if (value === null || typeof value !== 'object' || !properties) return value
  const known = value as Record<string, unknown>
  const added = required.filter((it) => !(it in known) && properties[it])
  return {
    ...Object.fromEntries(
      Object.entries(known).map(([name, it]) => [name, completed(properties[name] ?? {}, it)]),
    ),
    ...Object.fromEntries(added.map((it) => [it, exampleOf(properties[it]!)])),
  }
}

const givenExample = (shape: JsonSchema): unknown =>
  shape.examples?.[0] ?? shape.default ?? shape.const ?? shape.enum?.[0]

const typeOf = (shape: JsonSchema): string | undefined =>
  Array.isArray(shape.type) ? shape.type[0] : (shape.type ?? (shape.properties && 'object'))

const isNullable = (shape: JsonSchema): boolean => Array.isArray(shape.type) && shape.type.includes('null')

function plainest(shape: JsonSchema): unknown {
  const choice = shape.anyOf?.[0] ?? shape.oneOf?.[0]
  if (choice) return exampleOf(choice)
  if (shape.allOf) return Object.assign({}, ...shape.allOf.map(exampleOf))
  switch (typeOf(shape)) {
    case 'array':
      return shape.items ? [exampleOf(shape.items)] : []
    case 'integer':
    case 'number':
      return shape.minimum ?? 1
    case 'boolean':
      return false
    case 'null':
      return null
    case 'string':
      return formats[shape.format ?? ''] ?? 'text'
    default:
      return {}
  }
}

const formats: Record<string, string> = {
  'date-time': '2026-11-01T09:00:00.000Z',
  date: '2026-11-01',
  uuid: '0192f0c1-6a53-7a53-9d1a-1f4f0a1c2b3d',
  email: 'malika@example.com',
}

/** Replaces every schema that has a title by a reference, and collects these schemas in `schemas`. */
export function withReferences<T>(value: T, schemas: Record<string, JsonSchema>): T {
  if (Array.isArray(value)) return value.map((it: unknown) => withReferences(it, schemas)) as T
  if (value === null || typeof value !== 'object') return value
  const schema = value as JsonSchema
  const parts = Object.fromEntries(
    Object.entries(schema).map(([name, it]) => [
      name,
      // Examples are data, even if they look like schemas.
      name === 'example' || name === 'examples' ? it : (withReferences(it, schemas) as unknown),
    ]),
  ) as JsonSchema
  if (typeof schema.title !== 'string' || !schema.properties) return parts as T
  const { title, type, ...rest } = parts
  const described: JsonSchema = { title: title!, type: 'object', ...rest }
  const known = schemas[schema.title]
  if (known && shapeText(known) !== shapeText(described))
    throw new Error(`two schemas have the title ${schema.title}`)
  schemas[schema.title] = known ?? described
  const reference: JsonSchema = { $ref: `#/components/schemas/${schema.title}` }
  return (Array.isArray(type) ? { anyOf: [reference, { type: 'null' }] } : reference) as T
}

/** The same shape may be described differently in two places. */
const shapeText = ({ description: _description, ...shape }: JsonSchema): string => JSON.stringify(shape)
