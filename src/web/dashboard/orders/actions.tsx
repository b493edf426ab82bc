// The dialogs of an order's actions.

import type { ReactNode } from 'react'
import type { Bozor, Order } from '../../../sdk/index.ts'
import { fillIn, type Language, money, type Texts } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { type FormField, FormDialog, type Values } from '../ui/form.tsx'
import { leftToRefund, nextPayment, unitsTexts } from './print-figures.ts'
import { printTexts } from './print-texts.ts'
import { unitsToReturn } from '../../units-to-return.ts'
import { Units } from './units.tsx'

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
  amount: ['Amount in sums', 'Сумма, сум', 'Summa, so‘m'],
  amountHint: [
    'Empty: all that is left, {amount}',
    'Пусто: весь остаток, {amount}',
    'Bo‘sh: qolganining hammasi, {amount}',
  ],
  toPay: printTexts.open,
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
  returnText: [
    'All delivered units that are in no return yet:',
    'Все доставленные единицы, которых нет в других возвратах:',
    'Yetkazilgan va boshqa qaytarishga kirmagan barcha birliklar:',
  ],
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
        orders.createPayment({
          id,
          kind: (values['kind'] as 'cash' | undefined) ?? nextPayment(order).kinds[0]!,
          ...optional(values, ['reference']),
        })
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

interface DialogContent {
  fields: FormField[]
  text?: string
  above?: ReactNode
}

/** An instalment is paid in one way only, so there is nothing to choose. */
function payContent(
  order: Order,
  t: Texts<typeof actionTexts>,
  language: Language,
): Pick<DialogContent, 'fields' | 'text'> {
  const { kinds, tiyin } = nextPayment(order)
  const [first] = kinds
  const choice: FormField = {
    name: 'kind',
    label: t.kind,
    kind: 'select',
    value: first!,
    choices: kinds.map((it) => [it, t[it]] as const),
  }
  return {
    text: `${first === 'instalment' ? t.instalment : t.toPay}: ${money({ ...order.total, amount: tiyin }, language)}`,
    fields: [...(kinds.length > 1 ? [choice] : []), { name: 'reference', label: t.reference }],
  }
}

/** What a payment can still be refunded. */
const refundable = (order: Order, action: OrderAction): { amount: number; currency: string } => {
  const payment = order.payments.find((it) => action.kind === 'refund' && it.id === action.paymentId)
  return { ...order.total, amount: payment ? leftToRefund(payment) : 0 }
}

function useContent(order: Order, action: OrderAction): DialogContent {
  const t = useTexts(actionTexts)
  const { language } = useSession()
  const reason: FormField = { name: 'reason', label: t.reason }
  const left = money(refundable(order, action), language)
  const all: Record<OrderAction['kind'], DialogContent> = {
    pay: payContent(order, t, language),
    fulfil: { fields: [], text: t.fulfilText },
    return: {
      fields: [reason],
      text: t.returnText,
      above: <Units texts={unitsTexts(order, unitsToReturn(order))} />,
    },
    cancel: { fields: [reason] },
    refund: {
      fields: [{ name: 'amount', label: t.amount, hint: fillIn(t.amountHint, { amount: left }) }, reason],
    },
    ship: {
      fields: [
        { name: 'carrier', label: t.carrier },
        { name: 'tracking_number', label: t.tracking },
      ],
    },
    receive: { fields: [{ name: 'restock', label: t.restock, kind: 'check', value: 'true' }] },
    reject: { fields: [reason] },
  }
  return all[action.kind]
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
  const form = useContent(order, action)
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
