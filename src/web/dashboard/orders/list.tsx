import type { OrderSummary } from '../../../sdk/index.ts'
import { useAgo } from '../app/clock.ts'
import { money } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { ListPage } from '../ui/list-page.tsx'
import type { Column } from '../ui/table.tsx'
import { Status } from './status.tsx'
import { orderTexts, type StatusName, statusTexts } from './texts.ts'

const statuses = ['awaiting_payment', 'confirmed', 'delivered', 'completed', 'cancelled'] as const
const payments = [
  'unpaid',
  'pending',
  'authorised',
  'partially_paid',
  'paid',
  'failed',
  'voided',
  'partially_refunded',
  'refunded',
] as const
const fulfilments = [
  'unfulfilled',
  'preparing',
  'partially_shipped',
  'shipped',
  'partially_delivered',
  'delivered',
  'partially_returned',
  'returned',
  'cancelled',
] as const

export function Page() {
  const t = useTexts(orderTexts)
  const names = useTexts(statusTexts)
  const { language } = useSession()
  const ago = useAgo()
  const choices = (keys: readonly StatusName[]) => keys.map((it) => [it, names[it]] as const)
  const columns: Column<OrderSummary>[] = [
    { head: t.order, sortBy: 'id', cell: (it) => <span className="figures">#{it.id}</span>, width: '6rem' },
    { head: t.status, cell: (it) => <Status value={it.status} /> },
    { head: t.payment, isWide: true, cell: (it) => <Status value={it.payment_status} /> },
    { head: t.fulfilment, isWide: true, cell: (it) => <Status value={it.fulfilment_status} /> },
    {
      head: t.buyer,
      isWide: true,
      cell: (it) => it.contact?.name ?? (it.customer_id ? `${t.client} ${it.customer_id}` : t.guest),
    },
    { head: t.partner, isWide: true, cell: (it) => it.partner_name },
    {
      head: t.created,
      sortBy: 'created_at',
      isWide: true,
      cell: (it) => <span className="text-soft whitespace-nowrap">{ago(it.created_at)}</span>,
    },
    { head: t.total, isRight: true, cell: (it) => money(it.total, language) },
  ]
  return (
    <ListPage
      title={t.orders}
      resource="orders"
      icon="orders"
      empty={{ title: t.emptyTitle, text: t.emptyText }}
      columns={columns}
      searchBy={{ name: 'customer_id', label: t.customerId }}
      filters={[
        { name: 'status', label: t.status, choices: choices(statuses) },
        { name: 'payment_status', label: t.payment, choices: choices(payments) },
        { name: 'fulfilment_status', label: t.fulfilment, choices: choices(fulfilments) },
      ]}
      load={(bozor, query) => bozor.orders.list(query)}
      idOf={(it) => it.id}
      to={(it) => `/orders/${it.id}`}
    />
  )
}
