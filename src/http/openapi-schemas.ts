// Shapes with a name of their own are written once, among the components, and referred to everywhere else.

import type { Shape } from './openapi-example.ts'

/** The value with every named shape in it replaced by a reference; the shapes are gathered in `schemas`. */
export function withReferences<T>(value: T, schemas: Record<string, Shape>): T {
  if (Array.isArray(value)) return value.map((it: unknown) => withReferences(it, schemas)) as T
  if (value === null || typeof value !== 'object') return value
  const shape = value as Shape
  const parts = Object.fromEntries(
    Object.entries(shape).map(([name, it]) => [
      name,
      // What stands in an example is no shape, whatever it looks like.
      name === 'example' || name === 'examples' ? it : (withReferences(it, schemas) as unknown),
    ]),
  ) as Shape
  if (typeof shape.title !== 'string' || !shape.properties) return parts as T
  const { title, type, ...rest } = parts
  schemas[shape.title] = { title: title!, type: 'object', ...rest }
  const reference: Shape = { $ref: `#/components/schemas/${shape.title}` }
  return (Array.isArray(type) ? { anyOf: [reference, { type: 'null' }] } : reference) as T
}
