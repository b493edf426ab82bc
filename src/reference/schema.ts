// Renders schemas as nested lists of fields: name, type, limits, description.

import { type Html, html, inline, joined } from '../http/html.ts'
import type { JsonSchema } from '../http/openapi-example.ts'

export interface Field {
  name: string
  shape: JsonSchema
  required: boolean
  description?: string | undefined
}

export interface View {
  /** Resolves a `$ref`. */
  resolve: (shape: JsonSchema) => JsonSchema
  /** Names of schemas that the page has described already. */
  describedSchemas: Set<string>
  /** Requests show what is required, replies show what may be absent. */
  side: 'sent' | 'received'
}

const maxDepth = 8

export function fieldList(fields: Field[], view: View, depth = 0): Html {
  return html`<ul class="fields">
    ${fields.map((it) => fieldItem(it, view, depth))}
  </ul>`
}

function fieldItem(field: Field, view: View, depth: number): Html {
  const { shape: given, required, description } = field
  const shape = view.resolve(given)
  const meaning = description ?? shape.description
  const limits = limitsOf(shape)
  const name = nameIn(given)
  const isDescribed = name !== undefined && view.describedSchemas.has(name)
  if (name !== undefined) view.describedSchemas.add(name)
  const inner = depth < maxDepth && !isDescribed ? fieldsOf(shape, view) : []
  return html`<li>
    <p class="field">
      <code>${field.name}</code>
      <span class="type">${typeText(shape, view)}</span
      >${presence(required, view)}${limits.length > 0 && html` <span class="limits">${limits.join(' · ')}</span>`}
      ${isDescribed && html` <a href="#shape-${name}">${name}</a>`}
    </p>
    ${meaning !== undefined && html`<p>${inline(meaning)}</p>`}${choicesOf(shape, view)}${
      inner.length > 0 &&
      html`<details${name !== undefined && html` id="shape-${name}"`}>
        <summary>Fields of <code>${field.name}</code></summary>
        ${fieldList(inner, view, depth + 1)}
      </details>`
    }
  </li>`
}

/** The name of the schema of a field, of its items, or of its first alternative. */
export function nameIn(shape: JsonSchema): string | undefined {
  const held = shape.items ?? alternatives(shape)[0]
  return shape.$ref?.split('/').at(-1) ?? (held && nameIn(held))
}

function presence(required: boolean, { side }: View): Html | false {
  if (side === 'received') return !required && html` <span class="limits">may be absent</span>`
  return required && html` <span class="must">required</span>`
}

/** The fields of an object, of the items of a list, or of all alternatives. */
export function fieldsOf(given: JsonSchema, view: View): Field[] {
  const shape = view.resolve(given)
  const own = Object.entries(shape.properties ?? {}).map(([name, it]) => ({
    name,
    shape: it,
    required: shape.required?.includes(name) ?? false,
  }))
  const parts = [shape.items, ...(shape.allOf ?? []), ...alternatives(shape), valuesOf(shape)]
  const all = [...own, ...parts.flatMap((it) => (it ? fieldsOf(it, view) : []))]
  return all.filter((it, at) => all.findIndex((other) => other.name === it.name) === at)
}

const alternatives = (shape: JsonSchema): JsonSchema[] => shape.anyOf ?? shape.oneOf ?? []

/** The schema of the values of a map; undefined for an object with named fields. */
const valuesOf = (shape: JsonSchema): JsonSchema | undefined =>
  Object.values(shape.patternProperties ?? {})[0] ??
  (typeof shape.additionalProperties === 'object' ? shape.additionalProperties : undefined)

