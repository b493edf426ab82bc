import type { Language } from '../../http/language.ts'
import type { Channel } from '../templates/template.ts'

/** What the pages say that buyers reach from messages. */
export const words: Record<
  Language,
  {
    title: string
    ask: Record<Channel, string>
    still: string
    button: string
    done: string
    doneText: Record<Channel, string>
    dead: string
    deadText: string
  }
> = {
  ru: {
    title: 'Отписка от рассылки',
    ask: {
      email: 'Больше не присылать вам письма с новостями и предложениями?',
      sms: 'Больше не присылать вам SMS с новостями и предложениями?',
      push: 'Больше не присылать вам уведомления с новостями и предложениями?',
    },
    still: 'Сообщения о ваших заказах будут приходить по-прежнему.',
    button: 'Отписаться',
    done: 'Вы отписаны',
    doneText: {
      email: 'Мы больше не будем присылать вам письма с новостями и предложениями.',
      sms: 'Мы больше не будем присылать вам SMS с новостями и предложениями.',
      push: 'Мы больше не будем присылать вам уведомления с новостями и предложениями.',
    },
    dead: 'Ссылка не действует',
    deadText: 'Эта ссылка неполна или больше не действует.',
  },
  uz: {
    title: 'Obunani bekor qilish',
    ask: {
      email: 'Sizga yangiliklar va takliflar bilan xat yubormaylikmi?',
      sms: 'Sizga yangiliklar va takliflar bilan SMS yubormaylikmi?',
      push: 'Sizga yangiliklar va takliflar bilan bildirishnoma yubormaylikmi?',
    },
    still: 'Buyurtmalaringiz haqidagi xabarlar avvalgidek keladi.',
    button: 'Obunani bekor qilish',
    done: 'Obuna bekor qilindi',
    doneText: {
      email: 'Endi sizga yangiliklar va takliflar bilan xat yubormaymiz.',
      sms: 'Endi sizga yangiliklar va takliflar bilan SMS yubormaymiz.',
      push: 'Endi sizga yangiliklar va takliflar bilan bildirishnoma yubormaymiz.',
    },
    dead: 'Havola ishlamaydi',
    deadText: 'Bu havola to‘liq emas yoki endi ishlamaydi.',
  },
  en: {
    title: 'Unsubscribe',
    ask: {
      email: 'Shall we send you no more mails with news and offers?',
      sms: 'Shall we send you no more text messages with news and offers?',
      push: 'Shall we send you no more notifications with news and offers?',
    },
    still: 'You will still hear about your orders.',
    button: 'Unsubscribe',
    done: 'You are unsubscribed',
    doneText: {
      email: 'We will send you no more mails with news and offers.',
      sms: 'We will send you no more text messages with news and offers.',
      push: 'We will send you no more notifications with news and offers.',
    },
    dead: 'The link does not work',
    deadText: 'This link is not whole, or it works no longer.',
  },
}
