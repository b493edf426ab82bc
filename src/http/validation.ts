// Validates values against schemas. All faults are reported at once, in the caller's language.

import type { TSchema } from 'typebox'
import { refuse } from '../base/refusal.ts'
import { type FieldFault, validatorCompiler } from '../base/validation.ts'
import type { Language } from './language.ts'
import { countText, instantWords, type Unit } from './plurals.ts'
import { isInstant } from './instant.ts'
import { absenceText, resourceOfField } from './resource-names.ts'

export type Check = (value: unknown) => void

/** Paths contain field names that the caller sent, so their length is limited. */
const maxPathLength = 200

/**
 * Returns checks that throw `validation_failed` with all faults. A schema is compiled when its first value comes: compiling
 * those of all routes takes seconds.
 */
export function checker(): (schema: TSchema, place?: 'body') => Check {
  const compile = validatorCompiler()
  return (schema, place) => {
    let faultsIn: ReturnType<typeof compile> | undefined
    return (value) => {
      const fields = (faultsIn ??= compile(schema))(value)
      if (fields.length > 0)
        throw refuse('validation_failed', { fields: place === 'body' ? fields.map(quoted) : fields })
    }
  }
}

/** The example of a field that takes texts only is a text, and in JSON a number without quotes is none. */
const quoted = (fault: FieldFault): FieldFault =>
  typeof fault.limit === 'string' && isNumberFormat(fault) ? { ...fault, isQuoted: true } : fault

const isNumberFormat = ({ rule, limit }: FieldFault): boolean =>
  rule === 'format' && /^\d+$/.test(String(limit))

