// Instalments, payments, fulfilments and returns of an order, each with the actions that it allows now.

import { Children, type ReactNode, useState } from 'react'
import type { Fulfilment, Order, Payment } from '../../../sdk/index.ts'
import { useAction } from '../app/data.ts'
import { dateTime, dayAndYear, money } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { actionTexts, type OrderAction, OrderDialog } from './actions.tsx'
import { unitsTexts } from './print-figures.ts'
import { printTexts } from './print-texts.ts'
import { reasonIn, reasonTexts } from './reasons.ts'
import { Status } from './status.tsx'
import { statusTexts } from './texts.ts'
import { Units } from './units.tsx'

const table = {
  instalments: printTexts.instalments,
  payments: ['Payments', 'Платежи', 'To‘lovlar'],
  fulfilments: ['Fulfilments', 'Отправления', 'Jo‘natmalar'],
  returns: ['Returns', 'Возвраты', 'Qaytarishlar'],
  capture: ['Capture', 'Списать', 'Yechish'],
  void: ['Void', 'Аннулировать', 'Bekor qilish'],
  deliver: ['Mark delivered', 'Доставлено', 'Yetkazildi'],
  cancel: ['Cancel', 'Отменить', 'Bekor qilish'],
  card: ['Card', 'Карта', 'Karta'],
  refunds: ['Refund', 'Возврат', 'Qaytarish'],
  done: ['Done', 'Готово', 'Bajarildi'],
} as const

/** `uzcard` is written `Uzcard`. */
const brandName = (brand: string): string => brand.charAt(0).toUpperCase() + brand.slice(1)

interface PartRow {
  id: string
  title: ReactNode
  note: ReactNode
  status: ReactNode
  actions: ReactNode
}

/** Daily instalments are hundreds: the list then scrolls in its card. */
const shownRows = 12

