// Typed attributes: what a value may be, for which categories, and how it is shown. Pure.

import type { FieldFault } from '../../base/validation.ts'
import { inLanguage, type Language, type LocalizedText } from '../../http/language.ts'
import type { Entity, EntityInput } from '../entities/entities.ts'

export const attributeKinds = ['number', 'enumeration', 'boolean', 'text'] as const
export type AttributeKind = (typeof attributeKinds)[number]

export interface AttributeOption {
  value: string
  title: LocalizedText
}

/** A definition. It applies to its category and those below, or to all products. */
export interface Attribute extends Entity {
  code: string
  categoryId: number | null
  kind: AttributeKind
  name: LocalizedText
  /** Of numbers only. */
  unit: LocalizedText | null
  /** Of enumerations only. */
  options: AttributeOption[]
  /** Lists and searches count its values. Texts are never counted. */
  isFacet: boolean
  /** The order in which attributes are shown. */
  position: number
}

export type AttributeValue = string | number | boolean
export type AttributeValues = Readonly<Record<string, AttributeValue>>

/** A value of a product with its definition. */
export interface ProductAttribute {
  attribute: Attribute
  value: AttributeValue
}

/** Allowed values that an error message lists. */
const maxListed = 20

/** Contradictions within a definition. */
export function contradictions(input: EntityInput<Attribute>): FieldFault[] {
  const { kind, unit, options } = input
  const faults: FieldFault[] = []
  if (kind === 'enumeration' && options.length === 0)
    faults.push({ path: 'options', rule: 'min_items', limit: 1 })
  if (kind !== 'enumeration' && options.length > 0)
    faults.push({ path: 'options', rule: 'of_kind', limit: kind })
  if (kind !== 'number' && unit !== null) faults.push({ path: 'unit', rule: 'of_kind', limit: kind })
  if (new Set(options.map((it) => it.value)).size < options.length)
    faults.push({ path: 'options', rule: 'unique' })
  return faults
}

/** Whether the attribute applies to products of a category, given from its root. */
export const appliesTo = ({ categoryId }: Pick<Attribute, 'categoryId'>, path: readonly number[]): boolean =>
  categoryId === null || path.includes(categoryId)

/** What is wrong with a value; undefined if nothing. */
export function valueFault(
  attribute: Attribute,
  value: AttributeValue,
  path: string,
): FieldFault | undefined {
  const { kind, options } = attribute
  if (kind === 'enumeration')
    return options.some((it) => it.value === value)
      ? undefined
      : { path, rule: 'choice', limit: listed(options.map((it) => it.value)) }
  const type = kind === 'text' ? 'string' : kind
  return typeof value === type ? undefined : { path, rule: 'type', limit: type }
}

/** What is wrong with the attributes of a product. An unknown code is marked: it may be defined later in the same import. */
export function attributeFaults(
  values: AttributeValues,
  { known, path }: { known: ReadonlyMap<string, Attribute>; path: readonly number[] },
): { fault: FieldFault; isUnknown: boolean }[] {
  const applicable = [...known.values()].filter((it) => appliesTo(it, path))
  const codes = listed(applicable.map((it) => it.code))
  return Object.entries(values).flatMap(([code, value]): { fault: FieldFault; isUnknown: boolean }[] => {
    const at = `attributes.${code}`
    const attribute = known.get(code)
    if (!attribute || !appliesTo(attribute, path)) {
      const rule = codes.length > 0 ? 'attribute_unknown' : 'attribute_undefined'
      return [{ fault: { path: at, rule, limit: codes.length > 0 ? codes : code }, isUnknown: !attribute }]
    }
    const fault = valueFault(attribute, value, at)
    return fault ? [{ fault, isUnknown: false }] : []
  })
}

export const listed = (values: readonly string[]): string[] =>
  values.length > maxListed ? [...values.slice(0, maxListed), '…'] : [...values]

/** What a change of a definition takes away from stored values. */
export type Loss = { kind: 'all'; field: string } | { kind: 'options'; values: string[] }

export function lossOf(before: Attribute, after: EntityInput<Attribute>): Loss | undefined {
  if (after.code !== before.code) return { kind: 'all', field: 'code' }
  if (after.kind !== before.kind) return { kind: 'all', field: 'kind' }
  if (after.categoryId !== before.categoryId && after.categoryId !== null)
    return { kind: 'all', field: 'category_id' }
  const kept = new Set(after.options.map((it) => it.value))
  const values = before.options.map((it) => it.value).filter((it) => !kept.has(it))
  return values.length > 0 ? { kind: 'options', values } : undefined
}

const yesNo: Record<Language, [yes: string, no: string]> = {
  ru: ['да', 'нет'],
  uz: ['ha', 'yo‘q'],
  en: ['yes', 'no'],
}

/** A value as buyers read it: `256 ГБ`, `чёрный`, `да`. */
export function valueText({ attribute, value }: ProductAttribute, language: Language): string {
  if (typeof value === 'boolean') return yesNo[language][value ? 0 : 1]
  if (attribute.kind === 'enumeration') {
    const option = attribute.options.find((it) => it.value === value)
    return option ? inLanguage(option.title, language) : String(value)
  }
  if (typeof value === 'string') return value
  const number = language === 'en' ? String(value) : String(value).replace('.', ',')
  return attribute.unit ? `${number} ${inLanguage(attribute.unit, language)}` : number
}
