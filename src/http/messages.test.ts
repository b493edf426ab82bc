import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { allRoutes } from '../../test/support/routes.ts'
import { languages } from './language.ts'
import { messageOf, sentencesOf, withViolationMessages } from './messages.ts'
import { lastIdOf } from './not-found.ts'
import { countText } from './plurals.ts'
import { type RefusalCode, refusals } from './refusals.ts'
import { isNamedResource, resourceOfField } from './resource-names.ts'
import { localizedFaults, withFaults } from './validation.ts'

const inAll = (code: RefusalCode, details: Record<string, unknown>) =>
  Object.fromEntries(languages.map((it) => [it, messageOf(code, details, it).replaceAll(/\s/g, ' ')]))

test('numbers have the right plural form in three languages', () => {
  const units = (value: number, language: 'en' | 'ru' | 'uz') => countText(value, 'units', { language })
  deepEqual(
    [1, 2, 5, 21, 22, 111].map((it) => units(it, 'ru')),
    ['1 штуку', '2 штуки', '5 штук', '21 штуку', '22 штуки', '111 штук'],
  )
  deepEqual(
    [1, 2].map((it) => units(it, 'en')),
    ['1 unit', '2 units'],
  )
  deepEqual(
    [1, 2].map((it) => units(it, 'uz')),
    ['1 dona', '2 dona'],
  )
})

test('a refusal says the figures of its details', () => {
  deepEqual(inAll('stock_exceeded', { available: 3, requested: 5 }), {
    en: 'Only 3 units available, and you asked for 5.',
    ru: 'Можно купить только 3 штуки, а запрошено 5.',
    uz: 'Faqat 3 dona bor, so‘ralgani — 5 dona.',
  })
  deepEqual(inAll('rate_limit_exceeded', { retry_after: 21 }), {
    en: 'Too many requests. Repeat in 21 seconds.',
    ru: 'Слишком много запросов. Повторите через 21 секунду.',
    uz: 'So‘rovlar juda ko‘p. 21 soniyadan keyin takrorlang.',
  })
  deepEqual(inAll('guest_limit_exceeded', { limit: 5_000_000, requested: 6_000_000 }), {
    en: 'A guest may buy for at most 5,000,000 sums. Sign in to go on.',
    ru: 'Без входа можно купить не больше чем на 5 000 000 сум. Войдите, чтобы продолжить.',
    uz: 'Tizimga kirmasdan ko‘pi bilan 5 000 000 so‘m xarid qilish mumkin. Davom etish uchun kiring.',
  })
  deepEqual(inAll('not_found', { resource: 'category', id: '77' }), {
    en: 'There is no category 77.',
    ru: 'Категории 77 нет.',
    uz: 'Toifa topilmadi: 77.',
  })
  equal(messageOf('stock_exceeded', {}, 'en'), refusals.stock_exceeded.en)
})

test('a stock of nothing is not called "only 0 units"', () => {
  deepEqual(inAll('stock_exceeded', { available: 0, requested: 10 }), {
    en: 'None is available now, and you asked for 10.',
    ru: 'Сейчас товара нет в наличии, а запрошено 10.',
    uz: 'Hozir bu mahsulot mavjud emas, so‘ralgani — 10 dona.',
  })
})

test('the message of a cart is that of its first violation, and each violation has its own', () => {
  const violations = [
    { code: 'stock_exceeded', available: 1, requested: 2 },
    { code: 'guest_limit_exceeded', offer_id: 7, limit: 3, requested: 4 },
  ]
  equal(messageOf('stock_exceeded', { violations }, 'en'), 'Only 1 unit available, and you asked for 2.')
  const shown = withViolationMessages({ violations }, 'en') as { violations: { message: string }[] }
  deepEqual(
    shown.violations.map((it) => it.message),
    [
      'Only 1 unit available, and you asked for 2.',
      'A guest may buy at most 3 units of a product. Sign in to buy more.',
    ],
  )
})

test('a field that names nothing says the resource and the id', () => {
  const text = (language: 'en' | 'ru' | 'uz') =>
    localizedFaults([{ path: 'category_id', rule: 'exists', limit: '77' }], language)[0]!.message
  deepEqual(languages.map(text), ['категории 77 нет', 'toifa topilmadi: 77', 'there is no category 77'])
  equal(resourceOfField('LoanConditionId'), 'loan_condition')
  equal(resourceOfField('offer_ids.3'), 'offer')
  equal(resourceOfField('anything'), undefined)
})