function Part({ title, rows }: { title: string; rows: PartRow[] }) {
  if (rows.length === 0) return null
  return (
    <Card title={title} isFlush>
      <ul
        className={`divide-line divide-y ${rows.length > shownRows ? 'max-h-[36rem] overflow-y-auto' : ''}`}
      >
        {rows.map((it) => (
          <li key={it.id} className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2">
            <div className="min-w-40 flex-1">
              <div className="font-medium">{it.title}</div>
              <div className="text-soft text-xs">{it.note}</div>
            </div>
            {it.status}
            {Children.toArray(it.actions).length > 0 && (
              <div className="no-print flex gap-2">{it.actions}</div>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

export function Instalments({ order }: { order: Order }) {
  const t = useTexts(table)
  const { language } = useSession()
  return (
    <Part
      title={t.instalments}
      rows={order.instalments.map((it) => ({
        id: String(it.number),
        title: (
          <span className="figures">
            {it.number}. {money(it.amount, language)}
          </span>
        ),
        note: it.paid_at ? dateTime(it.paid_at, language) : dayAndYear(it.due_on, language),
        status: <Status value={it.status} />,
        actions: null,
      }))}
    />
  )
}

export function Payments({ order }: { order: Order }) {
  const t = useTexts(table)
  const names = useTexts(actionTexts)
  const reasons = useTexts(reasonTexts)
  const statuses = useTexts(statusTexts)
  const { language, can } = useSession()
  const [action, setAction] = useState<OrderAction | null>(null)
  const step = useAction(
    ({ orders }, { id, kind }: { id: string; kind: 'capture' | 'void' }) =>
      kind === 'capture'
        ? orders.capturePayment({ id: order.id, paymentId: id })
        : orders.voidPayment({ id: order.id, paymentId: id }),
    { refreshes: ['orders'], done: t.done },
  )
  const actionsOf = ({ id, allowed }: Payment) =>
    allowed.map((kind) =>
      kind === 'refund' ? (
        <Button key={kind} isSmall icon="refund" onClick={() => setAction({ kind, paymentId: id })}>
          {names.refund}
        </Button>
      ) : (
        <Button key={kind} isSmall isBusy={step.isPending} onClick={() => step.mutate({ id, kind })}>
          {t[kind]}
        </Button>
      ),
    )
  const titleOf = (it: Payment) =>
    it.card
      ? `${brandName(it.card.brand)} •••• ${it.card.last_digits}`
      : it.kind === 'card'
        ? t.card
        : names[it.kind]
  const stateOf = ({ status }: Payment['refunds'][number]) =>
    status === 'refunded' ? '' : ` (${statuses[status].toLowerCase()})`
  const refundsOf = (it: Payment) =>
    it.refunds.map(
      (refund) =>
        `${t.refunds} ${money(refund.amount, language)}${stateOf(refund)}${refund.reason ? `: ${reasonIn(reasons, refund.reason)}` : ''}`,
    )
  return (
    <>
      <Part
        title={t.payments}
        rows={order.payments.map((it) => ({
          id: it.id,
          title: (
            <span className="figures">
              {money(it.amount, language)} · {titleOf(it)}
            </span>
          ),
          note: [
            dateTime(it.created_at, language),
            it.failure && reasonIn(reasons, it.failure),
            ...refundsOf(it),
          ]
            .filter(Boolean)
            .join(' · '),
          status: <Status value={it.status} />,
          actions: can('orders:write') && actionsOf(it),
        }))}
      />
      {action && <OrderDialog order={order} action={action} onClose={() => setAction(null)} />}
    </>
  )
}

export function Fulfilments({ order }: { order: Order }) {
  const t = useTexts(table)
  const names = useTexts(actionTexts)
  const { language, can } = useSession()
  const [action, setAction] = useState<OrderAction | null>(null)
  const step = useAction(
    ({ orders }, { id, kind }: { id: string; kind: 'deliver' | 'cancel' }) =>
      kind === 'deliver'
        ? orders.deliverFulfilment({ id: order.id, fulfilmentId: id })
        : orders.cancelFulfilment({ id: order.id, fulfilmentId: id }),
    { refreshes: ['orders'], done: t.done },
  )
  const actionsOf = ({ id, allowed }: Fulfilment) =>
    allowed.map((kind) =>
      kind === 'ship' ? (
        <Button key={kind} isSmall icon="truck" onClick={() => setAction({ kind, fulfilmentId: id })}>
          {names.ship}
        </Button>
      ) : (
        <Button key={kind} isSmall isBusy={step.isPending} onClick={() => step.mutate({ id, kind })}>
          {t[kind]}
        </Button>
      ),
    )
  return (
    <>
      <Part
        title={t.fulfilments}
        rows={order.fulfilments.map((it) => ({
          id: it.id,
          title: <Units texts={unitsTexts(order, it.lines)} />,
          note: [dateTime(it.created_at, language), it.carrier, it.tracking_number]
            .filter(Boolean)
            .join(' · '),
          status: <Status value={it.status} />,
          actions: can('orders:write') && actionsOf(it),
        }))}
      />
      {action && <OrderDialog order={order} action={action} onClose={() => setAction(null)} />}
    </>
  )
}

export function Returns({ order }: { order: Order }) {
  const t = useTexts(table)
  const names = useTexts(actionTexts)
  const { language, can } = useSession()
  const [action, setAction] = useState<OrderAction | null>(null)
  const actionsOf = (returnId: string) => (
    <>
      <Button isSmall onClick={() => setAction({ kind: 'receive', returnId })}>
        {names.receive}
      </Button>
      <Button isSmall look="danger" onClick={() => setAction({ kind: 'reject', returnId })}>
        {names.reject}
      </Button>
    </>
  )
  return (
    <>
      <Part
        title={t.returns}
        rows={order.returns.map((it) => ({
          id: it.id,
          title: (
            <>
              <Units texts={unitsTexts(order, it.lines)} />
              <span className="figures">{money(it.amount, language)}</span>
            </>
          ),
          note: `${dateTime(it.requested_at, language)} · ${it.reason}`,
          status: <Status value={it.status} />,
          actions: can('orders:write') && it.status === 'requested' && actionsOf(it.id),
        }))}
      />
      {action && <OrderDialog order={order} action={action} onClose={() => setAction(null)} />}
    </>
  )
}