export function typeText(given: JsonSchema, view: View): string {
  const shape = view.resolve(given)
  const others = alternatives(shape)
  if (others.length > 0) return [...new Set(others.map((it) => typeText(it, view)))].join(' or ')
  const values = valuesOf(shape)
  const types = [shape.type ?? (shape.properties || shape.allOf ? 'object' : [])].flat()
  const named = types.map((type) => {
    if (type === 'array' && shape.items) return `list of ${plural(typeText(shape.items, view))}`
    if (type === 'object' && values) return `map of ${plural(typeText(values, view))}`
    if (type === 'string' && shape.format === 'date-time') return 'instant'
    return type === 'string' && shape.format ? shape.format : type
  })
  return named.join(' or ') || (shape.const === undefined ? 'anything' : typeof shape.const)
}

const plural = (type: string): string => (/^(list|map|anything)| or /.test(type) ? type : `${type}s`)

/** Limits besides the type. The bounds of a safe integer are left out. */
function limitsOf(shape: JsonSchema): string[] {
  const items = shape.items && shape.type !== 'object' ? shape.items : undefined
  return [
    range(shape.minimum, shape.maximum, ''),
    shape.exclusiveMinimum !== undefined && `above ${shape.exclusiveMinimum}`,
    shape.exclusiveMaximum !== undefined && `below ${shape.exclusiveMaximum}`,
    shape.multipleOf !== undefined && `steps of ${shape.multipleOf}`,
    range(shape.minLength, shape.maxLength, 'characters'),
    range(shape.minItems, shape.maxItems, 'items'),
    items?.maxLength !== undefined && `each up to ${figure(items.maxLength)} characters`,
    shape.uniqueItems === true && 'no repetitions',
    shape.minProperties !== undefined && `at least ${shape.minProperties} of its fields`,
    shape.default !== undefined && `default ${JSON.stringify(shape.default)}`,
  ].filter((it) => it !== false)
}

function range(from: number | undefined, to: number | undefined, unit: string): string | false {
  const upper = to === Number.MAX_SAFE_INTEGER ? undefined : to
  const suffix = unit && ` ${unit}`
  if (from !== undefined && upper !== undefined && from === upper) return `exactly ${figure(from)}${suffix}`
  if (from !== undefined && upper !== undefined && (from > 1 || !unit))
    return `${figure(from)} … ${figure(upper)}${suffix}`
  if (upper !== undefined) return `up to ${figure(upper)}${suffix}`
  return from !== undefined && `from ${figure(from)}${suffix}`
}

/** Thousands are separated by a narrow no-break space. */
const figure = (it: number): string => String(it).replace(/\B(?=(\d{3})+$)/g, '\u202f')

/** Allowed values, or the pattern of a text. */
function choicesOf(shape: JsonSchema, view: View): Html | undefined {
  const items = shape.items && view.resolve(shape.items)
  const values = shape.enum ?? items?.enum ?? (shape.const === undefined ? undefined : [shape.const])
  const pattern = shape.pattern ?? items?.pattern
  if (values) {
    const shown = values.map((it) => html`<code>${typeof it === 'string' ? it : JSON.stringify(it)}</code>`)
    return html`<p class="choices">${values.length > 1 ? 'One of ' : 'Always '}${joined(shown, ' ')}</p>`
  }
  // The type says it already.
  if (shape.format === 'uuid') return undefined
  if (pattern === undefined) return undefined
  const words = patternWords[pattern]
  return html`<p class="choices">${words ?? html`Pattern <code>${pattern}</code>`}</p>`
}

/** What the most frequent patterns mean. */
const patternWords: Record<string, string> = {
  '\\S': 'Not blank.',
  '^[1-9][0-9]{0,15}$': 'A whole number from 1, as text.',
  '^[1-9][0-9]{0,14}$': 'A whole number from 1, as text.',
  '^[\\x21-\\x7e]*$': 'Visible ASCII characters.',
  '^[a-z0-9]+(?:-[a-z0-9]+)*$': 'Lower-case letters and digits, joined by hyphens.',
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}$': 'A date, such as 2026-03-21.',
  '^([01][0-9]|2[0-3]):[0-5][0-9]$': 'A time of day, such as 09:30.',
}
