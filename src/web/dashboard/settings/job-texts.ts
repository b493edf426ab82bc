// What each job does, for members who do not read English; the server describes jobs in English.

import type { Language } from '../app/language.ts'

type Translations = Record<Exclude<Language, 'en'>, string>

// oxfmt-ignore
const table: Record<string, Translations> = {
  'clean-up-carts': { ru: 'Удаляет корзины, которые не менялись 14 дней.', uz: '14 kun o‘zgarmagan savatlarni o‘chiradi.' },
  'clean-up-wishlists': { ru: 'Удаляет списки желаний, которые не менялись 60 дней.', uz: '60 kun o‘zgarmagan istaklar ro‘yxatini o‘chiradi.' },
  'count-popularity': { ru: 'Пересчитывает популярность всех товаров.', uz: 'Barcha mahsulotlar ommabopligini qayta hisoblaydi.' },
  'deliver-test-callbacks': { ru: 'Доставляет ответы тестового банка.', uz: 'Sinov banki javoblarini yetkazadi.' },
  'expire-guest-carts': { ru: 'Удаляет просроченные корзины гостей; открыть их нельзя и до удаления.', uz: 'Mehmonlarning muddati o‘tgan savatlarini o‘chiradi; ular undan oldin ham ochilmaydi.' },
  'expire-shared-carts': { ru: 'Удаляет просроченные общие корзины; открыть их нельзя и до удаления.', uz: 'Muddati o‘tgan umumiy savatlarni o‘chiradi; ular undan oldin ham ochilmaydi.' },
  'guard-experiments': { ru: 'Останавливает эксперименты, которые теряют больше покупок, чем разрешено.', uz: 'Ruxsat etilganidan ko‘p xarid yo‘qotayotgan tajribalarni to‘xtatadi.' },
  housekeeping: { ru: 'Удаляет события через 30 дней и запуски заданий через 90.', uz: 'Hodisalarni 30, vazifa yozuvlarini 90 kundan keyin o‘chiradi.' },
  'learn-search': { ru: 'Узнаёт из поисков, какие категории и слова имеют в виду покупатели; используется только то, что лучше на последних днях.', uz: 'Qidiruvlardan xaridorlar qaysi turkum va so‘zlarni nazarda tutishini o‘rganadi; faqat oxirgi kunlarda yaxshi natija bergani ishlatiladi.' },
  'maintain-interactions': { ru: 'Готовит разделы на будущие месяцы; удаляет действия старше 13 месяцев и показанные подборки старше 4.', uz: 'Kelgusi oylar bo‘limlarini tayyorlaydi; 13 oydan eski harakatlar va 4 oydan eski ro‘yxatlarni o‘chiradi.' },
  'mark-unavailable-wishlist-items': { ru: 'Отмечает желаемое, которого нет в продаже, чтобы сообщить покупателям о поступлении.', uz: 'Sotuvda yo‘q istaklarni belgilaydi: qaytganda xaridorga xabar beriladi.' },
  promotions: { ru: 'Сообщает о начале и конце акций; запускается и в сам момент.', uz: 'Aksiya boshlangani va tugaganini bildiradi; o‘sha lahzada ham ishlaydi.' },
  'purge-campaign-targets': { ru: 'Удаляет адресатов рассылок, их покупки и активность через 400 дней.', uz: 'Kampaniya oluvchilari, ularning xaridlari va faolligini 400 kundan keyin o‘chiradi.' },
  'purge-integration-events': { ru: 'Удаляет номера принятых событий через 30 дней.', uz: 'Qabul qilingan hodisalar raqamlarini 30 kundan keyin o‘chiradi.' },
  'purge-notifications': { ru: 'Снимает уведомления, задержанные на 3 дня, и удаляет завершённые через 90.', uz: '3 kun ushlab turilgan xabarlarni to‘xtatadi, 90 kun oldin tugaganlarini o‘chiradi.' },
  'purge-old-records': { ru: 'Удаляет журнал действий и дневную нагрузку через 400 дней, часовую нагрузку, сеансы и приглашения участников через 30, запросы пароля через 7.', uz: 'Audit va kunlik yuklamani 400, soatlik yuklama, seans va taklifnomalarni 30, parol so‘rovlarini 7 kundan keyin o‘chiradi.' },
  'purge-payment-tasks': { ru: 'Удаляет завершённые задачи банков и принятые ответы через 30 дней.', uz: 'Bank vazifalari va qabul qilingan javoblarni 30 kundan keyin o‘chiradi.' },
  'purge-pictures': { ru: 'Удаляет загруженные картинки, которые нигде не показаны 7 дней.', uz: '7 kun hech qayerda ko‘rsatilmagan rasmlarni o‘chiradi.' },
  'purge-purchases': { ru: 'Удаляет учтённые покупки клиентов через 40 дней, когда они уже не входят в лимиты.', uz: 'Mijozlarning hisobga olingan xaridlarini 40 kundan keyin, limitga kirmay qolganda o‘chiradi.' },
  'purge-replies': { ru: 'Удаляет ответы, сохранённые для Idempotency-Key, через день.', uz: 'Idempotency-Key uchun saqlangan javoblarni bir kundan keyin o‘chiradi.' },
  'purge-request-log': { ru: 'Удаляет записи запросов через 7 дней и самые старые сверх 100 000.', uz: 'So‘rov yozuvlarini 7 kundan keyin va 100 000 dan ortig‘ini o‘chiradi.' },
  'purge-searches': { ru: 'Удаляет поиски и их действия через 90 дней и самые старые сверх 200 000.', uz: 'Qidiruvlar va ularning harakatlarini 90 kundan keyin va 200 000 dan ortig‘ini o‘chiradi.' },
  'finish-erasures': { ru: 'Ещё раз стирает данные клиентов, удалённых за два дня: незавершённый запрос мог записать их позже.', uz: 'Ikki kun ichida o‘chirilgan mijozlar ma’lumotini yana bir bor o‘chiradi: tugamagan so‘rov uni keyin yozgan bo‘lishi mumkin.' },
  'purge-sessions': { ru: 'Удаляет завершённые сеансы, старые запросы пароля и счётчики попыток.', uz: 'Tugagan seanslar, eski parol so‘rovlari va urinish hisoblarini o‘chiradi.' },
  'purge-tokens': { ru: 'Удаляет токены и запросы доступа, завершённые неделю назад, и разрешения без токенов.', uz: 'Bir hafta oldin tugagan token va ruxsat so‘rovlarini, tokensiz ruxsatlarni o‘chiradi.' },
  'purge-webhook-deliveries': { ru: 'Удаляет завершённые доставки вебхуков через 30 дней, просроченные секреты и удалённые вебхуки.', uz: 'Tugagan vebhuk yetkazishlarini 30 kundan keyin, eskirgan sir va o‘chirilgan vebhuklarni o‘chiradi.' },
  'recommendation-metrics': { ru: 'Считает показы, клики и покупки рекомендаций за последние дни.', uz: 'Oxirgi kunlardagi tavsiya ko‘rsatish, bosish va xaridlarini hisoblaydi.' },
  'release-unpaid-orders': { ru: 'Отменяет заказы картой, не оплаченные за 30 минут; товары снова в продаже.', uz: '30 daqiqada to‘lanmagan karta buyurtmalarini bekor qiladi; mahsulotlar sotuvga qaytadi.' },
  'report-overdue-instalments': { ru: 'Сообщает о взносах, не внесённых в срок, по одному разу.', uz: 'Muddatida to‘lanmagan bo‘lib to‘lashlarni bir martadan bildiradi.' },
  'run-campaigns': { ru: 'Ищет поводы идущих рассылок и отправляет их сообщения.', uz: 'Davom etayotgan kampaniyalar uchun sabablarni topib, xabarlarini yuboradi.' },
  'settle-payments': { ru: 'Повторяет запросы к банкам, на которые не было ответа.', uz: 'Javob kelmagan bank so‘rovlarini takrorlaydi.' },
  'tidy-reservations': { ru: 'Убирает истёкшие резервы; они не действуют и до этого.', uz: 'Muddati o‘tgan band qilishlarni tozalaydi; ular undan oldin ham amal qilmaydi.' },
  'train-recommendations': { ru: 'Обучает модель рекомендаций на недавних действиях и включает её, если она не хуже.', uz: 'Tavsiya modelini so‘nggi harakatlarda o‘qitadi va yomonroq bo‘lmasa ishga tushiradi.' },
}

/** A job that is not in the table is described in English. */
export const jobText = (
  { name, description }: { name: string; description: string },
  language: Language,
): string => (language !== 'en' && table[name]?.[language]) || description

export const describedJobs = Object.keys(table)
