// The invoice of an order: seller, buyer, lines, totals and the plan of instalments.

import { useParams } from '@tanstack/react-router'
import type { Order } from '../../../sdk/index.ts'
import { useData } from '../app/data.ts'
import { fillIn, fullDate, textsIn } from '../app/language.ts'
import { Failure, Skeleton } from '../ui/states.tsx'
import { printTexts } from './print-texts.ts'
import { amount, Entry, PrintPage, PrintBar, usePrintLanguage } from './print-page.tsx'
import { invoiceFigures } from './print-figures.ts'

export function Page() {
  const { id } = useParams({ strict: false }) as { id: string }
  const language = usePrintLanguage()
  const t = textsIn(printTexts, language)
  const order = useData(
    ['orders', id, 'invoice', language],
    async (bozor) => (await bozor.orders.get({ id }, { language })).order,
  )
  return (
    <>
      <h1 className="sr-only">{`${t.invoice} #${id}`}</h1>
      <PrintBar orderId={id} />
      {order.error && <Failure error={order.error} onRetry={() => void order.refetch()} />}
      {!order.data && !order.error && <Skeleton className="h-96 w-full" />}
      {order.data && <InvoicePage order={order.data} />}
    </>
  )
}

function InvoicePage({ order }: { order: Order }) {
  const language = usePrintLanguage()
  const t = textsIn(printTexts, language)
  return (
    <PrintPage language={language} label={`${t.invoice} #${order.id}`}>
      <header className="flex items-start justify-between gap-4 border-b-2 border-current pb-3">
        <h2 className="text-xl font-bold">{t.invoice}</h2>
        <p className="figures text-right">
          <span className="block text-2xl leading-tight font-bold">#{order.id}</span>
          {fullDate(order.created_at)}
        </p>
      </header>
      {order.status === 'cancelled' && <p className="mt-3 font-semibold">{t.cancelled}</p>}
      <Parties order={order} />
      <Lines order={order} />
      <Totals order={order} />
      {order.instalments.length > 0 && <Instalments order={order} />}
      <p className="text-soft mt-6 text-xs">{t.inSums}</p>
    </PrintPage>
  )
}

function Parties({ order }: { order: Order }) {
  const t = textsIn(printTexts, usePrintLanguage())
  // The name of the shop is not needed to print: a member without the right to read it gets the invoice without.
  const shop = useData(['shop'], async (bozor) => (await bozor.shop.get()).shop)
  const { contact, customer_id: client } = order
  return (
    <dl className="my-4 grid gap-x-8 gap-y-3 sm:grid-cols-2">
      <Entry name={t.seller}>
        <span className="font-semibold">{order.partner_name}</span>
        {shop.data?.name && <span className="block">{fillIn(t.via, { shop: shop.data.name })}</span>}
      </Entry>
      <Entry name={t.buyer}>
        <span className="font-semibold">
          {contact?.name ?? (client ? fillIn(t.client, { id: client }) : t.guest)}
        </span>
        {[contact?.phone, contact?.email].filter(Boolean).map((it) => (
          <span key={it} className="block">
            {it}
          </span>
        ))}
      </Entry>
      <Entry name={t.payment}>{order.payment_method.name}</Entry>
      <Entry name={t.delivery}>
        {[order.delivery?.name, order.delivery_address].filter(Boolean).join(', ')}
      </Entry>
    </dl>
  )
}

