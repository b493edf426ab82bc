import type { Tone } from '../ui/badge.tsx'

export const orderTexts = {
  orders: ['Orders', 'Заказы', 'Buyurtmalar'],
  order: ['Order', 'Заказ', 'Buyurtma'],
  status: ['Status', 'Статус', 'Holat'],
  payment: ['Payment', 'Оплата', 'To‘lov'],
  fulfilment: ['Fulfilment', 'Доставка', 'Yetkazish'],
  created: ['Placed', 'Оформлен', 'Berilgan'],
  buyer: ['Buyer', 'Покупатель', 'Xaridor'],
  partner: ['Partner', 'Партнёр', 'Hamkor'],
  total: ['Total', 'Сумма', 'Jami'],
  units: ['Units', 'Единиц', 'Dona'],
  guest: ['Guest', 'Гость', 'Mehmon'],
  client: ['Client', 'Клиент', 'Mijoz'],
  emptyTitle: ['No orders yet', 'Заказов пока нет', 'Hali buyurtma yo‘q'],
  emptyText: [
    'The first one appears here at once, without reloading the page.',
    'Первый заказ появится здесь сразу, без перезагрузки.',
    'Birinchi buyurtma shu yerda darhol paydo bo‘ladi.',
  ],
  customerId: ['Client id', 'Номер клиента', 'Mijoz raqami'],
} as const

export const statusTexts = {
  awaiting_payment: ['Awaiting payment', 'Ждёт оплаты', 'To‘lov kutilmoqda'],
  confirmed: ['Confirmed', 'Подтверждён', 'Tasdiqlangan'],
  completed: ['Completed', 'Завершён', 'Yakunlangan'],
  unpaid: ['Unpaid', 'Не оплачен', 'To‘lanmagan'],
  pending: ['Pending', 'В обработке', 'Jarayonda'],
  authorised: ['Authorised', 'Средства удержаны', 'Ushlab turilgan'],
  partially_paid: ['Partly paid', 'Оплачен частично', 'Qisman to‘langan'],
  paid: ['Paid', 'Оплачен', 'To‘langan'],
  failed: ['Failed', 'Ошибка', 'Xato'],
  voided: ['Voided', 'Аннулирован', 'Bekor qilingan to‘lov'],
  partially_refunded: ['Partly refunded', 'Возвращён частично', 'Qisman qaytarilgan'],
  refunded: ['Refunded', 'Деньги возвращены', 'Pul qaytarilgan'],
  unfulfilled: ['Not started', 'Не собран', 'Boshlanmagan'],
  preparing: ['Preparing', 'Собирается', 'Tayyorlanmoqda'],
  partially_shipped: ['Partly shipped', 'Отправлен частично', 'Qisman jo‘natilgan'],
  shipped: ['Shipped', 'Отправлен', 'Jo‘natilgan'],
  partially_delivered: ['Partly delivered', 'Доставлен частично', 'Qisman yetkazilgan'],
  delivered: ['Delivered', 'Доставлен', 'Yetkazilgan'],
  partially_returned: ['Partly returned', 'Возвращён частично', 'Qisman qaytarilgan'],
  returned: ['Returned', 'Возвращён', 'Qaytarilgan'],
  cancelled: ['Cancelled', 'Отменён', 'Bekor qilingan'],
  captured: ['Captured', 'Списан', 'Yechilgan'],
  created: ['Created', 'Создана', 'Yaratilgan'],
  requested: ['Requested', 'Запрошен', 'So‘ralgan'],
  received: ['Received', 'Принят', 'Qabul qilingan'],
  rejected: ['Rejected', 'Отклонён', 'Rad etilgan'],
} as const

export type StatusName = keyof typeof statusTexts

const tones: Partial<Record<StatusName, Tone>> = {
  awaiting_payment: 'warn',
  confirmed: 'info',
  completed: 'good',
  unpaid: 'warn',
  pending: 'info',
  authorised: 'info',
  partially_paid: 'warn',
  paid: 'good',
  failed: 'bad',
  preparing: 'info',
  partially_shipped: 'info',
  shipped: 'info',
  partially_delivered: 'info',
  delivered: 'good',
  captured: 'good',
  created: 'info',
  requested: 'warn',
  received: 'good',
  rejected: 'bad',
}

export const toneOf = (status: StatusName): Tone => tones[status] ?? 'neutral'