// oxfmt-ignore
const sentences: Record<string, Record<Language, string>> = {
  required:      { en: 'is required', ru: 'обязательно', uz: 'majburiy' },
  unknown_field: { en: 'is not a field of this call', ru: 'такого поля нет', uz: 'bunday maydon yo‘q' },
  misspelt_field: { en: 'is not a field of this call; did you mean {limit}?', ru: 'такого поля нет; возможно, имелось в виду {limit}', uz: 'bunday maydon yo‘q; balki {limit} nazarda tutilgandir' },
  type:          { en: 'must be {limit}', ru: 'должно быть {limit}', uz: '{limit} bo‘lishi kerak' },
  choice:        { en: 'must be one of {limit}', ru: 'допустимые значения: {limit}', uz: 'quyidagilardan biri bo‘lishi kerak: {limit}' },
  minimum:       { en: 'must be at least {limit}', ru: 'должно быть не меньше {limit}', uz: 'kamida {limit} bo‘lishi kerak' },
  maximum:       { en: 'must be at most {limit}', ru: 'должно быть не больше {limit}', uz: 'ko‘pi bilan {limit} bo‘lishi kerak' },
  min_length:    { en: 'must have at least {limit:characters}', ru: 'нужно не меньше {limit:characters}', uz: 'kamida {limit:characters} bo‘lishi kerak' },
  max_length:    { en: 'must have at most {limit:characters}', ru: 'нужно не больше {limit:characters}', uz: 'ko‘pi bilan {limit:characters} bo‘lishi kerak' },
  format:        { en: 'has a wrong format; an example: {limit}', ru: 'неверный формат; пример: {limit}', uz: 'formati noto‘g‘ri; namuna: {limit}' },
  whole_number:  { en: 'must be a whole number, for example {limit}', ru: 'должно быть целым числом, например {limit}', uz: 'butun son bo‘lishi kerak, masalan {limit}' },
  quoted_number: { en: 'must be a whole number in quotes, for example "{limit}"', ru: 'должно быть целым числом в кавычках, например "{limit}"', uz: 'qo‘shtirnoqdagi butun son bo‘lishi kerak, masalan "{limit}"' },
  min_items:     { en: 'must have at least {limit:items}', ru: 'нужно не меньше {limit:items}', uz: 'kamida {limit:items} bo‘lishi kerak' },
  max_items:     { en: 'must have at most {limit:items}', ru: 'нужно не больше {limit:items}', uz: 'ko‘pi bilan {limit:items} bo‘lishi kerak' },
  min_fields:    { en: 'must have at least {limit:fields}', ru: 'нужно заполнить не меньше {limit:fields}', uz: 'kamida {limit:fields} kerak' },
  unique:        { en: 'must not repeat items', ru: 'элементы не должны повторяться', uz: 'elementlar takrorlanmasligi kerak' },
  characters:    { en: 'contains a character that cannot be stored', ru: 'содержит недопустимый символ', uz: 'yaroqsiz belgi bor' },
  no_such:       { en: '{limit} does not exist', ru: '{limit} не существует', uz: '{limit} mavjud emas' },
  exists:        { en: 'does not exist', ru: 'такого объекта нет', uz: 'bunday obyekt yo‘q' },
  of_product_id: { en: 'belongs to another product', ru: 'относится к другому товару', uz: 'boshqa mahsulotga tegishli' },
  of_partner_id: { en: 'belongs to another partner', ru: 'относится к другому партнёру', uz: 'boshqa hamkorga tegishli' },
  in_use:        { en: 'cannot be changed while offers use it', ru: 'нельзя изменить, пока это используют предложения', uz: 'takliflar ishlatayotganda o‘zgartirib bo‘lmaydi' },
  currency:      { en: 'is not a currency with an exchange rate', ru: 'для этой валюты нет курса', uz: 'bu valyuta uchun kurs yo‘q' },
  max_fields:    { en: 'must have at most {limit:fields}', ru: 'нужно не больше {limit:fields}', uz: 'ko‘pi bilan {limit:fields} bo‘lishi kerak' },
  field_name:    { en: 'has a field whose name is not allowed', ru: 'содержит недопустимое имя поля', uz: 'yaroqsiz maydon nomi bor' },
  taken:         { en: 'is taken already', ru: 'уже занято', uz: 'allaqachon band' },
  wrong:         { en: 'is wrong', ru: 'неверно', uz: 'noto‘g‘ri' },
  guessable:     { en: 'is too easy to guess', ru: 'слишком легко угадать', uz: 'topish juda oson' },
  cursor:        { en: 'is not a cursor of this list and sort order', ru: 'курсор от другого списка или порядка сортировки', uz: 'kursor boshqa ro‘yxat yoki tartibga tegishli' },
  use_cursor:    { en: 'goes beyond row {limit}; use cursor instead', ru: 'дальше строки {limit} используйте cursor', uz: '{limit}-qatordan keyin cursor ishlating' },
  syntax:           { en: 'must be exactly one JSON value', ru: 'должно быть ровно одно значение JSON', uz: 'aynan bitta JSON qiymat bo‘lishi kerak' },
  invalid_encoding: { en: 'must be UTF-8 without a byte order mark', ru: 'нужна кодировка UTF-8 без метки порядка байтов', uz: 'bayt tartibi belgisisiz UTF-8 kerak' },
  too_deep:         { en: 'is nested deeper than {limit}', ru: 'вложенность больше {limit}', uz: '{limit} darajadan chuqurroq' },
  too_long:         { en: 'must have at most {limit:bytes}', ru: 'нужно не больше {limit:bytes}', uz: 'ko‘pi bilan {limit:bytes} bo‘lishi kerak' },
  scope:            { en: 'needs the scope {limit}', ru: 'нужно разрешение {limit}', uz: '{limit} ruxsati kerak' },
  contradiction:    { en: 'contradicts the stored data', ru: 'противоречит сохранённым данным', uz: 'saqlangan ma’lumotga zid' },
  private_address: { en: 'leads to a private address', ru: 'ведёт на внутренний адрес', uz: 'ichki manzilga olib boradi' },
  credentials:     { en: 'must not contain a user name or password', ru: 'не должно содержать имя пользователя или пароль', uz: 'foydalanuvchi nomi yoki parol bo‘lmasligi kerak' },
  https_required:  { en: 'must begin with https://', ru: 'должно начинаться с https://', uz: 'https:// bilan boshlanishi kerak' },
  after_start:   { en: 'must be later than the start, {limit}', ru: 'должно быть позже начала, {limit}', uz: 'boshlanishidan, {limit} dan keyin bo‘lishi kerak' },
  members:       { en: 'is empty: give offers, categories, brands or partners', ru: 'пусто: укажите предложения, категории, бренды или партнёров', uz: 'bo‘sh: takliflar, toifalar, brendlar yoki hamkorlarni kiriting' },
  one_discount:  { en: 'needs exactly one of percent and amount_tiyin', ru: 'нужно ровно одно из percent и amount_tiyin', uz: 'percent va amount_tiyin dan faqat bittasi kerak' },
  with_percent:  { en: 'goes only with percent', ru: 'указывается только вместе с percent', uz: 'faqat percent bilan beriladi' },
  one_effect:    { en: 'needs exactly one of discount_percent, price_tiyin and loan_condition_ids', ru: 'нужно ровно одно из discount_percent, price_tiyin и loan_condition_ids', uz: 'discount_percent, price_tiyin va loan_condition_ids dan faqat bittasi kerak' },
  below_price:   { en: 'must be below {limit}, what the cheapest of the offers costs', ru: 'должно быть ниже {limit}, цены самого дешёвого из предложений', uz: 'eng arzon taklif narxi {limit} dan past bo‘lishi kerak' },
  too_light: { en: 'is too light: white text on it is unreadable; choose a darker colour', ru: 'слишком светлый: белый текст на нём не прочитать; выберите цвет темнее', uz: 'juda och: ustidagi oq yozuv o‘qilmaydi; to‘qroq rang tanlang' },
  unreadable_picture: { en: 'is damaged or has more than 50 megapixels: send another JPEG, PNG or WebP file', ru: 'повреждено или больше 50 мегапикселей: отправьте другой файл JPEG, PNG или WebP', uz: 'buzilgan yoki 50 megapikseldan katta: boshqa JPEG, PNG yoki WebP fayl yuboring' },
  unused_without_csv: { en: 'is for CSV files: send them as text/csv', ru: 'только для файлов CSV: отправьте их как text/csv', uz: 'faqat CSV fayllar uchun: ularni text/csv sifatida yuboring' },
  cells:         { en: 'the row needs {limit:fields}, as the first row has', ru: 'в строке нужно столько полей, сколько в первой строке: {limit}', uz: 'qatorda birinchi qatordagidek {limit} ta maydon bo‘lishi kerak' },
  open_quote:    { en: 'has a quotation mark without its end', ru: 'кавычка не закрыта', uz: 'qo‘shtirnoq yopilmagan' },
  too_many:      { en: 'the maximum number is reached', ru: 'достигнуто максимальное количество', uz: 'eng ko‘p songa yetildi' },
  past:         { en: 'must not be later than {limit}', ru: 'должно быть не позже {limit}', uz: '{limit} dan kech bo‘lmasligi kerak' },
  dimensions:   { en: 'must have {limit} numbers, as the first line has', ru: 'нужно столько чисел, сколько в первой строке: {limit}', uz: 'birinchi qatordagidek {limit} ta son kerak' },
  future:       { en: 'must be later than {limit}', ru: 'должно быть позже {limit}', uz: '{limit} dan keyin bo‘lishi kerak' },
  cron:         { en: 'is not a Quartz cron expression with six fields', ru: 'не выражение Quartz cron из шести полей', uz: 'olti maydonli Quartz cron ifodasi emas' },
  below:        { en: 'must be less than {limit:days}', ru: 'должно быть меньше {limit:days}', uz: '{limit:days}dan kam bo‘lishi kerak' },
  never_due:    { en: 'never runs: there is no such day', ru: 'никогда не сработает: такого дня нет', uz: 'hech qachon ishlamaydi: bunday kun yo‘q' },
  too_often:    { en: 'runs more than once an hour', ru: 'срабатывает чаще раза в час', uz: 'soatiga bir martadan ko‘p ishlaydi' },
  fillable:     { en: 'uses variables that this campaign does not have: {limit}', ru: 'использует переменные, которых нет у кампании: {limit}', uz: 'kampaniyada yo‘q o‘zgaruvchilar ishlatilgan: {limit}' },
  fixed:        { en: 'cannot be changed after the campaign has started', ru: 'нельзя изменить после запуска кампании', uz: 'kampaniya boshlangandan keyin o‘zgartirib bo‘lmaydi' },
  known_variable: { en: 'uses an unknown variable; the unknown one, then the known ones: {limit}', ru: 'неизвестная переменная; сначала она, затем известные: {limit}', uz: 'noma’lum o‘zgaruvchi; avval u, keyin ma’lumlari: {limit}' },
  empty_link:     { en: 'prints {limit}, which this message does not have; put the sentence between {{#{limit}}} and {{/{limit}}}, or choose another template', ru: 'выводит ссылку {limit}, которой у этого сообщения нет; поместите фразу между {{#{limit}}} и {{/{limit}}} или выберите другой шаблон', uz: '{limit} ni chiqaradi, bu xabarda esa u yo‘q; gapni {{#{limit}}} va {{/{limit}}} orasiga qo‘ying yoki boshqa shablon tanlang' },
  reserved:       { en: 'is filled in by the platform', ru: 'заполняется автоматически', uz: 'avtomatik to‘ldiriladi' },
  template_syntax: { en: 'has a syntax error at {limit}', ru: 'ошибка синтаксиса: {limit}', uz: 'sintaksis xatosi: {limit}' },
  placement:      { en: 'has a value or a tag in an unsafe place: {limit}', ru: 'значение или тег в небезопасном месте: {limit}', uz: 'qiymat yoki teg xavfsiz bo‘lmagan joyda: {limit}' },
  forbidden_tag:  { en: 'must not contain the tag {limit}', ru: 'тег {limit} не разрешён', uz: '{limit} tegiga ruxsat yo‘q' },
  url_variable:   { en: 'has a link that is not a URL: {limit}', ru: 'ссылка не является адресом: {limit}', uz: 'havola URL emas: {limit}' },
  one_line:       { en: 'must be one line', ru: 'должно быть в одну строку', uz: 'bitta qatorda bo‘lishi kerak' },
  unused:         { en: 'is not used in this channel', ru: 'в этом канале не используется', uz: 'bu kanalda ishlatilmaydi' },
  one_of:         { en: 'exactly one of {limit} is needed', ru: 'нужно ровно одно из: {limit}', uz: 'faqat bittasi kerak: {limit}' },
  in_cart:       { en: 'is not in the cart', ru: 'этого нет в корзине', uz: 'savatda yo‘q' },
  expired:       { en: 'has expired', ru: 'срок истёк', uz: 'muddati o‘tgan' },
  card_number:   { en: 'is not a valid card number', ru: 'неверный номер карты', uz: 'karta raqami noto‘g‘ri' },
  of_kind:       { en: 'does not go with the kind {limit}', ru: 'не относится к виду {limit}', uz: '{limit} turiga tegishli emas' },
  absent_on_main_page: { en: 'must be left out on the main page', ru: 'на главной странице не передаётся', uz: 'bosh sahifada yuborilmaydi' },
  absent_with_recommendation_id: { en: 'must be left out beside recommendation_id', ru: 'не передаётся вместе с recommendation_id', uz: 'recommendation_id bilan birga yuborilmaydi' },
  shares_within_one:   { en: 'the shares must not add up to more than 1', ru: 'сумма долей должна быть не больше 1', uz: 'ulushlar jami 1 dan oshmasligi kerak' },
  parquet:             { en: 'is not a Parquet file of factors: {limit}', ru: 'не файл Parquet с факторами: {limit}', uz: 'faktorlar yozilgan Parquet fayli emas: {limit}' },
  catboost_json:       { en: 'is not a CatBoost model in JSON', ru: 'не модель CatBoost в JSON', uz: 'JSON ko‘rinishidagi CatBoost modeli emas' },
  unfit_ranker:        { en: 'is a ranker that does not fit this shop', ru: 'ранжировщик не подходит этому магазину', uz: 'saralovchi bu do‘konga mos emas' },
  in_products:         { en: 'cannot be changed: products would lose their value of it, {limit} in all', ru: 'нельзя изменить: товары потеряют это значение, всего {limit}', uz: 'o‘zgartirib bo‘lmaydi: mahsulotlar qiymatini yo‘qotadi, jami {limit} ta' },
  attribute_unknown:   { en: 'is not an attribute of this category; it has {limit}', ru: 'у этой категории нет такого атрибута; есть {limit}', uz: 'bu toifada bunday atribut yo‘q; borlari: {limit}' },
  attribute_undefined: { en: 'no attributes are defined for this category; define {limit} at /v1/catalog/attributes first', ru: 'для этой категории нет атрибутов; сначала определите {limit} в /v1/catalog/attributes', uz: 'bu toifa uchun atributlar yo‘q; avval {limit} ni /v1/catalog/attributes da aniqlang' },
  synonyms_too_few_forms: { en: 'line {limit} needs at least two forms, for example: phone, smartphone', ru: 'в строке {limit} нужно не меньше двух форм, например: телефон, смартфон', uz: '{limit}-qatorda kamida ikkita shakl kerak, masalan: telefon, smartfon' },
  synonyms_too_long:      { en: 'line {limit} has more than 60 forms or a form of more than 60 characters', ru: 'в строке {limit} больше 60 форм или форма длиннее 60 символов', uz: '{limit}-qatorda 60 tadan ko‘p shakl yoki 60 belgidan uzun shakl bor' },
  synonyms_repeated_form: { en: 'repeats a form: line {limit}', ru: 'форма повторяется: строка {limit}', uz: 'shakl takrorlangan: qator {limit}' },
  synonyms_cycle:         { en: 'leads back to itself: line {limit}', ru: 'ведёт к самой себе: строка {limit}', uz: 'o‘ziga qaytadi: qator {limit}' },
  synonyms_contradiction: { en: 'is both a synonym and a narrower word: line {limit}', ru: 'и синоним, и более узкое слово: строка {limit}', uz: 'ham sinonim, ham torroq so‘z: qator {limit}' },
  cycle:         { en: 'would create a cycle', ru: 'образует цикл', uz: 'sikl hosil qiladi' },
}
const otherwise: Record<Language, string> = {
  en: 'is not valid',
  ru: 'неверное значение',
  uz: 'noto‘g‘ri qiymat',
}

