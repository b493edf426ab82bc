// The sentence of a refusal, with the figures and names of its details. Without them the general sentence is used.

import { clip } from '../base/clip.ts'
import { conflictSentences } from './conflict-messages.ts'
import type { Language } from './language.ts'
import { countText, instantWords, numberText, type Unit } from './plurals.ts'
import { isRefusalCode, type RefusalCode, refusals, roleMessages } from './refusals.ts'
import { absenceText } from './resource-names.ts'

type Details = Record<string, unknown>

/** `{name}` is a value of the details, `{name:units}` a number with its unit, `{name:instant}` a date with its time. */
interface Sentence extends Record<Language, string> {
  /** One of the details. */
  reason?: string
  /** A detail that must be there besides those of the sentence. */
  needs?: string
  /** A detail that must be zero. */
  zero?: string
}

const says = (en: string, ru: string, uz: string): Sentence => ({ en, ru, uz })
const none = (zero: string, en: string, ru: string, uz: string): Sentence => ({ zero, en, ru, uz })
const because = (reason: string, en: string, ru: string, uz: string): Sentence => ({ reason, en, ru, uz })

/** The first sentence whose values the details have is used. */
// oxfmt-ignore
const sentences: Partial<Record<RefusalCode, Sentence[]>> = {
  invalid_json: [
    because('empty', 'Send a JSON body: this call needs one.', 'Добавьте тело запроса в формате JSON: оно обязательно.', 'So‘rovga JSON tanasini qo‘shing: u majburiy.'),
    because('syntax', 'The JSON is not valid at line {line}, column {column}.', 'Ошибка в JSON: строка {line}, столбец {column}.', 'JSON xato: {line}-qator, {column}-ustun.'),
    because('too_deep', 'The JSON is nested deeper than {limit} levels.', 'Вложенность JSON больше {limit} уровней.', 'JSON {limit} darajadan chuqurroq joylashgan.'),
    because('invalid_encoding', 'The body is not UTF-8, or starts with a byte order mark.', 'Тело запроса не в UTF-8 или начинается с метки порядка байтов.', 'So‘rov tanasi UTF-8 da emas yoki bayt tartibi belgisi bilan boshlanadi.'),
  ],
  invalid_header: [
    because('sent twice', 'Send the header {header} once.', 'Передайте заголовок {header} один раз.', '{header} sarlavhasini bir marta yuboring.'),
    says('The header {header} must be one of: {allowed}.', 'Заголовок {header} принимает значения: {allowed}.', '{header} sarlavhasi quyidagilardan biri bo‘lishi kerak: {allowed}.'),
    says('The header {header} is not valid. Examples: {examples}.', 'Неверное значение заголовка {header}. Примеры: {examples}.', '{header} sarlavhasi noto‘g‘ri. Namunalar: {examples}.'),
  ],
  buyer_required: [
    because('merge', 'A merge needs both the guest and the client. Add {accepted}.', 'Для объединения нужны и гость, и клиент. Добавьте {accepted}.', 'Birlashtirish uchun mehmon ham, mijoz ham kerak. {accepted} qo‘shing.'),
    says('Name the buyer in exactly one of these fields: {accepted}.', 'Укажите покупателя ровно в одном из полей: {accepted}.', 'Xaridorni quyidagi maydonlarning faqat bittasida ko‘rsating: {accepted}.'),
  ],
  unauthorized: [
    because('missing', 'Send an API key or a token in the header Authorization: Bearer.', 'Передайте ключ API или токен в заголовке Authorization: Bearer.', 'Authorization: Bearer sarlavhasida API kalit yoki token yuboring.'),
    because('scheme', 'The header Authorization must begin with the word Bearer, then the key or token.', 'Заголовок Authorization должен начинаться со слова Bearer, затем ключ или токен.', 'Authorization sarlavhasi Bearer so‘zi bilan boshlanib, keyin kalit yoki token kelishi kerak.'),
    because('malformed', 'The credential is not complete: copy the whole key or token.', 'Ключ или токен повреждён: скопируйте его целиком.', 'Kalit yoki token to‘liq emas: uni butunligicha nusxalang.'),
    because('unknown', 'This key or token does not exist.', 'Такого ключа или токена нет.', 'Bunday kalit yoki token yo‘q.'),
    because('revoked', 'This key or token was revoked.', 'Этот ключ или токен отозван.', 'Bu kalit yoki token bekor qilingan.'),
    because('token_expired', 'This key, token or session expired on {expires_at:instant}. Get a new one, or sign in again.', 'Срок действия ключа, токена или сессии истёк {expires_at:instant}. Получите новый ключ или токен либо войдите снова.', 'Kalit, token yoki sessiya muddati {expires_at:instant} da tugagan. Yangisini oling yoki qayta kiring.'),
  ],
  two_step_required: [
    because('missing', 'Enter the code of your authenticator application, or a recovery code, in the field code.', 'Введите в поле code код из приложения-аутентификатора или резервный код.', 'code maydoniga autentifikator ilovasidagi kodni yoki zaxira kodni kiriting.'),
    because('wrong', 'The code is wrong or was used already. Wait for the next one.', 'Код неверен или уже использован. Дождитесь следующего.', 'Kod noto‘g‘ri yoki ishlatilgan. Keyingisini kuting.'),
  ],
  insufficient_permissions: [says('This call needs the scope {required_scopes}.', 'Для этого вызова нужно разрешение {required_scopes}.', 'Bu chaqiruv uchun {required_scopes} ruxsati kerak.')],
  origin_mismatch: [
    because('wrong', 'X-CSRF-Token is not the token of this session. Send the csrf_token of the latest sign-in.', 'X-CSRF-Token не от этой сессии. Передайте csrf_token из последнего входа.', 'X-CSRF-Token bu sessiyaniki emas. Oxirgi kirishdagi csrf_token ni yuboring.'),
    because('missing', 'A page of {origin} must send the csrf_token of the sign-in in the header X-CSRF-Token; only pages of {own_origin} need none.', 'Страница {origin} должна передавать csrf_token из ответа на вход в заголовке X-CSRF-Token; он не нужен только страницам {own_origin}.', '{origin} sahifasi kirish javobidagi csrf_token ni X-CSRF-Token sarlavhasida yuborishi kerak; u faqat {own_origin} sahifalariga kerak emas.'),
    because('missing', 'Send the csrf_token of the sign-in in the header X-CSRF-Token, or the header Origin: {own_origin}.', 'Передайте csrf_token из ответа на вход в заголовке X-CSRF-Token или заголовок Origin: {own_origin}.', 'Kirish javobidagi csrf_token ni X-CSRF-Token sarlavhasida yoki Origin: {own_origin} sarlavhasini yuboring.'),
  ],
  method_not_allowed: [says('This path accepts {allowed}.', 'Этот адрес принимает {allowed}.', 'Bu manzil {allowed} usullarini qabul qiladi.')],
  not_acceptable: [says('The reply is available as {available}: add it to Accept.', 'Ответ доступен в формате {available}: добавьте его в Accept.', 'Javob {available} turida beriladi: uni Accept ga qo‘shing.')],
  payload_too_large: [
    says('The body may have at most {limit_bytes:bytes}.', 'Тело запроса — не больше {limit_bytes:of bytes}.', 'So‘rov tanasi ko‘pi bilan {limit_bytes:bytes} bo‘lishi mumkin.'),
    says('The body may have at most {limit_lines:lines}.', 'В теле запроса не больше {limit_lines:number} строк.', 'So‘rov tanasida ko‘pi bilan {limit_lines:lines} bo‘lishi mumkin.'),
  ],
  uri_too_long: [says('The address may have at most {limit:characters}.', 'Адрес запроса — не больше {limit:of characters}.', 'So‘rov manzili ko‘pi bilan {limit:characters} bo‘lishi mumkin.')],
  unsupported_media_type: [says('Send the body as {expected}, uncompressed.', 'Отправьте тело в формате {expected}, без сжатия.', 'Tanani {expected} turida, siqmasdan yuboring.')],
  conflict: Object.entries(conflictSentences).flatMap(([reason, list]) => list.map((it) => ({ reason, ...it }))),
  invalid_transition: [
    says('{requested} is not possible in the state {state}. Possible: {allowed}.', 'В состоянии {state} шаг {requested} невозможен. Возможны: {allowed}.', '{state} holatida {requested} amalini bajarib bo‘lmaydi. Mumkin: {allowed}.'),
    says('{requested} is not possible in the status {status}. Possible: {allowed}.', 'В статусе {status} шаг {requested} невозможен. Возможны: {allowed}.', '{status} holatida {requested} amalini bajarib bo‘lmaydi. Mumkin: {allowed}.'),
    says('{requested} is not possible in the state {state}.', 'В состоянии {state} шаг {requested} невозможен.', '{state} holatida {requested} amalini bajarib bo‘lmaydi.'),
    says('{requested} is not possible in the status {status}.', 'В статусе {status} шаг {requested} невозможен.', '{status} holatida {requested} amalini bajarib bo‘lmaydi.'),
  ],
  price_changed: [says('The total is now {actual:number} and not {expected:number}. Show it to the buyer and repeat the call.', 'Сумма теперь {actual:number}, а не {expected:number}. Покажите её покупателю и повторите запрос.', 'Summa endi {expected:number} emas, {actual:number}. Uni xaridorga ko‘rsating va so‘rovni takrorlang.')],
  version_mismatch: [says('You sent version {sent}, but the current version is {current}. Read it again.', 'Вы передали версию {sent}, а текущая версия — {current}. Прочитайте данные заново.', 'Siz {sent}-versiyani yubordingiz, hozirgisi esa {current}. Ma’lumotni qayta o‘qing.')],
  idempotency_key_reused: [says('The Idempotency-Key {key} was used for another request. Send a new key.', 'Idempotency-Key {key} уже использован для другого запроса. Передайте новый ключ.', 'Idempotency-Key {key} boshqa so‘rov uchun ishlatilgan. Yangi kalit yuboring.')],
  stock_exceeded: [
    none('available', 'None is available now, and you asked for {requested:number}.', 'Сейчас товара нет в наличии, а запрошено {requested:number}.', 'Hozir bu mahsulot mavjud emas, so‘ralgani — {requested:units}.'),
    says('Only {available:units} available, and you asked for {requested:number}.', 'Можно купить только {available:units}, а запрошено {requested:number}.', 'Faqat {available:units} bor, so‘ralgani — {requested:units}.'),
  ],
  purchase_limit_exceeded: [says('The daily limit is {limit:sums}: {used:number} is spent, and this cart costs {requested:number}.', 'Дневной лимит — {limit:sums}: потрачено {used:number}, а корзина стоит {requested:number}.', 'Kunlik limit — {limit:sums}: {used:number} sarflangan, savat esa {requested:number} turadi.')],
  product_limit_exceeded: [
    says('At most {limit:units} of a product in 30 days: {used:number} bought, {requested:number} in the cart.', 'За 30 дней можно купить не больше {limit:of units} одного товара: куплено {used:number}, в корзине {requested:number}.', '30 kunda bitta mahsulotdan ko‘pi bilan {limit:units}: {used:number} olingan, savatda {requested:number}.'),
    says('At most {limit:units} of a product in one order, and you asked for {requested:number}.', 'В одном заказе можно купить не больше {limit:of units} товара, а запрошено {requested:number}.', 'Bitta buyurtmada mahsulotdan ko‘pi bilan {limit:units}, so‘ralgani — {requested:units}.'),
  ],
  credit_limit_exceeded: [says('The credit limit is {limit:sums}: {used:number} is used, and {requested:number} more is needed.', 'Кредитный лимит — {limit:sums}: занято {used:number}, нужно ещё {requested:number}.', 'Kredit limiti — {limit:sums}: {used:number} band, yana {requested:number} kerak.')],
  guest_limit_exceeded: [
    { needs: 'offer_id', en: 'A guest may buy at most {limit:units} of a product. Sign in to buy more.', ru: 'Без входа можно купить не больше {limit:of units} товара. Войдите, чтобы купить больше.', uz: 'Tizimga kirmasdan mahsulotdan ko‘pi bilan {limit:units} olish mumkin. Ko‘proq olish uchun kiring.' },
    { needs: 'moderated_offer_id', en: 'A guest may buy at most {limit:units} of a product. Sign in to buy more.', ru: 'Без входа можно купить не больше {limit:of units} товара. Войдите, чтобы купить больше.', uz: 'Tizimga kirmasdan mahsulotdan ko‘pi bilan {limit:units} olish mumkin. Ko‘proq olish uchun kiring.' },
    says('A guest may buy for at most {limit:sums}. Sign in to go on.', 'Без входа можно купить не больше чем на {limit:sums}. Войдите, чтобы продолжить.', 'Tizimga kirmasdan ko‘pi bilan {limit:sums} xarid qilish mumkin. Davom etish uchun kiring.'),
  ],
  authorization_required: [says('Sign in to order for more than {limit:sums}.', 'Войдите, чтобы заказать больше чем на {limit:sums}.', '{limit:sums} dan ortiq buyurtma uchun tizimga kiring.')],
  delivery_unavailable: [none('available', 'This seller does not deliver to this address now. Choose another address or remove its products.', 'Этот продавец сейчас не доставляет по этому адресу. Выберите другой адрес или уберите его товары.', 'Bu sotuvchi hozir bu manzilga yetkazib bermaydi. Boshqa manzilni tanlang yoki uning mahsulotlarini olib tashlang.')],
  amount_too_large: [says('The amount may be at most {limit:number}.', 'Сумма может быть не больше {limit:number}.', 'Summa ko‘pi bilan {limit:number} bo‘lishi mumkin.')],
  mandate_required: [
    because('none', 'The client has granted no active mandate to this application.', 'У этого приложения нет действующего мандата от клиента.', 'Bu ilovada mijozning amaldagi mandati yo‘q.'),
    because('several', 'The client has granted {active:number} active mandates to this application. Name one of them.', 'Действующих мандатов от клиента у этого приложения: {active:number}. Укажите один из них.', 'Mijoz bu ilovaga {active:number} ta amaldagi mandat bergan. Ulardan birini ko‘rsating.'),
  ],
  mandate_invalid: [
    because('unknown', 'There is no mandate {mandate_id} of this client for this application.', 'У этого клиента нет мандата {mandate_id} для этого приложения.', 'Bu mijozning ushbu ilova uchun {mandate_id} mandati yo‘q.'),
    because('expired', 'The mandate expired on {expires_at:instant}. Ask the client for a new one.', 'Срок мандата истёк {expires_at:instant}. Попросите у клиента новый.', 'Mandat muddati {expires_at:instant} da tugagan. Mijozdan yangisini so‘rang.'),
    because('revoked', 'The client has revoked this mandate.', 'Клиент отозвал этот мандат.', 'Mijoz bu mandatni bekor qilgan.'),
  ],
  mandate_category_not_allowed: [
    says('The offer {offer_id} is in the category {category_id}. The mandate covers {category_ids} and what is below.', 'Предложение {offer_id} из категории {category_id}. Мандат распространяется на {category_ids} и вложенные категории.', '{offer_id} taklifi {category_id} toifasida. Mandat {category_ids} va ularning ichidagi toifalarga tegishli.'),
    says('The moderated offer {moderated_offer_id} is in the category {category_id}. The mandate covers {category_ids} and what is below.', 'Модерируемое предложение {moderated_offer_id} из категории {category_id}. Мандат распространяется на {category_ids} и вложенные категории.', '{moderated_offer_id} moderatsiyadagi taklif {category_id} toifasida. Mandat {category_ids} va ularning ichidagi toifalarga tegishli.'),
  ],
  mandate_budget_exceeded: [says('The budget of the mandate is {limit:sums}: {used:number} is spent, and this order costs {requested:number}.', 'Бюджет мандата — {limit:sums}: потрачено {used:number}, а заказ стоит {requested:number}.', 'Mandat byudjeti — {limit:sums}: {used:number} sarflangan, buyurtma esa {requested:number} turadi.')],
  confirmation_required: [says('The client must confirm this order of {requested:sums}, delivery included.', 'Клиент должен подтвердить этот заказ на {requested:sums} с доставкой.', 'Mijoz yetkazib berish bilan {requested:sums}lik bu buyurtmani tasdiqlashi kerak.')],
  coupon_unknown: [says('There is no coupon {coupon}. Check the spelling.', 'Промокода {coupon} нет. Проверьте, правильно ли он введён.', '{coupon} promokodi yo‘q. To‘g‘ri yozilganini tekshiring.')],
  coupon_amount_too_low: [says('The coupon {coupon} needs products for at least {limit:sums}, and yours cost {requested:number}.', 'Промокод {coupon} действует от {limit:sums}, а товаров выбрано на {requested:number}.', '{coupon} promokodi kamida {limit:sums} xaridda amal qiladi, tanlangani — {requested:number}.')],
  cart_full: [says('A cart may have at most {limit:lines}.', 'В корзине может быть не больше {limit:of lines}.', 'Savatda ko‘pi bilan {limit:lines} bo‘lishi mumkin.')],
  wishlist_full: [says('A wishlist may have at most {limit:lines}.', 'В списке желаний может быть не больше {limit:of lines}.', 'Istaklar ro‘yxatida ko‘pi bilan {limit:lines} bo‘lishi mumkin.')],
  rate_limit_exceeded: [says('Too many requests. Repeat in {retry_after:seconds}.', 'Слишком много запросов. Повторите через {retry_after:seconds}.', 'So‘rovlar juda ko‘p. {retry_after:seconds}dan keyin takrorlang.')],
  service_unavailable: [says('The service is busy. Repeat in {retry_after:seconds}.', 'Сервис занят. Повторите через {retry_after:seconds}.', 'Xizmat band. {retry_after:seconds}dan keyin takrorlang.')],
  storage_unavailable: [says('The database cannot be reached. Repeat in {retry_after:seconds}.', 'База данных недоступна. Повторите через {retry_after:seconds}.', 'Ma’lumotlar bazasiga ulanib bo‘lmadi. {retry_after:seconds}dan keyin takrorlang.')],
}

