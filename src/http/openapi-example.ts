// Values that fit a shape, for people to look at and to paste.

import type { TSchema } from 'typebox'

/** The parts of JSON Schema that our shapes are made of. */
export interface Shape {
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
  items?: Shape
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  properties?: Record<string, Shape>
  required?: string[]
  minProperties?: number
  additionalProperties?: boolean | Shape
  patternProperties?: Record<string, Shape>
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
}

/** A schema as plain JSON Schema: what typebox knows beyond that is for the compiler. */
export const shapeOf = (schema: TSchema): Shape => schema as unknown as Shape

/** A value of the shape: its own example where it has one, else the plainest that fits. */
export function exampleOf(shape: Shape): unknown {
  const given = givenExample(shape)
  if (given !== undefined) return given
  const { properties = {} } = shape
  if (typeOf(shape) === 'object')
    return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, exampleOf(part)]))
  return plainest(shape)
}

/**
 * What a caller would send: the fields that must be there. Where none must, one that is safe to change:
 * a text with a pattern is mostly a name that something else has already.
 */
export function requestExampleOf(shape: Shape): unknown {
  const given = givenExample(shape)
  if (given !== undefined) return given
  if (typeOf(shape) !== 'object') return exampleOf(shape)
  const fields = Object.entries(shape.properties ?? {})
  const needed = fields.filter(([name]) => shape.required?.includes(name))
  const free = fields.find(([, part]) => part.pattern === undefined && !isNullable(part)) ?? fields[0]
  const sent = needed.length > 0 ? needed : free && (shape.minProperties ?? 0) > 0 ? [free] : []
  return Object.fromEntries(sent.map(([name, part]) => [name, requestExampleOf(part)]))
}

const givenExample = (shape: Shape): unknown =>
  shape.examples?.[0] ?? shape.default ?? shape.const ?? shape.enum?.[0]

const typeOf = (shape: Shape): string | undefined =>
  Array.isArray(shape.type) ? shape.type[0] : (shape.type ?? (shape.properties && 'object'))

const isNullable = (shape: Shape): boolean => Array.isArray(shape.type) && shape.type.includes('null')

function plainest(shape: Shape): unknown {
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