/** The words for a JSON type, with an example where it helps. */
// oxfmt-ignore
const typeWords: Record<string, Record<Language, string>> = {
  integer: { en: 'a whole number, for example 50', ru: 'целым числом, например 50', uz: 'butun son (masalan, 50)' },
  number:  { en: 'a number, for example 12.5', ru: 'числом, например 12.5', uz: 'son (masalan, 12.5)' },
  string:  { en: 'a text in quotes', ru: 'строкой в кавычках', uz: 'qo‘shtirnoqdagi matn' },
  boolean: { en: 'true or false', ru: 'true или false', uz: 'true yoki false' },
  array:   { en: 'a list in square brackets', ru: 'списком в квадратных скобках', uz: 'kvadrat qavsdagi ro‘yxat' },
  object:  { en: 'an object in braces', ru: 'объектом в фигурных скобках', uz: 'figurali qavsdagi obyekt' },
  text:    { en: 'a text, or an object with a text per language', ru: 'строкой или объектом со строкой для каждого языка', uz: 'matn yoki har bir til uchun matnli obyekt' },
  money:   { en: 'an amount in tiyin, for example 129900000', ru: 'суммой в тийинах, например 129900000', uz: 'tiyindagi summa (masalan, 129900000)' },
  list:    { en: 'a list in square brackets', ru: 'списком в квадратных скобках', uz: 'kvadrat qavsdagi ro‘yxat' },
  null:    { en: 'null', ru: 'null', uz: 'null' },
}
const or: Record<Language, string> = { en: ' or ', ru: ' или ', uz: ' yoki ' }

