import type { Tone } from '../ui/badge.tsx'

export const channels = ['email', 'sms', 'push'] as const

export const campaignTones: Record<'draft' | 'running' | 'paused' | 'finished', Tone> = {
  draft: 'neutral',
  running: 'good',
  paused: 'warn',
  finished: 'info',
}

export const campaignTexts = {
  campaigns: ['Campaigns', 'Рассылки', 'Kampaniyalar'],
  text: [
    'Messages to buyers, with a group that gets none, so that the effect can be measured.',
    'Сообщения покупателям с контрольной группой, чтобы измерить эффект.',
    'Xaridorlarga xabarlar, natijani o‘lchash uchun nazorat guruhi bilan.',
  ],
  name: ['Name', 'Название', 'Nomi'],
  state: ['State', 'Состояние', 'Holat'],
  channel: ['Channel', 'Канал', 'Kanal'],
  email: ['E-mail', 'Почта', 'Pochta'],
  sms: ['SMS', 'SMS', 'SMS'],
  push: ['Push', 'Push', 'Push'],
  trigger: ['When', 'Когда', 'Qachon'],
  sent: ['Sent', 'Отправлено', 'Yuborilgan'],
  created: ['Created', 'Создана', 'Yaratilgan'],
  draft: ['Draft', 'Черновик', 'Qoralama'],
  running: ['Running', 'Идёт', 'Davom etmoqda'],
  paused: ['Paused', 'Приостановлена', 'To‘xtatilgan'],
  finished: ['Finished', 'Завершена', 'Yakunlangan'],
  none: ['No campaigns yet', 'Рассылок пока нет', 'Hali kampaniya yo‘q'],
  start: ['Start', 'Запустить', 'Boshlash'],
  pause: ['Pause', 'Приостановить', 'To‘xtatish'],
  resume: ['Resume', 'Продолжить', 'Davom ettirish'],
  finish: ['Finish', 'Завершить', 'Yakunlash'],
  done: ['Done', 'Готово', 'Bajarildi'],
  audience: ['Audience now', 'Аудитория сейчас', 'Hozirgi auditoriya'],
  clients: ['clients', 'клиентов', 'mijoz'],
  preview: ['Message', 'Сообщение', 'Xabar'],
  results: ['Results', 'Результаты', 'Natijalar'],
  opened: ['Opened', 'Открыли', 'Ochgan'],
  clicked: ['Clicked', 'Перешли', 'Bosgan'],
  failed: ['Failed', 'Ошибки', 'Xatolar'],
  waiting: ['Waiting', 'Ждут', 'Kutmoqda'],
  conversion: ['Conversion', 'Конверсия', 'Konversiya'],
  holdout: ['Without the message', 'Без сообщения', 'Xabarsiz'],
  uplift: ['Uplift', 'Прирост', 'O‘sish'],
  noUplift: ['Not enough data yet', 'Данных пока мало', 'Ma’lumot hali kam'],
  details: ['Details', 'Сведения', 'Ma’lumotlar'],
  template: ['Template', 'Шаблон', 'Shablon'],
  group: ['Group without messages', 'Контрольная группа', 'Nazorat guruhi'],
} as const
