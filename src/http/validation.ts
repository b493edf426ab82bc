// Checks values against the declared shapes, and says every fault at once, in the caller's language.

import type { TSchema } from 'typebox'
import { refuse } from '../base/refusal.ts'
import { type FieldFault, faultFinder } from '../base/shape.ts'
import type { Language } from './language.ts'

export type Check = (value: unknown) => void

/** A path may hold a field's name as the caller wrote it; nobody needs it longer than this. */
const maxPathLength = 200

/** Compiles checks that refuse a value with all its faults. */
export function checker(): (schema: TSchema) => Check {
  const compile = faultFinder()
  return (schema) => {
    const faultsIn = compile(schema)
    return (value) => {
      const fields = faultsIn(value)
      if (fields.length > 0) throw refuse('validation_failed', { fields })
    }
  }
}

// oxfmt-ignore
const sentences: Record<string, Record<Language, string>> = {
  required:      { en: 'is required', ru: 'обязательное поле', uz: 'majburiy maydon' },
  unknown_field: { en: 'is not a known field', ru: 'неизвестное поле', uz: 'noma’lum maydon' },
  type:          { en: 'must be of type {limit}', ru: 'должно иметь тип {limit}', uz: 'turi {limit} bo‘lishi kerak' },
  choice:        { en: 'must be one of {limit}', ru: 'одно из: {limit}', uz: 'quyidagilardan biri: {limit}' },
  minimum:       { en: 'must be at least {limit}', ru: 'не меньше {limit}', uz: 'kamida {limit}' },
  maximum:       { en: 'must be at most {limit}', ru: 'не больше {limit}', uz: 'ko‘pi bilan {limit}' },
  min_length:    { en: 'must have at least {limit} characters', ru: 'не короче {limit} символов', uz: 'kamida {limit} belgi' },
  max_length:    { en: 'must have at most {limit} characters', ru: 'не длиннее {limit} символов', uz: 'ko‘pi bilan {limit} belgi' },
  format:        { en: 'must match {limit}', ru: 'должно соответствовать {limit}', uz: '{limit} ga mos kelishi kerak' },
  min_items:     { en: 'must have at least {limit} items', ru: 'не меньше {limit} элементов', uz: 'kamida {limit} ta element' },
  max_items:     { en: 'must have at most {limit} items', ru: 'не больше {limit} элементов', uz: 'ko‘pi bilan {limit} ta element' },
  min_fields:    { en: 'must have at least {limit} of its fields', ru: 'нужно заполнить хотя бы {limit} из полей', uz: 'kamida {limit} ta maydon kerak' },
  unique:        { en: 'must not repeat items', ru: 'элементы не должны повторяться', uz: 'elementlar takrorlanmasligi kerak' },
  characters:    { en: 'holds a character that cannot be kept', ru: 'содержит недопустимый символ', uz: 'yaroqsiz belgi bor' },
  exists:        { en: 'names something that does not exist', ru: 'указывает на то, чего нет', uz: 'mavjud bo‘lmagan narsani ko‘rsatadi' },
  of_product_id: { en: 'belongs to another product', ru: 'относится к другому товару', uz: 'boshqa mahsulotga tegishli' },
  of_partner_id: { en: 'belongs to another partner', ru: 'относится к другому партнёру', uz: 'boshqa hamkorga tegishli' },
  in_use:        { en: 'cannot change while offers name it', ru: 'нельзя изменить, пока на это ссылаются предложения', uz: 'takliflar ko‘rsatib turganida o‘zgarmaydi' },
  currency:      { en: 'is no currency that has a rate', ru: 'не валюта с курсом', uz: 'kursi bor valyuta emas' },
  max_fields:    { en: 'must have at most {limit} fields', ru: 'не больше {limit} полей', uz: 'ko‘pi bilan {limit} ta maydon' },
  field_name:    { en: 'has a field whose name is not allowed', ru: 'содержит недопустимое имя поля', uz: 'yaroqsiz maydon nomi bor' },
  taken:         { en: 'is taken already', ru: 'уже занято', uz: 'allaqachon band' },
  wrong:         { en: 'is wrong', ru: 'неверно', uz: 'noto‘g‘ri' },
  guessable:     { en: 'is too easy to guess', ru: 'слишком легко угадать', uz: 'topish juda oson' },
  cursor:        { en: 'is no cursor of this list and this sort', ru: 'не курсор этого списка и порядка', uz: 'bu ro‘yxat va tartibning kursori emas' },
  use_cursor:    { en: 'reaches beyond row {limit}; go on with cursor', ru: 'дальше строки {limit} используйте cursor', uz: '{limit}-qatordan keyin cursor dan foydalaning' },
  syntax:           { en: 'is not exactly one JSON value', ru: 'не ровно одно значение JSON', uz: 'aynan bitta JSON qiymat emas' },
  invalid_encoding: { en: 'is not UTF-8 without a byte order mark', ru: 'не UTF-8 без метки порядка байтов', uz: 'bayt tartibi belgisisiz UTF-8 emas' },
  too_deep:         { en: 'is nested deeper than {limit}', ru: 'вложенность больше {limit}', uz: '{limit} darajadan chuqurroq' },
  too_long:         { en: 'is longer than {limit} bytes', ru: 'длиннее {limit} байт', uz: '{limit} baytdan uzun' },
  scope:            { en: 'needs the scope {limit}', ru: 'нужно разрешение {limit}', uz: '{limit} ruxsati kerak' },
  contradiction:    { en: 'contradicts what exists', ru: 'противоречит тому, что уже есть', uz: 'mavjud holatga zid' },
  private_address: { en: 'leads to a private address', ru: 'ведёт на внутренний адрес', uz: 'ichki manzilga olib boradi' },
  credentials:     { en: 'must not hold a name or a password', ru: 'не должно содержать имя или пароль', uz: 'ism yoki parol bo‘lmasligi kerak' },
  https_required:  { en: 'must begin with https://', ru: 'должно начинаться с https://', uz: 'https:// bilan boshlanishi kerak' },
  cycle:         { en: 'would make a circle', ru: 'образует цикл', uz: 'aylana hosil qiladi' },
}
const otherwise: Record<Language, string> = {
  en: 'is not valid',
  ru: 'неверное значение',
  uz: 'noto‘g‘ri qiymat',
}

