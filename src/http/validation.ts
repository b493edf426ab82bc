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
  format:        { en: 'must look like {limit}', ru: 'должно иметь вид {limit}', uz: '{limit} ko‘rinishida bo‘lishi kerak' },
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
  after_start:   { en: 'must be later than the start, {limit}', ru: 'должно быть позже начала, {limit}', uz: 'boshlanishidan, {limit} dan keyin bo‘lishi kerak' },
  members:       { en: 'names nothing: give offers, categories, brands or partners', ru: 'ничего не указано: задайте предложения, категории, бренды или партнёров', uz: 'hech narsa ko‘rsatilmagan: takliflar, toifalar, brendlar yoki hamkorlarni kiriting' },
  one_effect:    { en: 'needs exactly one of discount_percent, price_tiyin and loan_condition_ids', ru: 'нужно ровно одно из discount_percent, price_tiyin и loan_condition_ids', uz: 'discount_percent, price_tiyin va loan_condition_ids dan faqat bittasi kerak' },
  below_price:   { en: 'must be below {limit}, what the cheapest of the offers costs', ru: 'должно быть ниже {limit}, цены самого дешёвого из предложений', uz: 'eng arzon taklif narxi {limit} dan past bo‘lishi kerak' },
  too_many:      { en: 'there are as many already as there may be', ru: 'их уже столько, сколько может быть', uz: 'ular allaqachon eng ko‘p songa yetgan' },
  past:         { en: 'must not lie after {limit}', ru: 'должно быть не позже {limit}', uz: '{limit} dan kech bo‘lmasligi kerak' },
  dimensions:   { en: 'must have {limit} numbers, as the first line has', ru: 'нужно {limit} чисел, как в первой строке', uz: 'birinchi qatordagidek {limit} ta son kerak' },
  future:       { en: 'must lie after {limit}', ru: 'должно быть позже {limit}', uz: '{limit} dan keyin bo‘lishi kerak' },
  cron:         { en: 'is no Quartz cron of six fields', ru: 'не Quartz-cron из шести полей', uz: 'olti maydonli Quartz cron emas' },
  below:        { en: 'must be less than {limit}', ru: 'должно быть меньше {limit}', uz: '{limit} dan kam bo‘lishi kerak' },
  never_due:    { en: 'never falls due: there is no such day', ru: 'никогда не срабатывает: такого дня нет', uz: 'hech qachon ishlamaydi: bunday kun yo‘q' },
  too_often:    { en: 'falls due more than once an hour', ru: 'срабатывает чаще раза в час', uz: 'soatiga bir martadan ko‘p ishlaydi' },
  fillable:     { en: 'uses variables that this campaign cannot fill: {limit}', ru: 'использует переменные, которых у кампании нет: {limit}', uz: 'kampaniyada yo‘q o‘zgaruvchilardan foydalanadi: {limit}' },
  fixed:        { en: 'cannot change once the campaign has started', ru: 'нельзя изменить после начала кампании', uz: 'kampaniya boshlangach o‘zgarmaydi' },
  known_variable: { en: 'uses an unknown variable, before those that are known: {limit}', ru: 'неизвестная переменная, за ней известные: {limit}', uz: 'noma’lum o‘zgaruvchi, undan keyin ma’lumlari: {limit}' },
  ours:           { en: 'is filled in by the shop', ru: 'заполняет сам магазин', uz: 'do‘kon o‘zi to‘ldiradi' },
  readable:       { en: 'has a placeholder that cannot be read: {limit}', ru: 'не удаётся прочесть подстановку: {limit}', uz: 'o‘rinbosarni o‘qib bo‘lmaydi: {limit}' },
  placement:      { en: 'has a value or a tag where it cannot be made safe: {limit}', ru: 'значение или тег там, где это небезопасно: {limit}', uz: 'qiymat yoki teg xavfsiz bo‘lmagan joyda: {limit}' },
  forbidden_tag:  { en: 'must not hold the tag {limit}', ru: 'не должно содержать тег {limit}', uz: '{limit} tegi bo‘lmasligi kerak' },
  url_variable:   { en: 'has a link that is no address: {limit}', ru: 'ссылка не является адресом: {limit}', uz: 'havola manzil emas: {limit}' },
  one_line:       { en: 'must be one line', ru: 'должно быть в одну строку', uz: 'bitta qatorda bo‘lishi kerak' },
  unused:         { en: 'has no place in this channel', ru: 'в этом канале не используется', uz: 'bu kanalda ishlatilmaydi' },
  one_of:         { en: 'exactly one of {limit} is needed', ru: 'нужно ровно одно из: {limit}', uz: 'faqat bittasi kerak: {limit}' },
  in_cart:       { en: 'is not in the cart', ru: 'этого нет в корзине', uz: 'savatda yo‘q' },
  expired:       { en: 'has expired', ru: 'срок истёк', uz: 'muddati o‘tgan' },
  card_number:   { en: 'is not the number of a card', ru: 'не номер карты', uz: 'karta raqami emas' },
  of_kind:       { en: 'does not go with the kind {limit}', ru: 'не относится к виду {limit}', uz: '{limit} turiga tegishli emas' },
  absent_on_main_page: { en: 'must be left out on the main page', ru: 'на главной странице не передаётся', uz: 'bosh sahifada yuborilmaydi' },
  absent_with_recommendation_id: { en: 'must be left out beside recommendation_id', ru: 'не передаётся вместе с recommendation_id', uz: 'recommendation_id bilan birga yuborilmaydi' },
  shares_within_one:   { en: 'must have shares that make at most 1 together', ru: 'доли вместе не больше 1', uz: 'ulushlar jami 1 dan oshmasligi kerak' },
  span:                { en: 'must begin at most {limit} days, and not after their end', ru: 'период не длиннее {limit} дней, начало не позже конца', uz: 'davr {limit} kundan oshmasin, boshi oxiridan keyin bo‘lmasin' },
  date:                { en: 'is no day of the calendar', ru: 'такого дня нет в календаре', uz: 'taqvimda bunday kun yo‘q' },
  catboost_json:       { en: 'is no CatBoost model in JSON', ru: 'не модель CatBoost в JSON', uz: 'JSON ko‘rinishidagi CatBoost modeli emas' },
  unfit_ranker:        { en: 'is a ranker that does not fit this shop', ru: 'ранжировщик не подходит этому магазину', uz: 'saralovchi bu do‘konga mos emas' },
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
    message: sentenceOf(rule, limit)[language].replace('{limit}', () => [limit].flat().join(', ')),
  }))

/** A sentence that would end where its limit should stand is no sentence. */
function sentenceOf(rule: string, limit: unknown): Record<Language, string> {
  const sentence = sentences[rule] ?? otherwise
  return limit === undefined && sentence.en.includes('{limit}') ? otherwise : sentence
}

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
