// Shapes as people read them: a name, its type, its limits and what it means; what is inside it, inside it.

import { type Html, html, inline, joined } from './docs-html.ts'
import type { Shape } from './openapi-example.ts'

export interface Field {
  name: string
  shape: Shape
  required: boolean
  description?: string | undefined
}

export interface View {
  /** Finds what a `$ref` means. */
  resolve: (shape: Shape) => Shape
  /** Names of shapes that the page has opened once already. */
  told: Set<string>
  /** A caller wants to know what must be sent, and what may be missing from a reply. */
  side: 'sent' | 'received'
}

/** Deeper than this, a reader is better served by the document itself. */
const deepest = 8

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
  const isTold = name !== undefined && view.told.has(name)
  if (name !== undefined) view.told.add(name)
  const inner = depth < deepest && !isTold ? fieldsOf(shape, view) : []
  return html`<li>
    <p class="field">
      <code>${field.name}</code>
      <span class="type">${typeText(shape, view)}</span
      >${presence(required, view)}${limits.length > 0 && html` <span class="limits">${limits.join(' · ')}</span>`}
      ${isTold && html` <a href="#shape-${name}">${name}</a>`}
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

/** The name of the shape that a field holds, alone, in a list or perhaps. */
export function nameIn(shape: Shape): string | undefined {
  const held = shape.items ?? alternatives(shape)[0]
  return shape.$ref?.split('/').at(-1) ?? (held && nameIn(held))
}

function presence(required: boolean, { side }: View): Html | false {
  if (side === 'received') return !required && html` <span class="limits">may be absent</span>`
  return required && html` <span class="must">required</span>`
}

/** The fields of an object, of each row of a list, and of every alternative. */
export function fieldsOf(given: Shape, view: View): Field[] {
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

const alternatives = (shape: Shape): Shape[] => shape.anyOf ?? shape.oneOf ?? []

/** What every value of a map is; undefined for an object with named fields. */
const valuesOf = (shape: Shape): Shape | undefined =>
  Object.values(shape.patternProperties ?? {})[0] ??
  (typeof shape.additionalProperties === 'object' ? shape.additionalProperties : undefined)

function typeText(given: Shape, view: View): string {
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

/** What the value must keep to, beyond its type. Bounds that only say "a safe integer" are left out. */
function limitsOf(shape: Shape): string[] {
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
  const words = unit && ` ${unit}`
  if (from !== undefined && upper !== undefined && from === upper) return `exactly ${figure(from)}${words}`
  if (from !== undefined && upper !== undefined && (from > 1 || !unit))
    return `${figure(from)} … ${figure(upper)}${words}`
  if (upper !== undefined) return `up to ${figure(upper)}${words}`
  return from !== undefined && `from ${figure(from)}${words}`
}

/** Thousands stand apart by a narrow space that does not break. */
const figure = (it: number): string => String(it).replace(/\B(?=(\d{3})+$)/g, '\u202f')

/** The values it may have, and the form of a text. */
function choicesOf(shape: Shape, view: View): Html | undefined {
  const items = shape.items && view.resolve(shape.items)
  const values = shape.enum ?? items?.enum ?? (shape.const === undefined ? undefined : [shape.const])
  const pattern = shape.pattern ?? items?.pattern
  if (values) {
    const shown = values.map((it) => html`<code>${typeof it === 'string' ? it : JSON.stringify(it)}</code>`)
    return html`<p class="choices">${values.length > 1 ? 'One of ' : 'Always '}${joined(shown, ' ')}</p>`
  }
  return pattern === undefined ? undefined : html`<p class="choices">Form <code>${pattern}</code></p>`
}
