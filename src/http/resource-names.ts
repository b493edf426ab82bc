// What resources are called in messages. Russian names are in the genitive: "категории 77 нет".

import type { Language } from './language.ts'

type Name = Record<Language, string>
const name = (en: string, ru: string, uz: string): Name => ({ en, ru, uz })

// oxfmt-ignore
const names: Record<string, Name> = {
  address:         name('address', 'адреса', 'manzil'),
  application:     name('application', 'приложения', 'ilova'),
  brand:           name('brand', 'бренда', 'brend'),
  callback:        name('acquirer', 'эквайера', 'ekvayer'),
  campaign:        name('campaign', 'кампании', 'kampaniya'),
  cart:            name('cart', 'корзины', 'savat'),
  category:        name('category', 'категории', 'toifa'),
  client:          name('client', 'клиента', 'mijoz'),
  consent:         name('consent', 'согласия', 'rozilik'),
  dead_letter:     name('dead letter', 'необработанного события', 'bajarilmagan hodisa'),
  attribute:       name('attribute', 'атрибута', 'atribut'),
  delivery:        name('delivery', 'доставки', 'yetkazma'),
  delivery_method: name('delivery method', 'способа доставки', 'yetkazish usuli'),
  device:          name('device', 'устройства', 'qurilma'),
  event:           name('event', 'события', 'hodisa'),
  exchange_rate:   name('exchange rate', 'курса валюты', 'valyuta kursi'),
  experiment:      name('experiment', 'эксперимента', 'tajriba'),
  fulfilment:      name('fulfilment', 'отправления', 'jo‘natma'),
  invitation:      name('invitation', 'приглашения', 'taklifnoma'),
  item:            name('offer', 'предложения', 'taklif'),
  job:             name('job', 'задания', 'vazifa'),
  key:             name('key', 'ключа', 'kalit'),
  line:            name('line', 'позиции', 'qator'),
  coupon:          name('coupon', 'промокода', 'promokod'),
  loan_condition:  name('loan condition', 'условия рассрочки', 'bo‘lib to‘lash sharti'),
  mandate:         name('mandate', 'мандата', 'mandat'),
  member:          name('member', 'участника', 'a’zo'),
  model:           name('model', 'модели', 'model'),
  training:        name('training', 'обучения', 'o‘qitish'),
  moderated_item:  name('moderated offer', 'модерируемого предложения', 'moderatsiyadagi taklif'),
  moderated_offer: name('moderated offer', 'модерируемого предложения', 'moderatsiyadagi taklif'),
  notification:    name('notification', 'уведомления', 'bildirishnoma'),
  offer:           name('offer', 'предложения', 'taklif'),
  order:           name('order', 'заказа', 'buyurtma'),
  partner:         name('partner', 'партнёра', 'hamkor'),
  password_reset:  name('password reset', 'запроса на смену пароля', 'parolni tiklash so‘rovi'),
  tool:            name('tool', 'инструмента', 'vosita'),
  path:            name('path', 'адреса', 'manzil'),
  payment:         name('payment', 'платежа', 'to‘lov'),
  product:         name('product', 'товара', 'mahsulot'),
  promotion:       name('promotion', 'акции', 'aksiya'),
  request_log:     name('call', 'вызова', 'chaqiruv'),
  review:          name('review', 'отзыва', 'sharh'),
  recommendation:  name('list of recommendations', 'списка рекомендаций', 'tavsiyalar ro‘yxati'),
  return:          name('return', 'возврата', 'qaytarish'),
  secret:          name('secret', 'секрета', 'maxfiy kalit'),
  session:         name('session', 'сессии', 'sessiya'),
  shared_cart:     name('shared cart', 'совместной корзины', 'umumiy savat'),
  template:        name('template', 'шаблона', 'shablon'),
  variant:         name('variant', 'варианта', 'variant'),
  webhook:         name('webhook', 'вебхука', 'vebxuk'),
}

/** Where something was not found that may exist elsewhere. */
const places: Record<string, Name> = {
  cart: name('in the cart', 'в корзине', 'savatda'),
  wishlist: name('in the wishlist', 'в списке желаний', 'istaklar ro‘yxatida'),
  shared_cart: name('in the shared cart', 'в совместной корзине', 'umumiy savatda'),
}

/** Fields that are called otherwise than the resource they name. */
const aliases: Record<string, string> = { parent: 'category', into: 'client', requester: 'client' }

export const resourceName = (resource: string, language: Language): string | undefined =>
  names[resource]?.[language]

export const isNamedResource = (resource: string): boolean => Object.hasOwn(names, resource)

/** The resource that a field names: `category_id`, `offer_ids.3`, `LoanConditionId`, `lines.0.line`. */
export function resourceOfField(path: string): string | undefined {
  const field = path.split('.').findLast((it) => !/^\d+$/.test(it)) ?? ''
  const word = field
    .replaceAll(/(?<=[a-z])[A-Z]/g, '_$&')
    .toLowerCase()
    .replace(/_ids?$/, '')
  const resource = aliases[word] ?? word
  return isNamedResource(resource) ? resource : undefined
}

/** "there is no category 77" in the language, without a full stop. */
export function absenceText(
  resource: string,
  id: string,
  language: Language,
  place?: string,
): string | undefined {
  const called = resourceName(resource, language)
  if (!called) return undefined
  const at = place === undefined ? undefined : places[place]?.[language]
  if (language === 'en') return `there is no ${called} ${id}${at ? ` ${at}` : ''}`
  if (language === 'ru') return `${called} ${id} нет${at ? ` ${at}` : ''}`
  return `${at ? `${at} ` : ''}${called} topilmadi: ${id}`
}