/** The faults with a sentence each, as the reply shows them. */
export const spokenFaults = (faults: FieldFault[], language: Language) =>
  faults.map(({ path, rule, limit }) => ({
    path: path.slice(0, maxPathLength).toWellFormed(),
    rule,
    message: (sentences[rule] ?? otherwise)[language].replace('{limit}', [limit].flat().join(', ')),
  }))

const wholeForm = /^(0|-?[1-9]\d{0,15})$/
const decimalForm = /^-?\d{1,15}(\.\d{1,15})?$/

/** Query and path values by their declared types. What does not fit stays text, and the check then says why. */
export function decodedQuery(schema: TSchema, raw: Record<string, unknown>): Record<string, unknown> {
  const properties =
    (schema as { properties?: Record<string, { type?: string | string[] }> }).properties ?? {}
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [name, decodedText(value, properties[name]?.type)]),
  )
}

function decodedText(value: unknown, type: string | string[] | undefined): unknown {
  if (typeof value !== 'string') return value
  if (type === 'integer' && wholeForm.test(value)) return Number(value)
  if (type === 'number' && decimalForm.test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  if (type === 'array') return value === '' ? [] : value.split(',')
  return value
}

/** Where every field of a body may be left out, so may the body. */
export function isNeeded(body: TSchema): boolean {
  const { required, minProperties } = body as { required?: string[]; minProperties?: number }
  return Boolean(required?.length || minProperties)
}
