// Typed attributes of the demo products, taken from the axes of the assortment tables. An axis of variants is not an
// attribute of the product.

import type { Axis, Option, Three } from './assortment/assortment.ts'
import { assortments } from './assortment/index.ts'
import { categories } from './categories.ts'
import type { AttributeRecord, InThree } from './record.ts'

type Value = string | number | boolean

interface Definition {
  /** The slug of the category; null for all. */
  category: string | null
  kind: AttributeRecord['kind']
  name: Three
  unit?: Three
  /** The value for an option of an axis; undefined if the attribute does not come from it. */
  from(axis: Axis, option: Option): Value | undefined
}

const numberForm = /^\d+(\.\d+)?$/

/** The unit that an option is written with, in Russian. */
const unitOf = (option: Option): string => option.words('m')[0].replace(/^[\d.,]+\s?/, '')

const measured =
  (key: string, unit: string) =>
  (axis: Axis, option: Option): number | undefined =>
    axis.key === key && numberForm.test(option.value) && unitOf(option) === unit
      ? Number(option.value)
      : undefined

const chosen =
  (key: string) =>
  (axis: Axis, option: Option): string | undefined =>
    axis.key === key ? codeOf(option.value) : undefined

const codeOf = (value: string): string =>
  value
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** `8/256` is working memory and storage, `256` is storage. */
const memory = (part: 0 | 1) => (axis: Axis, option: Option) => {
  if (axis.key !== 'memory') return undefined
  const parts = option.value.split('/').map(Number)
  return parts.length === 2 ? parts[part] : part === 1 ? parts[0] : undefined
}

const number = (
  category: string | null,
  name: Three,
  [unit, from]: [Three, Definition['from']],
): Definition => ({ category, kind: 'number', name, unit, from })

const enumeration = (category: string | null, key: string, name: Three): Definition => ({
  category,
  kind: 'enumeration',
  name,
  from: chosen(key),
})

const gigabytes: Three = ['ГБ', 'GB', 'GB']
const centimetres: Three = ['см', 'sm', 'cm']

// oxfmt-ignore
const definitions: Record<string, Definition> = {
  color:       enumeration(null, 'color', ['Цвет', 'Rang', 'Colour']),
  ram:         number('electronics', ['Оперативная память', 'Operativ xotira', 'Memory'], [gigabytes, memory(0)]),
  storage:     number('electronics', ['Встроенная память', 'Ichki xotira', 'Storage'], [gigabytes, memory(1)]),
  screen:      number('electronics', ['Диагональ экрана', 'Ekran diagonali', 'Screen size'], [['″', '″', '″'], measured('screen', '″')]),
  battery:     number('electronics', ['Ёмкость', 'Sig‘imi', 'Capacity'], [['мА·ч', 'mA·soat', 'mAh'], measured('capacity', 'мА·ч')]),
  wireless:    { category: 'headphones', kind: 'boolean', name: ['Беспроводные', 'Simsiz', 'Wireless'], from: (axis, option) => (axis.key === 'kind' ? option.value === 'Bluetooth' : undefined) },
  power:       number(null, ['Мощность', 'Quvvati', 'Power'], [['Вт', 'Vt', 'W'], measured('power', 'Вт')]),
  volume:      number(null, ['Объём', 'Hajmi', 'Volume'], [['л', 'l', 'L'], measured('volume', 'л')]),
  volume_ml:   number(null, ['Объём', 'Hajmi', 'Volume'], [['мл', 'ml', 'ml'], measured('volume', 'мл')]),
  weight:      number(null, ['Вес', 'Vazni', 'Weight'], [['кг', 'kg', 'kg'], measured('weight', 'кг')]),
  weight_g:    number(null, ['Вес', 'Vazni', 'Weight'], [['г', 'g', 'g'], measured('weight', 'г')]),
  load:        number('washing-machines', ['Загрузка', 'Sig‘imi', 'Load'], [['кг', 'kg', 'kg'], measured('load', 'кг')]),
  diameter:    number(null, ['Диаметр', 'Diametri', 'Diameter'], [centimetres, measured('diameter', 'см')]),
  width:       number(null, ['Ширина', 'Eni', 'Width'], [centimetres, measured('width', 'см')]),
  wheels:      number('bicycles', ['Колёса', 'G‘ildiraklari', 'Wheels'], [['″', '″', '″'], measured('wheels', '″')]),
  pieces:      number(null, ['В упаковке', 'Qutida', 'In a pack'], [['шт.', 'dona', 'pcs'], measured('pieces', 'шт.')]),
  cover:       enumeration('books', 'cover', ['Обложка', 'Muqovasi', 'Cover']),
  taste:       enumeration(null, 'taste', ['Вкус', 'Ta’mi', 'Taste']),
  shade:       enumeration('beauty', 'shade', ['Оттенок', 'Tusi', 'Shade']),
  form:        enumeration('furniture', 'form', ['Форма', 'Shakli', 'Shape']),
  viscosity:   { category: 'motor-oils', kind: 'text', name: ['Вязкость', 'Qovushqoqligi', 'Viscosity'], from: (axis, option) => (axis.key === 'grade' ? option.value : undefined) },
}

const inThree = ([ru, uz, en]: Three): InThree => ({ ru, uz, en })

const categoryId = (slug: string): number => {
  const found = categories.find((it) => it.slug === slug)
  if (!found) throw new Error(`unknown category: ${slug}`)
  return found.id
}

/** The options of an enumeration, in the order of the tables. Their titles are in the masculine. */
function optionsOf({ kind, from }: Definition): AttributeRecord['options'] {
  if (kind !== 'enumeration') return []
  const titles = new Map<string, InThree>()
  const axes = assortments.flatMap((it) => it.kinds.flatMap((one) => one.each ?? []))
  for (const axis of axes)
    for (const option of axis.options) {
      const value = from(axis, option)
      if (typeof value === 'string' && !titles.has(value)) titles.set(value, inThree(option.words('m')))
    }
  return [...titles].map(([value, title]) => ({ value, title }))
}

/** Ids are stable: a new attribute is added at the end. */
export const attributes: AttributeRecord[] = Object.entries(definitions).map(([code, it], at) => ({
  record: 'attribute',
  id: at + 1,
  code,
  category_id: it.category === null ? null : categoryId(it.category),
  kind: it.kind,
  name: inThree(it.name),
  unit: it.unit ? inThree(it.unit) : null,
  options: optionsOf(it),
  position: (at + 1) * 10,
}))

export function attributesOf(picked: readonly { axis: Axis; option: Option }[]): Record<string, Value> {
  const values: Record<string, Value> = {}
  for (const { axis, option } of picked)
    for (const [code, { from }] of Object.entries(definitions)) {
      const value = from(axis, option)
      if (value !== undefined) values[code] = value
    }
  return values
}
