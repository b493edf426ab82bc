// Every way in which a request can be declined: its status, its type, and a sentence in each language.
// Codes are promises to integrators and never change; sentences may become better.

import type { Language } from './language.ts'

type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'authorization_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'validation_error'
  | 'idempotency_error'
  | 'business_rule_violation'
  | 'rate_limit_error'
  | 'service_error'

interface Row extends Record<Language, string> {
  status: number
  type: ErrorType
}

const row = (status: number, type: ErrorType, en: string, ru: string, uz: string): Row => ({
  status,
  type,
  en,
  ru,
  uz,
})
const invalid = (status: number, en: string, ru: string, uz: string) =>
  row(status, 'invalid_request_error', en, ru, uz)
const forbidden = (en: string, ru: string, uz: string) => row(403, 'authorization_error', en, ru, uz)
const conflict = (status: number, en: string, ru: string, uz: string) =>
  row(status, 'conflict_error', en, ru, uz)
const rule = (en: string, ru: string, uz: string) => row(422, 'business_rule_violation', en, ru, uz)

// oxfmt-ignore
export const refusals = {
  invalid_json:            invalid(400, 'The body is not valid JSON in UTF-8.', 'Тело запроса должно быть корректным JSON в UTF-8.', 'So‘rov tanasi UTF-8 dagi to‘g‘ri JSON bo‘lishi kerak.'),
  invalid_header:          invalid(400, 'A header has a value that is not allowed.', 'Недопустимое значение заголовка.', 'Sarlavha qiymati yaroqsiz.'),
  invalid_idempotency_key: invalid(400, 'The Idempotency-Key must be 1 to 255 visible ASCII characters.', 'В Idempotency-Key должно быть от 1 до 255 видимых символов ASCII.', 'Idempotency-Key 1 dan 255 gacha ko‘rinadigan ASCII belgidan iborat bo‘lishi kerak.'),
  buyer_required:          invalid(400, 'Name exactly one buyer.', 'Укажите ровно одного покупателя.', 'Aynan bitta xaridorni ko‘rsating.'),

  unauthorized:             row(401, 'authentication_error', 'The credential is missing, unknown or no longer valid.', 'Ключ или токен отсутствует, неизвестен или больше не действует.', 'Kalit yoki token yo‘q, noma’lum yoki endi amal qilmaydi.'),
  invalid_credentials:      row(401, 'authentication_error', 'The login or the password is wrong.', 'Неверный логин или пароль.', 'Login yoki parol noto‘g‘ri.'),
  two_step_required:        row(401, 'authentication_error', 'Enter the code of your authenticator application.', 'Введите код из приложения-аутентификатора.', 'Autentifikator ilovasidagi kodni kiriting.'),
  insufficient_permissions: forbidden('The credential lacks a scope that this call needs.', 'У ключа нет нужного разрешения.', 'Kalitda bu amal uchun ruxsat yo‘q.'),
  buyer_mismatch:           forbidden('The credential may not act for this buyer.', 'Этот ключ не может действовать за данного покупателя.', 'Bu kalit ushbu xaridor nomidan ish ko‘ra olmaydi.'),
  origin_mismatch:          forbidden('A write with a session cookie must come from a page of this server or carry X-CSRF-Token.', 'Изменяющий запрос с cookie сессии должен идти со страницы этого сервера или содержать X-CSRF-Token.', 'Sessiya cookie bilan o‘zgartirish so‘rovi shu server sahifasidan kelishi yoki X-CSRF-Token bilan yuborilishi kerak.'),
  https_required:           forbidden('Use HTTPS.', 'Используйте HTTPS.', 'HTTPS dan foydalaning.'),
  not_found:                row(404, 'not_found_error', 'Not found.', 'Не найдено.', 'Topilmadi.'),

  method_not_allowed:     invalid(405, 'This path does not accept the method.', 'Этот адрес не поддерживает такой метод.', 'Bu manzil ushbu usulni qo‘llamaydi.'),
  not_acceptable:         invalid(406, 'The reply is not available in a type that you accept.', 'Ответ недоступен в форматах из заголовка Accept.', 'Javob Accept sarlavhasidagi turlarda mavjud emas.'),
  request_timeout:        invalid(408, 'The request took too long to arrive.', 'Запрос передавался слишком долго.', 'So‘rov juda uzoq yuborildi.'),
  payload_too_large:      invalid(413, 'The body is too large.', 'Тело запроса слишком большое.', 'So‘rov tanasi juda katta.'),
  uri_too_long:           invalid(414, 'The address is too long.', 'Адрес запроса слишком длинный.', 'So‘rov manzili juda uzun.'),
  unsupported_media_type: invalid(415, 'Send the body in a type that this path accepts, in UTF-8, uncompressed.', 'Отправьте тело в формате, который принимает этот адрес, в UTF-8 и без сжатия.', 'Tanani ushbu manzil qabul qiladigan turda, UTF-8 da, siqmasdan yuboring.'),
  headers_too_large:      invalid(431, 'The headers are too large.', 'Заголовки слишком большие.', 'Sarlavhalar juda katta.'),

  idempotency_in_progress: conflict(409, 'A request with this Idempotency-Key is still running.', 'Запрос с этим Idempotency-Key ещё выполняется.', 'Shu Idempotency-Key bilan so‘rov hali bajarilmoqda.'),
  conflict:                conflict(409, 'The request conflicts with the stored data.', 'Запрос противоречит сохранённым данным.', 'So‘rov saqlangan ma’lumotga zid.'),
  invalid_transition:      conflict(409, 'The current state does not allow this step.', 'Текущее состояние не допускает этого шага.', 'Hozirgi holat bu qadamga yo‘l qo‘ymaydi.'),
  price_changed:           conflict(409, 'The total is not the expected one. Show the new total to the buyer.', 'Сумма отличается от ожидаемой. Покажите покупателю новую сумму.', 'Summa kutilganidan farq qiladi. Xaridorga yangi summani ko‘rsating.'),
  version_mismatch:        conflict(412, 'The data has changed since you read it.', 'Данные изменились с тех пор, как вы их прочитали.', 'Siz o‘qiganingizdan keyin ma’lumot o‘zgargan.'),

  validation_failed:      row(422, 'validation_error', 'Some fields are not valid.', 'Некоторые поля заполнены неверно.', 'Ba’zi maydonlar noto‘g‘ri to‘ldirilgan.'),
  idempotency_key_reused: row(422, 'idempotency_error', 'This Idempotency-Key was used for another request.', 'Этот Idempotency-Key уже использован для другого запроса.', 'Bu Idempotency-Key boshqa so‘rov uchun ishlatilgan.'),

  stock_exceeded:             rule('Fewer units are available than you asked for.', 'Товара меньше, чем вы запросили.', 'Omborda so‘ralgandan kam mahsulot bor.'),
  purchase_limit_exceeded:    rule('The daily purchase limit would be exceeded.', 'Превышен дневной лимит покупок.', 'Kunlik xarid limiti oshib ketadi.'),
  product_limit_exceeded:     rule('The limit of units of this product would be exceeded.', 'Превышен лимит единиц этого товара.', 'Bu mahsulot uchun dona limiti oshib ketadi.'),
  credit_limit_exceeded:      rule('The credit limit would be exceeded.', 'Превышен кредитный лимит.', 'Kredit limiti oshib ketadi.'),
  guest_limit_exceeded:       rule('A guest may not buy this much. Sign in to go on.', 'Столько можно купить только после входа. Войдите, чтобы продолжить.', 'Buncha xarid qilish uchun tizimga kirish kerak.'),
  authorization_required:     rule('Sign in to order for this amount.', 'Войдите, чтобы оформить заказ на эту сумму.', 'Bu summaga buyurtma berish uchun tizimga kiring.'),
  loan_condition_required:    rule('Choose a loan condition to pay in instalments.', 'Выберите условие рассрочки.', 'Bo‘lib to‘lash shartini tanlang.'),
  loan_condition_unavailable: rule('This offer does not have that loan condition.', 'У предложения нет такого условия рассрочки.', 'Bu taklifda bunday bo‘lib to‘lash sharti yo‘q.'),
  partner_credit_inactive:    rule('The partner does not sell in instalments now.', 'Партнёр сейчас не продаёт в рассрочку.', 'Hamkor hozir bo‘lib to‘lashga sotmaydi.'),
  payment_method_not_allowed: rule('This payment method cannot be used here.', 'Этот способ оплаты здесь недоступен.', 'Bu to‘lov usuli bu yerda mavjud emas.'),
  offer_unavailable:          rule('The offer is not for sale now.', 'Предложение сейчас не продаётся.', 'Taklif hozir sotuvda emas.'),
  moderation_pending:         rule('The offer is still being checked.', 'Предложение ещё на проверке.', 'Taklif hali tekshirilmoqda.'),
  delivery_method_required:   rule('Choose how the order is delivered.', 'Выберите способ доставки.', 'Yetkazib berish usulini tanlang.'),
  delivery_unavailable:       rule('This delivery method does not serve the order.', 'Этот способ доставки не подходит для заказа.', 'Bu yetkazib berish usuli buyurtmaga mos emas.'),
  amount_too_large:           rule('The amount is too large.', 'Слишком большая сумма.', 'Summa juda katta.'),
  mandate_required:             rule('The client has given this application a mandate. Name it in the order.', 'Клиент выдал этому приложению мандат. Укажите его в заказе.', 'Mijoz bu ilovaga mandat bergan. Uni buyurtmada ko‘rsating.'),
  mandate_invalid:              rule('The mandate does not allow this order.', 'Мандат не разрешает этот заказ.', 'Mandat bu buyurtmaga ruxsat bermaydi.'),
  mandate_category_not_allowed: rule('The mandate does not cover this category.', 'Мандат не распространяется на эту категорию.', 'Mandat bu toifaga tegishli emas.'),
  mandate_budget_exceeded:      rule('The budget of the mandate would be exceeded.', 'Превышен бюджет мандата.', 'Mandat byudjeti oshib ketadi.'),
  confirmation_required:        rule('The client must confirm this order.', 'Клиент должен подтвердить этот заказ.', 'Mijoz bu buyurtmani tasdiqlashi kerak.'),
  cart_empty:                 rule('The cart is empty.', 'Корзина пуста.', 'Savat bo‘sh.'),
  nothing_orderable:          rule('No line of the cart can be ordered now.', 'Сейчас ни одну позицию корзины нельзя заказать.', 'Savatdagi birorta mahsulotga hozir buyurtma berib bo‘lmaydi.'),
  cart_full:                  rule('The cart is full.', 'Корзина заполнена.', 'Savat to‘lgan.'),
  wishlist_full:              rule('The wishlist is full.', 'Список желаний заполнен.', 'Istaklar ro‘yxati to‘lgan.'),
  coupon_unknown:             rule('There is no such coupon.', 'Такого промокода нет.', 'Bunday promokod yo‘q.'),
  coupon_inactive:            rule('The coupon cannot be used now.', 'Промокод сейчас не действует.', 'Promokod hozir amal qilmaydi.'),
  coupon_expired:             rule('The coupon has expired.', 'Срок действия промокода истёк.', 'Promokodning muddati tugagan.'),
  coupon_used_up:             rule('The coupon has been used as often as it could be.', 'Промокод уже использован максимальное число раз.', 'Promokoddan foydalanish soni tugagan.'),
  coupon_already_used:        rule('You have used this coupon already.', 'Вы уже использовали этот промокод.', 'Siz bu promokoddan foydalanib bo‘lgansiz.'),
  coupon_sign_in_required:    rule('Sign in to use this coupon.', 'Войдите, чтобы воспользоваться промокодом.', 'Promokoddan foydalanish uchun tizimga kiring.'),
  coupon_not_applicable:      rule('The coupon applies to none of these products.', 'Промокод не действует на эти товары.', 'Promokod bu mahsulotlarga amal qilmaydi.'),
  coupon_amount_too_low:      rule('The products cost less than the coupon requires.', 'Сумма товаров меньше, чем требует промокод.', 'Mahsulotlar summasi promokod talabidan kam.'),
  shared_cart_closed:         rule('The shared cart is closed.', 'Совместная корзина закрыта.', 'Umumiy savat yopilgan.'),

  rate_limit_exceeded: row(429, 'rate_limit_error', 'Too many requests. Wait a little.', 'Слишком много запросов. Подождите немного.', 'So‘rovlar juda ko‘p. Biroz kuting.'),

  internal_error:      row(500, 'service_error', 'An error on our side; it is logged. Repeat the request later.', 'Ошибка на нашей стороне, она записана в журнал. Повторите запрос позже.', 'Biz tomonda xatolik yuz berdi, u qayd etildi. So‘rovni keyinroq takrorlang.'),
  service_unavailable: row(503, 'service_error', 'The service is busy. Try again in a moment.', 'Сервис занят. Повторите чуть позже.', 'Xizmat band. Birozdan so‘ng urinib ko‘ring.'),
  storage_unavailable: row(503, 'service_error', 'The database cannot be reached. Try again in a moment.', 'База данных недоступна. Повторите чуть позже.', 'Ma’lumotlar bazasiga ulanib bo‘lmadi. Birozdan so‘ng urinib ko‘ring.'),
}