/** Examples in the middle of a sentence are in brackets. */
function typeText(types: readonly unknown[], language: Language): string {
  const words = types.map((it) => typeWords[String(it)]?.[language] ?? String(it))
  const bracketed = words.map((it) => it.replace(/, (for example|например),? (.+)$/, ' ($1, $2)'))
  return types.length === 1 ? words[0]! : bracketed.join(or[language])
}

/** Fills in `{limit}`, or `{limit:unit}` with the unit in the right plural form. */
function filledIn(sentence: string, { rule, limit }: FieldFault, language: Language): string {
  const values = [limit].flat()
  const text = rule === 'type' ? typeText(values, language) : valuesText(values, rule, language)
  return sentence.replaceAll(/\{limit(?::(\w+))?\}/g, (_all, unit?: Unit) =>
    unit ? countText(Number(limit), unit, { language, of: true }) : text,
  )
}

/** An instant is written in words, unless it is the example of a format. */
const valuesText = (values: readonly unknown[], rule: string, language: Language): string =>
  values
    .map((it) => (rule !== 'format' && isInstantLimit(it) ? instantWords(it, language) : String(it)))
    .join(', ')

const isInstantLimit = (limit: unknown): limit is string => typeof limit === 'string' && isInstant(limit)

/** The limit of `exists` is the id that was sent, for the message. */
const isSentValue = ({ rule }: FieldFault): boolean => rule === 'exists'