const placeholder = /\{(\w+)(?::(of )?(\w+))?\}/g
const maxValueLength = 100

/** The message of a refusal or of one of its violations. */
export function messageOf(code: RefusalCode, details: Details, language: Language): string {
  const { violations, needs, resource, id, place } = details as {
    violations?: (Details & { code: string })[]
    needs?: string
    resource?: string
    id?: string | null
    place?: string
  }
  const role = roleMessages[String(needs)]
  if (role) return role[language]
  const first = violations?.[0]
  if (first?.code === code) return messageOf(code, first, language)
  if (code === 'not_found' && resource !== undefined && id)
    return sentenceOf(absenceText(resource, id, language, place)) ?? refusals[code][language]
  const found = sentences[code]?.find((it) => isComplete(it, details))
  return found ? filledIn(found[language], details, language) : refusals[code][language]
}

/** Details with a message for each violation. */
export function withViolationMessages(details: Details, language: Language): Details {
  const violations = details['violations'] as (Details & { code: string })[] | undefined
  if (!Array.isArray(violations)) return details
  return {
    ...details,
    violations: violations.map((it) =>
      isRefusalCode(it.code) ? { ...it, message: messageOf(it.code, it, language) } : it,
    ),
  }
}

/** The sentences of a code, for the reference and the tests. */
export const sentencesOf = (code: RefusalCode): readonly Sentence[] => sentences[code] ?? []

const sentenceOf = (text: string | undefined): string | undefined =>
  text && `${text[0]!.toUpperCase()}${text.slice(1)}.`

const isComplete = (sentence: Sentence, details: Details): boolean =>
  (sentence.reason === undefined || sentence.reason === details['reason']) &&
  (sentence.needs === undefined || details[sentence.needs] !== undefined) &&
  (sentence.zero === undefined || details[sentence.zero] === 0) &&
  [...sentence.en.matchAll(placeholder)].every(([, name]) => isText(details[name!]))

const isText = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : typeof value === 'string' || typeof value === 'number'

function filledIn(sentence: string, details: Details, language: Language): string {
  return sentence.replaceAll(placeholder, (_all, name: string, of?: string, unit?: string) => {
    const value = details[name]
    if (unit === 'instant') return instantWords(String(value), language)
    if (typeof value === 'number' && unit === 'number') return numberText(value, language)
    if (typeof value === 'number' && unit)
      return countText(value, unit as Unit, { language, of: of !== undefined })
    return clip([value].flat().join(', '), maxValueLength)
  })
}
