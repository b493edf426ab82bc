// One order: what was bought, where it stands, and what may be done next.

import { Link, useParams } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import type { Order } from '../../../sdk/index.ts'
import { useData } from '../app/data.ts'
import { dateTime, dayAndYear, money } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card, PageHead, Pairs } from '../ui/card.tsx'
import { Failure, Skeleton } from '../ui/states.tsx'
import { actionTexts, type OrderAction, OrderDialog } from './actions.tsx'
import { Fulfilments, Instalments, Payments, Returns } from './parts.tsx'
import { invoiceFigures } from './print-figures.ts'
import { printTexts } from './print-texts.ts'
import { reasonIn, reasonTexts } from './reasons.ts'
import { Status } from './status.tsx'
import { orderTexts } from './texts.ts'
import { Timeline } from './timeline.tsx'

const table = {
  ...orderTexts,
  items: ['Items', 'Позиции', 'Pozitsiyalar'],
  address: ['Delivery address', 'Адрес доставки', 'Yetkazish manzili'],
  delivery: printTexts.delivery,
  deliverBy: printTexts.deliverBy,
  discount: printTexts.discount,
  total: printTexts.total,
  commission: printTexts.commission,
  toRepay: printTexts.toRepay,
  open: printTexts.open,
  phone: ['Phone', 'Телефон', 'Telefon'],
  method: ['Payment method', 'Способ оплаты', 'To‘lov usuli'],
  payUntil: ['Pay until', 'Оплатить до', 'To‘lash muddati'],
  checkout: ['Checkout', 'Оформление', 'Rasmiylashtirish'],
  money: ['Money', 'Деньги', 'Pul'],
  paid: ['Paid', 'Оплачено', 'To‘langan'],
  refunded: ['Refunded', 'Возвращено', 'Qaytarilgan'],
  details: ['Details', 'Сведения', 'Ma’lumotlar'],
  pickingList: printTexts.pickingList,
  invoice: printTexts.invoice,
  reason: ['Reason of the cancellation', 'Причина отмены', 'Bekor qilish sababi'],
} as const

export function Page() {
  const { id } = useParams({ strict: false }) as { id: string }
  const order = useData(['orders', id], async (bozor) => (await bozor.orders.get({ id })).order)
  const events = useData(
    ['orders', id, 'events'],
    async (bozor) => (await bozor.orders.listEvents({ id })).events,
  )
  if (order.error) return <Failure error={order.error} onRetry={() => void order.refetch()} />
  if (!order.data) return <Skeleton className="h-80 w-full" />
  return (
    <>
      <Head order={order.data} />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem] 2xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Lines order={order.data} />
          <Instalments order={order.data} />
          <Payments order={order.data} />
          <Fulfilments order={order.data} />
          <Returns order={order.data} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Details order={order.data} />
          <Timeline events={events.data} />
        </div>
      </div>
    </>
  )
}

function Head({ order }: { order: Order }) {
  const t = useTexts(table)
  const names = useTexts(actionTexts)
  const { can } = useSession()
  const [action, setAction] = useState<OrderAction | null>(null)
  // `allowed` names what the buyer may pay online; an operator records any money that is still open.
  const isOpen = order.status !== 'cancelled' && order.amounts.open.length > 0
  // The usual next step comes first, the one that cannot be undone last.
  const allowed = (['fulfil', 'pay', 'return', 'cancel'] as const).filter(
    (it) => order.allowed.includes(it) || (it === 'pay' && isOpen),
  )
  return (
    <PageHead
      title={`${t.order} #${order.id}`}
      badge={
        <span className="flex flex-wrap gap-1.5">
          <Status value={order.status} />
          <Status value={order.payment_status} />
          <Status value={order.fulfilment_status} />
        </span>
      }
    >
      {can('orders:write') &&
        allowed.map((it) => (
          <Button
            key={it}
            look={it === 'cancel' ? 'danger' : it === allowed[0] ? 'primary' : 'secondary'}
            onClick={() => setAction({ kind: it })}
          >
            {names[it]}
          </Button>
        ))}
      <ButtonLink to={`/orders/${order.id}/picking-list`}>{t.pickingList}</ButtonLink>
      <ButtonLink to={`/orders/${order.id}/invoice`}>{t.invoice}</ButtonLink>
      {action && <OrderDialog order={order} action={action} onClose={() => setAction(null)} />}
    </PageHead>
  )
}