test('a conflict says what is in the way and what to do, in three languages', () => {
  deepEqual(inAll('conflict', { reason: 'has_children', id: '7' }), {
    en: 'The category 7 has categories below it. Move or delete them first.',
    ru: 'У категории 7 есть вложенные категории. Сначала переместите или удалите их.',
    uz: '7 toifasining ichida toifalar bor. Avval ularni ko‘chiring yoki o‘chiring.',
  })
  equal(
    messageOf('conflict', { reason: 'in_use', id: '5', used_by: 'products', count: 12 }, 'en'),
    '5 cannot be deleted: products use it, 12 in all. Change or delete them first.',
  )
})

test('every conflict has a reason with a message: none is refused without', () => {
  const sources = globSync('src/**/*.ts').filter((it) => !/\.test\.ts$|^src\/base\/conflict\.ts$/.test(it))
  ok(sources.some((it) => readFileSync(it, 'utf8').includes("conflict('taken', {")))
  deepEqual(
    sources.filter((it) => /refuse\(\s*'conflict'/.test(readFileSync(it, 'utf8'))),
    [],
  )
})

test('every resource of a path has a name', async () => {
  const resources = (await allRoutes()).flatMap(({ path }) => lastIdOf(path)?.resource ?? [])
  deepEqual(
    [...new Set(resources)].filter((it) => !isNamedResource(it)),
    [],
  )
})

test('every sentence ends with a full stop and has the same values in three languages', () => {
  const placeholders = (text: string) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name).toSorted()
  for (const code of Object.keys(refusals) as RefusalCode[])
    for (const sentence of [...sentencesOf(code), refusals[code]])
      for (const language of languages) {
        match(sentence[language], /^[^ ].*\.$/, `${code} ${language}`)
        deepEqual(new Set(placeholders(sentence[language])), new Set(placeholders(sentence.en)), code)
        ok(language !== 'ru' || /[а-яё]/i.test(sentence.ru), code)
      }
})

test('an instant in a message is written in words, in the language of the reader', () => {
  deepEqual(inAll('unauthorized', { reason: 'token_expired', expires_at: '2026-11-18T10:49:35.000Z' }), {
    en: 'This key, token or session expired on 18 November 2026 at 10:49:35 UTC. Get a new one, or sign in again.',
    ru: 'Срок действия ключа, токена или сессии истёк 18 ноября 2026 г. в 10:49:35 UTC. Получите новый ключ или токен либо войдите снова.',
    uz: 'Kalit, token yoki sessiya muddati 18-noyabr, 2026, 10:49:35 UTC da tugagan. Yangisini oling yoki qayta kiring.',
  })
  const said = (rule: string) =>
    languages.map(
      (it) => localizedFaults([{ path: 'ends_at', rule, limit: '2026-11-18T10:49:35.000Z' }], it)[0]!.message,
    )
  for (const rule of ['future', 'minimum'])
    deepEqual(
      Object.fromEntries(said(rule).map((it, at) => [languages[at], it])),
      {
        en: 'must be later than 18 November 2026 at 10:49:35 UTC',
        ru: 'должно быть позже 18 ноября 2026 г. в 10:49:35 UTC',
        uz: '18-noyabr, 2026, 10:49:35 UTC dan keyin bo‘lishi kerak',
      },
      rule,
    )
  equal(said('format')[languages.indexOf('en')], 'has a wrong format; an example: 2026-11-18T10:49:35.000Z')
})

test('no limit of a violation is an English word in a Russian sentence', () => {
  const said = (rule: string, limit: string | number) =>
    localizedFaults([{ path: 'x', rule, limit }], 'ru')[0]!.message
  equal(said('below', 14), 'должно быть меньше 14 дней')
  for (const kind of ['text', 'money', 'list', 'number', 'object'])
    ok(!/[a-z]{3}/.test(said('type', kind)), said('type', kind))
})

test('every refused step lists the steps that are possible', () => {
  const refused = globSync('src/**/*.ts')
    .filter((it) => !it.endsWith('.test.ts'))
    .flatMap((it) => [...readFileSync(it, 'utf8').matchAll(/refuse\('invalid_transition', \{[^}]*\}/g)])
    .map((it) => it[0])
  ok(refused.length > 10)
  deepEqual(
    refused.filter((it) => !it.includes('allowed')),
    [],
  )
})

test('a reference that does not exist is named in a sentence that can be read', () => {
  const said = (language: 'en' | 'ru') =>
    withFaults(
      'Some fields are not valid.',
      localizedFaults(
        [
          { path: 'category_id', rule: 'exists', limit: '77' },
          { path: 'slug', rule: 'required' },
        ],
        language,
      ),
      language,
    )
  equal(said('en'), 'Some fields are not valid: category_id: there is no category 77; slug is required.')
  match(said('ru'), /: category_id — категории 77 нет; slug — обязательно\.$/)
})
