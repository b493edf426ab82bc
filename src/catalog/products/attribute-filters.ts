// The `attributes` filter of lists: `screen:6..7;color:black,white`.

import { refuse } from '../../base/refusal.ts'
import type { FieldFault } from '../../base/validation.ts'
import { text } from '../../http/schema.ts'
import { type Attribute, listed, valueFault } from '../attributes/attribute.ts'
import type { AttributeFilter } from '../product-index/query.ts'
import { maxAttributeFilters } from '../product-index/row-filter.ts'

const example = 'screen:6..7;color:black,white'
const maxValues = 50

export const attributesParameter = text({
  max: 1_000,
  description: `Attributes by code, separated by semicolons: values separated by commas, of which one is enough, or a range of numbers. For example \`${example}\`; \`6..\` is 6 or more.`,
  examples: [example],
})

const partForm = /^([a-z][a-z0-9_]*):(.+)$/
const rangeForm = /^(-?\d+(?:\.\d+)?)?\.\.(-?\d+(?:\.\d+)?)?$/

/** A filter that cannot be understood is refused: it would show all products as if they passed. */
export function attributeFiltersOf(given: string, known: ReadonlyMap<string, Attribute>): AttributeFilter[] {
  const parts = given
    .split(';')
    .map((it) => it.trim())
    .filter(Boolean)
  if (parts.length > maxAttributeFilters) throw fault({ rule: 'max_items', limit: maxAttributeFilters })
  const filters = parts.map((part) => {
    const [, code, wanted] = partForm.exec(part) ?? []
    if (!code || !wanted) throw fault({ rule: 'format', limit: example })
    const attribute = known.get(code)
    const codes = [...known.values()].filter((it) => it.kind !== 'text').map((it) => it.code)
    if (!attribute || attribute.kind === 'text')
      throw fault(
        codes.length > 0
          ? { rule: 'choice', limit: listed(codes) }
          : { rule: 'attribute_undefined', limit: code },
      )
    return filterOf(attribute, wanted)
  })
  if (new Set(filters.map((it) => it.code)).size < filters.length) throw fault({ rule: 'unique' })
  return filters
}

function filterOf(attribute: Attribute, wanted: string): AttributeFilter {
  const { code, kind } = attribute
  const [range, from, to] = (kind === 'number' && rangeForm.exec(wanted)) || []
  if (range !== undefined && (from !== undefined || to !== undefined))
    return {
      code,
      ...(from !== undefined && { min: Number(from) }),
      ...(to !== undefined && { max: Number(to) }),
    }
  const values = wanted
    .split(',')
    .slice(0, maxValues)
    .map((it) => valueOf(attribute, it.trim()))
  for (const value of values) {
    const wrong = valueFault(attribute, value, 'attributes')
    if (wrong) throw fault(wrong)
  }
  return { code, anyOf: values }
}

function valueOf({ kind }: Attribute, given: string): string | number | boolean {
  if (kind === 'number' && given !== '' && Number.isFinite(Number(given))) return Number(given)
  if (kind === 'boolean' && (given === 'true' || given === 'false')) return given === 'true'
  return given
}

const fault = (it: Omit<FieldFault, 'path'>) =>
  refuse('validation_failed', { fields: [{ ...it, path: 'attributes' }] })
