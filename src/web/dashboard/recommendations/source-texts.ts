// Why a candidate source proposed an offer, in words.

import type { Operations } from '../../../sdk/index.ts'
import { fillIn } from '../app/language.ts'

type Explained = Operations['recommendations.explain']['reply']['offers'][number]

const shownSources = 2

/** The strongest sources in words; without any, how the offer got into the list. */
export function whyOf({ sources, reason }: Explained, texts: Record<string, string>): string {
  const known = sources.slice(0, shownSources).flatMap((it) => texts[it.source] ?? [])
  return known.length > 0 ? known.join(' · ') : reason
}

const shownReasons = 2

/** The products that are the strongest reasons for an offer, in words; none when it does not depend on the buyer. */
export function becauseOf(
  { sources }: Pick<Explained, 'sources'>,
  texts: Record<keyof typeof relationTexts, string>,
): string {
  const reasons = sources.find((it) => it.because.length > 0)?.because ?? []
  return reasons
    .filter((it) => it.contribution > 0 && it.relation !== null)
    .slice(0, shownReasons)
    .map(({ relation, name, product_id: id }) => fillIn(texts[relation!], { name: name ?? `№ ${id}` }))
    .join(' · ')
}

/** What the buyer has to do with a product that is a reason. */
export const relationTexts = {
  on_page: ['On this page: {name}', 'На этой странице: {name}', 'Shu sahifada: {name}'],
  view: ['Viewed: {name}', 'Просмотрено: {name}', 'Ko‘rgan: {name}'],
  click: ['Opened: {name}', 'Открыто: {name}', 'Ochgan: {name}'],
  wishlist: ['On the wishlist: {name}', 'В списке желаний: {name}', 'Istaklar ro‘yxatida: {name}'],
  cart: ['Put into the cart: {name}', 'Добавлено в корзину: {name}', 'Savatga qo‘shgan: {name}'],
  purchase: ['Bought: {name}', 'Куплено: {name}', 'Sotib olgan: {name}'],
} as const

export const sourceTexts = {
  ease_history: [
    'Goes with what the buyer looked at before',
    'Подходит к тому, что покупатель смотрел раньше',
    'Xaridor avval ko‘rgan narsalarga mos',
  ],
  ease_focus: [
    'Goes with the products on this page',
    'Подходит к товарам на этой странице',
    'Shu sahifadagi mahsulotlarga mos',
  ],
  walk_history: [
    'Buyers with a similar history chose it',
    'Выбирали покупатели с похожей историей',
    'O‘xshash tarixga ega xaridorlar tanlagan',
  ],
  rules_focus: [
    'Often viewed after the product on this page',
    'Часто смотрят после товара на этой странице',
    'Ko‘pincha shu sahifadagi mahsulotdan keyin ko‘riladi',
  ],
  baskets_focus: [
    'Often bought together with the products on this page',
    'Часто покупают вместе с товарами на этой странице',
    'Ko‘pincha shu sahifadagi mahsulotlar bilan birga olinadi',
  ],
  alike_focus: [
    'Similar to the product on this page',
    'Похоже на товар на этой странице',
    'Shu sahifadagi mahsulotga o‘xshash',
  ],
  repeat: ['The buyer buys it regularly', 'Покупатель берёт это регулярно', 'Xaridor buni muntazam oladi'],
  popular: ['Popular now', 'Сейчас популярно', 'Hozir ommabop'],
  external: ['Proposed by the external model', 'Предложила внешняя модель', 'Tashqi model taklif qilgan'],
  sessions_visit: [
    'Similar visits went on to it',
    'К этому переходили в похожих визитах',
    'O‘xshash tashriflarda shunga o‘tilgan',
  ],
  factors_history: ['Fits the taste of the buyer', 'Соответствует вкусу покупателя', 'Xaridor didiga mos'],
  again: ['The buyer looked at it before', 'Покупатель уже смотрел это', 'Xaridor buni avval ko‘rgan'],
  companions_focus: [
    'From a category that buyers turn to next',
    'Из категории, к которой покупатели переходят дальше',
    'Xaridorlar keyin o‘tadigan turkumdan',
  ],
  alike_history: [
    'Similar to what the buyer looked at',
    'Похоже на то, что смотрел покупатель',
    'Xaridor ko‘rgan narsaga o‘xshash',
  ],
} as const