function Lines({ order }: { order: Order }) {
  const t = textsIn(printTexts, usePrintLanguage())
  const hasDiscount = order.lines.some((it) => it.discount.amount > 0)
  const head = 'py-1 pl-3 text-right font-normal whitespace-nowrap'
  const cell = 'figures py-1.5 pl-3 text-right align-top whitespace-nowrap'
  return (
    <table className="w-full border-collapse">
      <thead>
        <tr className="text-2xs text-soft border-b border-current text-left">
          <th className="w-6 py-1 font-normal max-sm:hidden">№</th>
          <th className="py-1 font-normal">{t.product}</th>
          <th className={head}>{t.units}</th>
          <th className={`${head} max-sm:hidden`}>{t.price}</th>
          {hasDiscount && <th className={`${head} max-sm:hidden`}>{t.discount}</th>}
          <th className={head}>{t.amount}</th>
        </tr>
      </thead>
      <tbody>
        {order.lines.map((it, at) => (
          <tr key={it.line} className="border-line break-inside-avoid border-b">
            <td className="figures py-1.5 align-top max-sm:hidden">{at + 1}</td>
            <td className="py-1.5 align-top">{it.title}</td>
            <td className={cell}>{it.quantity}</td>
            <td className={`${cell} max-sm:hidden`}>{amount(it.unit_price.amount)}</td>
            {hasDiscount && (
              <td className={`${cell} max-sm:hidden`}>
                {it.discount.amount > 0 ? `−${amount(it.discount.amount)}` : ''}
              </td>
            )}
            <td className={cell}>{amount(it.total.amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Totals({ order }: { order: Order }) {
  const t = textsIn(printTexts, usePrintLanguage())
  const figures = invoiceFigures(order)
  const coupon = order.coupon_code ? ` (${fillIn(t.coupon, { code: order.coupon_code })})` : ''
  const rows: [name: string, value: string, isStrong?: boolean][] = [
    [t.products, amount(figures.products)],
    ...(figures.discount > 0
      ? [[t.discount + coupon, `−${amount(figures.discount)}`] as [string, string]]
      : []),
    [t.delivery, amount(figures.delivery)],
    [t.total, amount(figures.total), true],
    ...(figures.commission > 0
      ? [
          [t.commission, amount(figures.commission)] as [string, string],
          [t.toRepay, amount(order.total_to_repay?.amount ?? figures.total + figures.commission)] as [
            string,
            string,
          ],
        ]
      : []),
    [t.paid, amount(figures.paid)],
    ...(figures.refunded > 0 ? [[t.refunded, amount(figures.refunded)] as [string, string]] : []),
    [t.open, amount(figures.open), true],
  ]
  return (
    <dl className="figures mt-3 ml-auto grid w-full max-w-96 grid-cols-[1fr_auto] gap-x-6 gap-y-1 break-inside-avoid">
      {rows.map(([name, value, isStrong]) => (
        <div key={name} className={`contents ${isStrong ? 'font-bold' : ''}`}>
          <dt>{name}</dt>
          <dd className="text-right whitespace-nowrap">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Instalments({ order }: { order: Order }) {
  const t = textsIn(printTexts, usePrintLanguage())
  const states = { paid: t.statePaid, due: t.stateDue, overdue: t.stateOverdue }
  const head = 'py-1 pl-3 text-right font-normal whitespace-nowrap'
  const cell = 'figures py-1 pl-3 text-right whitespace-nowrap'
  return (
    <section className="mt-6 break-inside-avoid">
      <h3 className="mb-1 font-semibold">{t.instalments}</h3>
      <table className="w-full border-collapse">
        <thead>
          <tr className="text-2xs text-soft border-b border-current text-left">
            <th className="w-8 py-1 font-normal">№</th>
            <th className="py-1 font-normal">{t.due}</th>
            <th className={`${head} max-sm:hidden`}>{t.surcharge}</th>
            <th className={head}>{t.amount}</th>
            <th className={head}>{t.state}</th>
          </tr>
        </thead>
        <tbody>
          {order.instalments.map((it) => (
            <tr key={it.number} className="border-line border-b">
              <td className="figures py-1">{it.number}</td>
              <td className="figures py-1">{fullDate(it.due_on)}</td>
              <td className={`${cell} max-sm:hidden`}>{amount(it.commission.amount)}</td>
              <td className={cell}>{amount(it.amount.amount)}</td>
              <td className="py-1 pl-3 text-right">{states[it.status]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
