import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { Refusal } from '../base/refusal.ts'
import { validatorCompiler } from '../base/validation.ts'
import { errorReply } from './envelope.ts'
import { languages } from './language.ts'
import { localizedFaults } from './validation.ts'

const messages = (rule: string, limit: number | string | string[]) =>
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
  for (const limit of [1, 2, 5])
    equal(messages('cells', limit).ru, `в строке нужно столько полей, сколько в первой строке: ${limit}`)
  deepEqual(messages('max_fields', 3), {
    ru: 'нужно не больше 3 полей',
    uz: 'ko‘pi bilan 3 ta maydon bo‘lishi kerak',
    en: 'must have at most 3 fields',
  })
})

test('the message about a misspelt field names the one that was probably meant', () => {
  const faultsIn = validatorCompiler()(
    Type.Object({ name: Type.String({ minLength: 1, pattern: '[a-z]' }) }, { additionalProperties: false }),
  )
  const texts = (value: unknown) =>
    Object.fromEntries(
      languages.map((it) => [it, localizedFaults(faultsIn(value), it).map((f) => f.message)]),
    )
  deepEqual(texts({ name: 'a', nmae: 'b' }), {
    ru: ['такого поля нет; возможно, имелось в виду name'],
    uz: ['bunday maydon yo‘q; balki name nazarda tutilgandir'],
    en: ['is not a field of this call; did you mean name?'],
  })
  deepEqual(texts({ name: 'a', colour: 'b' })['en'], ['is not a field of this call'])
  deepEqual(texts({ name: '' })['en'], ['must have at least 1 character'])
})

test('the message of a refusal names the first fields', () => {
  const messageFor = (paths: string[], language: 'ru' | 'uz' | 'en') => {
    const fields = paths.map((path) => ({ path, rule: 'required' }))
    const context = { requestId: 'r', language, now: new Date(0) }
    const { body } = errorReply(new Refusal('validation_failed', { fields }), context)
    return (JSON.parse(body) as { error: { message: string } }).error.message
  }
  equal(messageFor(['slug', 'name'], 'en'), 'Some fields are not valid: slug is required; name is required.')
  equal(messageFor(['slug'], 'ru'), 'Некоторые поля заполнены неверно: slug — обязательно.')
  equal(messageFor(['slug'], 'uz'), 'Ba’zi maydonlar noto‘g‘ri to‘ldirilgan: slug — majburiy.')
  equal(
    messageFor(['a', 'b', 'c', 'd'], 'en'),
    'Some fields are not valid: a is required; b is required; c is required; …',
  )
  equal(messageFor([], 'en'), 'Some fields are not valid.')
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
  deepEqual(messages('type', ['integer', 'string']), {
    ru: 'должно быть целым числом (например, 50) или строкой в кавычках',
    uz: 'butun son (masalan, 50) yoki qo‘shtirnoqdagi matn bo‘lishi kerak',
    en: 'must be a whole number (for example, 50) or a text in quotes',
  })
})

test('a fault in a reply has the limit or the allowed values for programs', () => {
  const fields = [
    { path: 'quantity', rule: 'maximum', limit: 9999 },
    { path: 'sort', rule: 'choice', limit: ['price', '-price'] },
    { path: 'name', rule: 'required' },
  ]
  const context = { requestId: 'r-1', language: 'en', now: new Date(0) } as const
  const { body } = errorReply(new Refusal('validation_failed', { fields }), context)
  deepEqual(
    (JSON.parse(body) as { error: { details: { fields: { limit?: unknown }[] } } }).error.details.fields.map(
      (it) => it.limit,
    ),
    [9999, ['price', '-price'], undefined],
  )
})
