// The sentences of `conflict`, by reason: what is in the way, and what to do next.

import type { ConflictReason } from '../base/conflict.ts'
import type { Language } from './language.ts'

type Sentence = Record<Language, string>

const says = (en: string, ru: string, uz: string): Sentence => ({ en, ru, uz })

/** The first sentence whose values the details have is used. */
// oxfmt-ignore
export const conflictSentences: Record<ConflictReason, Sentence[]> = {
  taken: [
    says('{field} {value} is already taken. Choose another value.', 'Значение {field} уже занято: {value}. Выберите другое.', '{field} qiymati band: {value}. Boshqasini tanlang.'),
    says('{field} of one of the records is already taken. Send them one by one to see which.', 'Значение {field} одной из записей уже занято. Отправьте записи по одной, чтобы найти её.', 'Yozuvlardan birining {field} qiymati band. Qaysi biriniki ekanini bilish uchun ularni bittadan yuboring.'),
  ],
  in_use: [
    says('{id} cannot be deleted: {used_by} use it, {count:number} in all. Change or delete them first.', 'Удалить {id} нельзя: используется в {used_by}, всего {count:number}. Сначала измените или удалите их.', '{id} ni o‘chirib bo‘lmaydi: u {used_by} da ishlatiladi, jami {count:number} ta. Avval ularni o‘zgartiring yoki o‘chiring.'),
    says('{id} cannot be deleted: {used_by} use it. Change or delete them first.', 'Удалить {id} нельзя: используется в {used_by}. Сначала измените или удалите их.', '{id} ni o‘chirib bo‘lmaydi: u {used_by} da ishlatiladi. Avval ularni o‘zgartiring yoki o‘chiring.'),
  ],
  reference_gone: [says('{field} {value} was deleted meanwhile. Choose another.', 'Значение {field} тем временем удалено: {value}. Выберите другое.', '{field} qiymati shu orada o‘chirilgan: {value}. Boshqasini tanlang.')],
  field_in_use: [says('{field} cannot be changed while {used_by} use the record. Create a new record instead.', 'Поле {field} нельзя изменить, пока запись используется в {used_by}. Создайте новую запись.', 'Yozuv {used_by} da ishlatilayotganda {field} maydonini o‘zgartirib bo‘lmaydi. Yangi yozuv yarating.')],
  has_children: [says('The category {id} has categories below it. Move or delete them first.', 'У категории {id} есть вложенные категории. Сначала переместите или удалите их.', '{id} toifasining ichida toifalar bor. Avval ularni ko‘chiring yoki o‘chiring.')],
  changed_meanwhile: [says('{field} was changed by another request meanwhile. Repeat the call with the new value.', 'Поле {field} тем временем изменил другой запрос. Повторите вызов с новым значением.', '{field} shu orada boshqa so‘rov bilan o‘zgargan. Chaqiruvni yangi qiymat bilan takrorlang.')],
  last_owner: [says('The last owner must remain active. Make another member an owner first.', 'Последний владелец должен оставаться активным. Сначала назначьте владельцем другого участника.', 'Oxirgi ega faol qolishi kerak. Avval boshqa a’zoni ega qiling.')],
  invitation_open: [says('There is an open invitation for {value}. Resend or revoke it.', 'Для {value} уже есть открытое приглашение. Отправьте его повторно или отзовите.', '{value} uchun ochiq taklifnoma bor. Uni qayta yuboring yoki bekor qiling.')],
  two_step_is_on: [says('Two-step sign-in is on already. Turn it off first.', 'Двухэтапный вход уже включён. Сначала отключите его.', 'Ikki bosqichli kirish allaqachon yoqilgan. Avval uni o‘chiring.')],
  two_step_is_off: [says('Two-step sign-in is off. Turn it on first.', 'Двухэтапный вход выключен. Сначала включите его.', 'Ikki bosqichli kirish o‘chirilgan. Avval uni yoqing.')],
  two_step_not_begun: [says('Begin two-step sign-in first, to get a secret.', 'Сначала начните настройку двухэтапного входа, чтобы получить секрет.', 'Avval ikki bosqichli kirishni sozlashni boshlang va maxfiy kalitni oling.')],
  merged_or_erased: [says('The client {client_id} was merged or erased before. Choose another client.', 'Клиент {client_id} уже объединён с другим или удалён. Выберите другого клиента.', '{client_id} mijozi avval birlashtirilgan yoki o‘chirilgan. Boshqa mijozni tanlang.')],
  no_secret: [says('An application of the type {application_type} has no secret. It signs clients in with PKCE.', 'У приложения типа {application_type} нет секрета. Оно выполняет вход через PKCE.', '{application_type} turidagi ilovaning maxfiy kaliti yo‘q. U mijozlarni PKCE orqali kiritadi.')],
  too_many_keys: [says('An application may have at most {limit} working keys. Revoke one first.', 'У приложения может быть не больше {limit} действующих ключей. Сначала отзовите один из них.', 'Ilovada ko‘pi bilan {limit} ta amaldagi kalit bo‘lishi mumkin. Avval bittasini bekor qiling.')],
  too_many_secrets: [says('An application may have at most {limit} working secrets. Revoke one first, or rotate with an overlap of 0.', 'У приложения может быть не больше {limit} действующих секретов. Сначала отзовите один из них или замените секрет без перекрытия.', 'Ilovada ko‘pi bilan {limit} ta amaldagi maxfiy kalit bo‘lishi mumkin. Avval bittasini bekor qiling yoki almashtirishda overlap qiymatini 0 qiling.')],
  clock_too_far: [says('The test clock may be at most {limit} years ahead. Reset it first: DELETE /v1/test/clock.', 'Тестовые часы могут спешить не больше чем на {limit} лет. Сначала сбросьте их: DELETE /v1/test/clock.', 'Sinov soati ko‘pi bilan {limit} yil oldinda bo‘lishi mumkin. Avval uni qaytaring: DELETE /v1/test/clock.')],
  demo_record_refused: [
    says('The demo shop does not fit the stored data: {record} {id} has {field} {value} ({rule}). Nothing was loaded; use an empty database.', 'Демо-магазин не подходит к сохранённым данным: {record} {id}, {field} {value} ({rule}). Ничего не загружено; возьмите пустую базу.', 'Demo do‘kon saqlangan ma’lumotga mos kelmaydi: {record} {id}, {field} {value} ({rule}). Hech narsa yuklanmadi; bo‘sh bazadan foydalaning.'),
    says('The demo shop does not fit the stored data: {record} {id}, field {field} ({rule}). Nothing was loaded; use an empty database.', 'Демо-магазин не подходит к сохранённым данным: {record} {id}, поле {field} ({rule}). Ничего не загружено; возьмите пустую базу.', 'Demo do‘kon saqlangan ma’lumotga mos kelmaydi: {record} {id}, {field} maydoni ({rule}). Hech narsa yuklanmadi; bo‘sh bazadan foydalaning.'),
  ],
  participants_full: [says('A shared cart may have at most {limit} participants.', 'В совместной корзине не больше {limit} участников.', 'Umumiy savatda ko‘pi bilan {limit} ishtirokchi bo‘lishi mumkin.')],
  slug_taken: [says('The slug {slug} is already taken in the channel {channel}. Choose another.', 'Имя {slug} уже занято в канале {channel}. Выберите другое.', '{channel} kanalida {slug} nomi band. Boshqasini tanlang.')],
  key_taken: [says('A notification with this key exists: {notification_id}. Send a new key.', 'Уведомление с этим ключом уже есть: {notification_id}. Передайте новый ключ.', 'Bu kalit bilan bildirishnoma bor: {notification_id}. Yangi kalit yuboring.')],
  too_many_campaigns: [says('There may be at most {limit} unfinished campaigns. Finish or delete one first.', 'Незавершённых кампаний может быть не больше {limit}. Сначала завершите или удалите одну из них.', 'Tugallanmagan kampaniyalar ko‘pi bilan {limit} ta bo‘lishi mumkin. Avval bittasini tugating yoki o‘chiring.')],
  too_many_webhooks: [says('There may be at most {limit} webhooks. Delete one first.', 'Вебхуков может быть не больше {limit}. Сначала удалите один из них.', 'Vebxuklar ko‘pi bilan {limit} ta bo‘lishi mumkin. Avval bittasini o‘chiring.')],
  period_too_long: [says('The period has more than {limit:number} events. Choose a shorter period or fewer filters.', 'В этом периоде больше {limit:number} событий. Выберите более короткий период или меньше фильтров.', 'Bu davrda {limit:number} tadan ko‘p hodisa bor. Qisqaroq davr yoki kamroq filtr tanlang.')],
  queue_full: [says('The queue has room for {available:number} more; the limit is {limit:number}. Choose a shorter period, or wait until the queue is shorter.', 'В очереди осталось места: {available:number} из {limit:number}. Выберите более короткий период или подождите, пока очередь станет короче.', 'Navbatda {limit:number} tadan {available:number} ta joy qoldi. Qisqaroq davr tanlang yoki navbat qisqarishini kuting.')],
  training_running: [says('Training {training_id} is running. Wait until it has finished.', 'Обучение {training_id} ещё идёт. Дождитесь его окончания.', '{training_id}-o‘qitish davom etmoqda. Tugashini kuting.')],
  model_unusable: [says('The file of model {model_id} cannot be used: it is damaged or of another version. Activate another model, or train a new one.', 'Файл модели {model_id} нельзя использовать: он повреждён или другой версии. Активируйте другую модель или обучите новую.', '{model_id} modelining faylidan foydalanib bo‘lmaydi: u buzilgan yoki boshqa versiyada. Boshqa modelni faollashtiring yoki yangisini o‘qiting.')],
  no_active_model: [says('No model is active yet. Train one first: POST /v1/recommendations/trainings.', 'Активной модели ещё нет. Сначала обучите её: POST /v1/recommendations/trainings.', 'Hali faol model yo‘q. Avval uni o‘qiting: POST /v1/recommendations/trainings.')],
  model_changed: [says('Another model was activated meanwhile. Repeat the call.', 'Тем временем активирована другая модель. Повторите вызов.', 'Shu orada boshqa model faollashtirildi. Chaqiruvni takrorlang.')],
  experiment_running: [says('Experiment {experiment_id} runs on the same pages: {layers}. Stop it first, or choose other pages.', 'На тех же страницах идёт эксперимент {experiment_id}: {layers}. Сначала остановите его или выберите другие страницы.', 'Shu sahifalarda {experiment_id}-tajriba ketmoqda: {layers}. Avval uni to‘xtating yoki boshqa sahifalarni tanlang.')],
}
