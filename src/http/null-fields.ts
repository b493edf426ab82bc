// Null in an optional field means "not given", unless the field itself may be null: serializers of many languages send all
// fields of a type.

import type { TSchema } from 'typebox'

interface Shape {
  type?: string | string[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  enum?: unknown[]
  anyOf?: Shape[]
  oneOf?: Shape[]
}

/** The value without such nulls, at every depth. Values of schemas with several forms are left as they are. */
export function withoutNulls(schema: TSchema, value: unknown): unknown {
  return stripped(schema as Shape, value)
}

function stripped(shape: Shape, value: unknown): unknown {
  if (Array.isArray(value)) return shape.items ? value.map((it) => stripped(shape.items!, it)) : value
  if (!shape.properties || typeof value !== 'object' || value === null) return value
  const { properties, required = [] } = shape
  const entries = Object.entries(value).flatMap(([name, it]: [string, unknown]): [string, unknown][] => {
    const field = Object.hasOwn(properties, name) ? properties[name]! : undefined
    if (!field) return [[name, it]]
    if (it === null && !required.includes(name) && !acceptsNull(field)) return []
    return [[name, stripped(field, it)]]
  })
  return Object.fromEntries(entries)
}

/** A schema without a type accepts everything. */
function acceptsNull({ type, enum: values, anyOf, oneOf }: Shape): boolean {
  const forms = anyOf ?? oneOf
  if (forms) return forms.some(acceptsNull)
  if (values) return values.includes(null)
  return type === undefined || [type].flat().includes('null')
}
