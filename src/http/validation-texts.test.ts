import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from './language.ts'
import { localizedFaults } from './validation.ts'

const messages = (rule: string, limit: number | string) =>
  Object.fromEntries(
    languages.map((it) => [it, localizedFaults([{ path: 'x', rule, limit }], it)[0]!.message]),
  )

test('messages have the right plural form in three languages', () => {
  deepEqual(messages('min_length', 1), {
    ru: 'нужно не меньше 1 символа',
    uz: 'kamida 1 ta belgi bo‘lishi kerak',
    en: 'must have at least 1 character',
  })
  deepEqual(messages('max_items', 21), {
    ru: 'нужно не больше 21 элемента',
    uz: 'ko‘pi bilan 21 ta element bo‘lishi kerak',
    en: 'must have at most 21 items',
  })
  deepEqual(messages('max_fields', 3), {
    ru: 'нужно не больше 3 полей',
    uz: 'ko‘pi bilan 3 ta maydon bo‘lishi kerak',
    en: 'must have at most 3 fields',
  })
})

test('a format error shows an example', () => {
  deepEqual(messages('format', '50'), {
    ru: 'должно быть целым числом, например 50',
    uz: 'butun son bo‘lishi kerak, masalan 50',
    en: 'must be a whole number, for example 50',
  })
  deepEqual(messages('format', 'anna@shop.uz'), {
    ru: 'неверный формат; пример: anna@shop.uz',
    uz: 'formati noto‘g‘ri; namuna: anna@shop.uz',
    en: 'has a wrong format; an example: anna@shop.uz',
  })
  deepEqual(messages('type', 'integer'), {
    ru: 'должно быть целым числом, например 50',
    uz: 'butun son (masalan, 50) bo‘lishi kerak',
    en: 'must be a whole number, for example 50',
  })
})