/** The faults with a message each, as the reply shows them. */
export const localizedFaults = (faults: FieldFault[], language: Language) =>
  faults.map((fault) => ({
    path: fault.path.slice(0, maxPathLength).toWellFormed(),
    rule: fault.rule,
    ...(fault.limit !== undefined && !isSentValue(fault) && { limit: fault.limit }),
    message: missingText(fault, language) ?? filledIn(sentenceOf(fault)[language], fault, language),
  }))

/** Of many faults the message names the first ones; the details have all. */
const maxNamedFaults = 3

/** English messages continue the name of the field, except those that are clauses of their own. */
const linkTo = (message: string, language: Language): string =>
  language !== 'en' ? ' — ' : message.startsWith('there is ') ? ': ' : ' '

/** "Some fields are not valid: slug is required; name is required." A log that keeps only the message is enough then. */
export function withFaults(
  sentence: string,
  faults: ReturnType<typeof localizedFaults>,
  language: Language,
): string {
  const named = faults
    .slice(0, maxNamedFaults)
    .map(({ path, message }) => (path === '' ? message : `${path}${linkTo(message, language)}${message}`))
  if (named.length === 0) return sentence
  const text = `${sentence.replace(/\.$/, '')}: ${named.join('; ')}${faults.length > maxNamedFaults ? '; …' : ''}`
  return /[?…]$/.test(text) ? text : `${text}.`
}

