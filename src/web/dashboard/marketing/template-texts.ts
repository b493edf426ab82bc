import type { Language } from '../app/language.ts'

export const templateTexts = {
  templates: ['Templates', 'Шаблоны', 'Shablonlar'],
  template: ['Template', 'Шаблон', 'Shablon'],
  channel: ['Channel', 'Канал', 'Kanal'],
  email: ['E-mail', 'Почта', 'Pochta'],
  sms: ['SMS', 'SMS', 'SMS'],
  push: ['Push', 'Push', 'Push'],
  languages: ['Languages', 'Языки', 'Tillar'],
  version: ['Version', 'Версия', 'Versiya'],
  state: ['State', 'Состояние', 'Holat'],
  active: ['In use', 'Используется', 'Ishlatilmoqda'],
  inactive: ['Off', 'Выключен', 'O‘chirilgan'],
  changed: ['Changed', 'Изменён', 'O‘zgargan'],
  none: ['No templates yet', 'Шаблонов пока нет', 'Hali shablon yo‘q'],
  subject: ['Subject', 'Тема', 'Mavzu'],
  text: ['Text', 'Текст', 'Matn'],
  preview: ['Preview', 'Просмотр', 'Ko‘rinishi'],
  previewText: ['With example values', 'С примерными значениями', 'Namunaviy qiymatlar bilan'],
  save: ['Save a new version', 'Сохранить новую версию', 'Yangi versiyani saqlash'],
  saved: ['Saved', 'Сохранено', 'Saqlandi'],
  language: ['Language', 'Язык', 'Til'],
} as const

/** What the templates of the platform are for; those of the shop are described by its members. */
// oxfmt-ignore
const purposes: Record<string, { ru: string; uz: string }> = {
  'For clients with an abandoned cart': { ru: 'Клиентам, оставившим корзину', uz: 'Savatini qoldirgan mijozlarga' },
  'After a member asked for a new password': { ru: 'Участнику, запросившему новый пароль', uz: 'Yangi parol so‘ragan a’zoga' },
  'After an order was made, to clients with an e-mail': { ru: 'После оформления заказа, клиентам с почтой', uz: 'Buyurtmadan keyin, pochtasi bor mijozlarga' },
  'After an order was made, to clients with a telephone alone': { ru: 'После оформления заказа, клиентам только с телефоном', uz: 'Buyurtmadan keyin, faqat telefoni bor mijozlarga' },
  'When a parcel is on its way, to clients with an e-mail': { ru: 'Когда посылка в пути, клиентам с почтой', uz: 'Jo‘natma yo‘lda bo‘lganda, pochtasi bor mijozlarga' },
  'When a parcel is on its way, to clients with a telephone alone': { ru: 'Когда посылка в пути, клиентам только с телефоном', uz: 'Jo‘natma yo‘lda bo‘lganda, faqat telefoni bor mijozlarga' },
  'After a client asked for a new password by e-mail address': { ru: 'После запроса нового пароля по почте', uz: 'Pochta orqali yangi parol so‘ralganda' },
  'After a client asked for a new password by phone number': { ru: 'После запроса нового пароля по телефону', uz: 'Telefon orqali yangi parol so‘ralganda' },
}

export const purposeText = (description: string, language: Language): string =>
  (language !== 'en' && purposes[description]?.[language]) || description