/** The message of a refusal that is about the caller and not about scopes, by `details.needs`. */
// oxfmt-ignore
export const roleMessages: Partial<Record<string, Record<Language, string>>> = {
  staff:   { en: 'This step is for the staff of the shop: members and server applications.', ru: 'Этот шаг доступен только сотрудникам магазина и серверным приложениям.', uz: 'Bu amal faqat do‘kon xodimlari va server ilovalari uchun.' },
  member:  { en: 'This call is for members of the dashboard.', ru: 'Этот вызов доступен только участникам панели управления.', uz: 'Bu chaqiruv faqat boshqaruv paneli a’zolari uchun.' },
  owner:   { en: 'This call is for owners of the shop.', ru: 'Этот вызов доступен только владельцам магазина.', uz: 'Bu chaqiruv faqat do‘kon egalari uchun.' },
  client:  { en: 'This call is for a signed-in client.', ru: 'Этот вызов доступен только вошедшему клиенту.', uz: 'Bu chaqiruv faqat tizimga kirgan mijoz uchun.' },
  live:    { en: 'This call is about the whole platform: it needs a live key or a member of the dashboard, not a test key.', ru: 'Этот вызов касается всей платформы: нужен боевой ключ или участник панели управления, а не тестовый ключ.', uz: 'Bu chaqiruv butun platformaga tegishli: sinov kaliti emas, jonli kalit yoki boshqaruv paneli a’zosi kerak.' },
  session: { en: 'This call needs the client’s own browser session.', ru: 'Для этого вызова нужна собственная сессия клиента в браузере.', uz: 'Bu chaqiruv uchun mijozning o‘z brauzer sessiyasi kerak.' },
}

export type RefusalCode = keyof typeof refusals

/** The rules of the shop: what the violations of a refusal name. */
export const ruleCodes = (Object.keys(refusals) as RefusalCode[]).filter(
  (it) => refusals[it].type === 'business_rule_violation',
)

export const isRefusalCode = (code: string): code is RefusalCode => Object.hasOwn(refusals, code)
