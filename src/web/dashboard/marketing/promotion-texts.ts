import type { Promotion } from '../../../sdk/index.ts'
import type { Language } from '../app/language.ts'

/** The title in the language of the member. */
export const titleIn = (it: Promotion, language: Language): string =>
  ({ ru: it.title, uz: it.title_uz, en: it.title_en })[language]

export const promotionTexts = {
  title: ['Promotions', 'Акции', 'Aksiyalar'],
  text: [
    'Prices that hold for a period. The cart uses them by itself.',
    'Цены на период. Корзина применяет их сама.',
    'Davr uchun narxlar. Savat ularni o‘zi qo‘llaydi.',
  ],
  plan: ['Plan a promotion', 'Запланировать акцию', 'Aksiya rejalash'],
  planned: ['Planned', 'Запланировано', 'Rejalandi'],
  name: ['Title', 'Название', 'Nomi'],
  nameHint: [
    'For all languages that have none of their own below.',
    'Для всех языков, у которых ниже нет своего.',
    'Quyida o‘z nomi bo‘lmagan barcha tillar uchun.',
  ],
  nameUz: ['Title in Uzbek', 'Название на узбекском', 'O‘zbekcha nomi'],
  nameEn: ['Title in English', 'Название на английском', 'Inglizcha nomi'],
  slug: ['Short name for addresses', 'Короткое имя для адресов', 'Manzil uchun qisqa nom'],
  discount: ['Discount in percent', 'Скидка в процентах', 'Chegirma, foizda'],
  offers: [
    'Offer ids, separated by commas',
    'Номера предложений через запятую',
    'Taklif raqamlari, vergul bilan',
  ],
  category: ['Or a category', 'Или категория', 'Yoki turkum'],
  noCategory: ['None', 'Нет', 'Yo‘q'],
  from: ['From', 'С', 'Boshlanishi'],
  until: ['Until', 'До', 'Tugashi'],
  scheduled: ['Scheduled', 'Запланирована', 'Rejalangan'],
  running: ['Running', 'Идёт', 'Davom etmoqda'],
  ended: ['Ended', 'Завершена', 'Tugagan'],
  end: ['End now', 'Завершить', 'Tugatish'],
  endDone: ['The promotion has ended', 'Акция завершена', 'Aksiya tugadi'],
  open: ['without end', 'без срока', 'muddatsiz'],
  instalments: ['Terms of instalments', 'Условия рассрочки', 'Muddatli to‘lov shartlari'],
  conflict: ['Conflict', 'Конфликт', 'Ziddiyat'],
  conflicts: ['Conflicts', 'Конфликты', 'Ziddiyatlar'],
  conflictsText: [
    'These promotions lower the price of the same offers at the same time. Discounts are not added up: the lowest price wins.',
    'Эти акции снижают цену одних и тех же предложений в одно время. Скидки не складываются: побеждает самая низкая цена.',
    'Bu aksiyalar bir vaqtda bir xil takliflar narxini tushiradi. Chegirmalar qo‘shilmaydi: eng past narx amal qiladi.',
  ],
  shared: ['offers in both: {count}', 'общих предложений: {count}', 'umumiy takliflar: {count}'],
  wins: [
    '“{winner}” wins for all of them, so “{loser}” changes nothing there.',
    'Для всех побеждает «{winner}», поэтому «{loser}» там ничего не меняет.',
    'Hammasida “{winner}” amal qiladi, “{loser}” esa u yerda hech narsani o‘zgartirmaydi.',
  ],
  depends: [
    'Which one wins depends on the usual price of each offer.',
    'Какая победит, зависит от обычной цены предложения.',
    'Qaysi biri amal qilishi taklifning odatdagi narxiga bog‘liq.',
  ],
  more: [
    'More promotions overlap than are compared here.',
    'Пересекается больше акций, чем здесь сравнивается.',
    'Bu yerda taqqoslanganidan ko‘proq aksiyalar kesishadi.',
  ],
  today: ['today', 'сегодня', 'bugun'],
  none: ['No promotions yet', 'Акций пока нет', 'Hali aksiya yo‘q'],
  noneText: [
    'Plan one, and its prices appear in the catalog and in carts at the set time.',
    'Запланируйте акцию: её цены появятся в каталоге и корзинах в назначенное время.',
    'Aksiya rejalang: narxlari belgilangan vaqtda katalog va savatlarda paydo bo‘ladi.',
  ],
} as const
