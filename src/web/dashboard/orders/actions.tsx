// The dialogs of an order's actions.

import type { Bozor, Order } from '../../../sdk/index.ts'
import { money } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { type FormField, FormDialog, type Values } from '../ui/form.tsx'
import { nextPayment } from './print-figures.ts'

export type OrderAction =
  | { kind: 'pay' | 'fulfil' | 'return' | 'cancel' }
  | { kind: 'refund'; paymentId: string }
  | { kind: 'ship'; fulfilmentId: string }
  | { kind: 'receive' | 'reject'; returnId: string }

export const actionTexts = {
  pay: ['Record a payment', 'Записать оплату', 'To‘lovni yozish'],
  fulfil: ['Start fulfilment', 'Начать сборку', 'Yig‘ishni boshlash'],
  return: ['Record a return', 'Оформить возврат', 'Qaytarishni yozish'],
  cancel: ['Cancel the order', 'Отменить заказ', 'Buyurtmani bekor qilish'],
  refund: ['Refund', 'Вернуть деньги', 'Pulni qaytarish'],
  ship: ['Ship', 'Отправить', 'Jo‘natish'],
  receive: ['Receive the return', 'Принять возврат', 'Qaytarilganni qabul qilish'],
  reject: ['Reject the return', 'Отклонить возврат', 'Qaytarishni rad etish'],
  reason: ['Reason', 'Причина', 'Sabab'],
  amount: ['Amount in sums', 'Сумма', 'Summa (so‘m)'],
  amountHint: ['Empty: all that is left', 'Пусто: весь остаток', 'Bo‘sh: qolganining hammasi'],
  kind: ['How it was paid', 'Как оплачено', 'Qanday to‘langan'],
  cash: ['Cash', 'Наличные', 'Naqd'],
  external: ['Outside of the platform', 'Вне платформы', 'Platformadan tashqarida'],
  instalment: ['Next instalment', 'Очередной платёж', 'Navbatdagi to‘lov'],
  reference: ['Reference', 'Номер документа', 'Hujjat raqami'],
  carrier: ['Carrier', 'Перевозчик', 'Tashuvchi'],
  tracking: ['Tracking number', 'Трек-номер', 'Kuzatuv raqami'],
  restock: ['Put the units back to stock', 'Вернуть товар на склад', 'Qoldiqqa qaytarish'],
  fulfilText: [
    'All units that are not in a fulfilment yet.',
    'Все единицы, которые ещё не собраны.',
    'Hali yig‘ilmagan barcha birliklar.',
  ],
  returnText: ['All delivered units.', 'Все доставленные единицы.', 'Yetkazilgan barcha birliklar.'],
  done: ['Done', 'Готово', 'Bajarildi'],
} as const

const optional = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.flatMap((it) => (values[it]?.trim() ? [[it, values[it].trim()]] : [])))

/** Sums as typed, with any spaces, in tiyin. */
const tiyinOf = (text: string): number =>
  Math.round(Number(text.replaceAll(/\s/g, '').replace(',', '.')) * 100)

function runOf(order: Order, action: OrderAction): (bozor: Bozor, values: Values) => Promise<unknown> {
  const { id } = order
  switch (action.kind) {
    case 'pay':
      return ({ orders }, values) =>
        orders.createPayment({ id, kind: values['kind'] as 'cash', ...optional(values, ['reference']) })
    case 'fulfil':
      return ({ orders }) => orders.createFulfilment({ id })
    case 'return':
      return ({ orders }, values) => orders.createReturn({ id, reason: values['reason'] ?? '' })
    case 'cancel':
      return ({ orders }, values) => orders.cancel({ id, ...optional(values, ['reason']) })
    case 'refund':
      return ({ orders }, values) =>
        orders.createPaymentRefund({
          id,
          paymentId: action.paymentId,
          ...(values['amount'] && { amount: tiyinOf(values['amount']) }),
          ...optional(values, ['reason']),
        })
    case 'ship':
      return ({ orders }, values) =>
        orders.shipFulfilment({
          id,
          fulfilmentId: action.fulfilmentId,
          ...optional(values, ['carrier', 'tracking_number']),
        })
    case 'receive':
      return ({ orders }, values) =>
        orders.receiveReturn({ id, returnId: action.returnId, restock: values['restock'] === 'true' })
    case 'reject':
      return ({ orders }, values) =>
        orders.rejectReturn({ id, returnId: action.returnId, reason: values['reason'] ?? '' })
  }
}

function useFields(order: Order, kind: OrderAction['kind']): { fields: FormField[]; text?: string } {
  const t = useTexts(actionTexts)
  const { language } = useSession()
  const reason: FormField = { name: 'reason', label: t.reason }
  const next = nextPayment(order)
  const all: Record<OrderAction['kind'], { fields: FormField[]; text?: string }> = {
    pay: {
      text: money({ ...order.total, amount: next.tiyin }, language),
      fields: [
        {
          name: 'kind',
          label: t.kind,
          kind: 'select',
          value: next.kinds[0]!,
          choices: next.kinds.map((it) => [it, t[it]] as const),
        },
        { name: 'reference', label: t.reference },
      ],
    },
    fulfil: { fields: [], text: t.fulfilText },
    return: { fields: [reason], text: t.returnText },
    cancel: { fields: [reason] },
    refund: { fields: [{ name: 'amount', label: t.amount, hint: t.amountHint }, reason] },
    ship: {
      fields: [
        { name: 'carrier', label: t.carrier },
        { name: 'tracking_number', label: t.tracking },
      ],
    },
    receive: { fields: [{ name: 'restock', label: t.restock, kind: 'check', value: 'true' }] },
    reject: { fields: [reason] },
  }
  return all[kind]
}

export function OrderDialog({
  order,
  action,
  onClose,
}: {
  order: Order
  action: OrderAction
  onClose(): void
}) {
  const t = useTexts(actionTexts)
  const form = useFields(order, action.kind)
  const isDanger = action.kind === 'cancel' || action.kind === 'reject'
  return (
    <FormDialog
      title={t[action.kind]}
      submit={t[action.kind]}
      isDanger={isDanger}
      refreshes={['orders', 'home']}
      done={t.done}
      run={runOf(order, action)}
      onClose={onClose}
      {...form}
    />
  )
}