function Lines({ order }: { order: Order }) {
  const t = useTexts(table)
  const { language } = useSession()
  return (
    <Card title={t.items} isFlush>
      <ul className="divide-line divide-y">
        {order.lines.map((it) => (
          <li key={it.line} className="flex items-center gap-3 px-4 py-2.5">
            {it.image ? (
              <img
                src={it.image.sm_path}
                alt=""
                className="border-line size-10 rounded-md border object-contain"
              />
            ) : (
              <span className="bg-hover size-10 rounded-md" />
            )}
            <Link to={`/products/${it.product_id}`} className="min-w-0 flex-1 hover:underline">
              {it.title}
            </Link>
            <span className="text-soft figures whitespace-nowrap">
              {it.quantity} × {money(it.unit_price, language)}
            </span>
            <span className="figures w-32 text-right font-medium max-sm:hidden">
              {money({ ...it.unit_price, amount: it.unit_price.amount * it.quantity }, language)}
            </span>
          </li>
        ))}
      </ul>
      <Totals order={order} />
    </Card>
  )
}

/** Prices before the discount, discount and delivery add up to the total. */
function Totals({ order }: { order: Order }) {
  const t = useTexts(table)
  const { language } = useSession()
  const { discount, delivery, commission, total, paid, refunded, open } = invoiceFigures(order)
  const coupon = order.coupon_code ? ` ${order.coupon_code}` : ''
  const rows: [name: string, tiyin: number, look?: string][] = [
    [t.discount + coupon, -discount],
    [t.delivery, delivery],
    [t.total, total, 'font-semibold'],
    [t.commission, commission],
    [t.toRepay, commission > 0 ? total + commission : 0],
    [t.paid, paid],
    [t.refunded, refunded],
    [t.open, open],
  ]
  return (
    <dl className="border-line figures grid grid-cols-[1fr_auto] gap-x-8 gap-y-1 border-t px-4 py-3">
      {rows
        .filter(([name, tiyin]) => tiyin !== 0 || name === t.total || name === t.paid)
        .map(([name, tiyin, look = '']) => (
          <Fragment key={name}>
            <dt className={look || 'text-soft'}>{name}</dt>
            <dd className={`text-right ${look}`}>{money({ ...order.total, amount: tiyin }, language)}</dd>
          </Fragment>
        ))}
    </dl>
  )
}

function Details({ order }: { order: Order }) {
  const t = useTexts(table)
  const reasons = useTexts(reasonTexts)
  const { language } = useSession()
  const buyer = order.customer_id ? (
    <Link to={`/clients/${order.customer_id}`} className="text-accent hover:underline">
      {order.contact?.name ?? `${t.client} ${order.customer_id}`}
    </Link>
  ) : (
    `${t.guest}${order.contact ? `, ${order.contact.name}` : ''}`
  )
  return (
    <Card title={t.details}>
      <Pairs
        rows={[
          [t.buyer, buyer],
          [t.phone, order.contact?.phone],
          [t.partner, order.partner_name],
          [t.method, order.payment_method.name],
          ...(order.pay_until ? [[t.payUntil, dateTime(order.pay_until, language)] as const] : []),
          [t.delivery, order.delivery?.name],
          ...(order.delivery?.promised_on
            ? [[t.deliverBy, dayAndYear(order.delivery.promised_on, language)] as const]
            : []),
          [t.address, order.delivery_address],
          [t.created, dateTime(order.created_at, language)],
          ...(order.cancellation ? [[t.reason, reasonIn(reasons, order.cancellation.reason)] as const] : []),
        ]}
      />
    </Card>
  )
}