/** "there is no category 77", if the fault has the id that was sent. */
function missingText({ path, rule, limit }: FieldFault, language: Language): string | undefined {
  const resource = rule === 'exists' && limit !== undefined ? resourceOfField(path) : undefined
  return resource && absenceText(resource, String(limit), language)
}

/** Instants are earlier or later, not smaller or larger. */
const instantRules: Record<string, string> = { minimum: 'future', maximum: 'past' }

/** A message with `{limit}` cannot be used without a limit. */
function sentenceOf(fault: FieldFault): Record<Language, string> {
  const { rule, limit, isQuoted } = fault
  const isNamed = rule === 'exists' && limit !== undefined
  const isMisspelt = rule === 'unknown_field' && limit !== undefined
  const ofInstant = isInstantLimit(limit) ? instantRules[rule] : undefined
  const key = isNumberFormat(fault)
    ? isQuoted
      ? 'quoted_number'
      : 'whole_number'
    : isNamed
      ? 'no_such'
      : isMisspelt
        ? 'misspelt_field'
        : (ofInstant ?? rule)
  const sentence = sentences[key] ?? otherwise
  return limit === undefined && sentence.en.includes('{limit}') ? otherwise : sentence
}

const wholeForm = /^(0|-?[1-9]\d{0,15})$/
const longForm = /^-?[1-9]\d{16,}$/
const decimalForm = /^-?\d{1,15}(\.\d{1,15})?$/

/** Decodes query and path values by their declared types. A value that does not fit stays text and fails the check. */
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
  // Larger than all exact numbers: the limit of the field is reported.
  if (type === 'integer' && longForm.test(value)) return value.startsWith('-') ? -Infinity : Infinity
  if (type === 'number' && decimalForm.test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  if (type === 'array') return value === '' ? [] : value.split(',')
  return value
}

/** A body whose fields are all optional may be left out. */
export function isBodyRequired(body: TSchema): boolean {
  const { required, minProperties } = body as { required?: string[]; minProperties?: number }
  return Boolean(required?.length || minProperties)
}
