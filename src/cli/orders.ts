import type { Action } from './resource-command.ts'
import { queryOf, resourceCommand, rowsText, rowText } from './resource-command.ts'

const columns = [
  'id',
  'status',
  'payment_status',
  'fulfilment_status',
  'customer_id',
  'total.amount',
  'created_at',
]
const details = [
  ...columns,
  'partner_name',
  'delivery_address',
  'payment_method.code',
  'pay_until',
  'allowed',
]

const show = (data: Record<string, unknown>) => {
  const order = data['order'] as Record<string, unknown>
  return `${rowText(order, details)}\n\n${rowsText(order['lines'], ['number', 'title', 'quantity', 'amount.amount'])}`
}

const step = (path: string, usage: string, summary: string): Action => ({
  usage,
  summary,
  needs: usage.split(' ').length,
  call: ([id, part]) => ({
    route: `POST /v1/orders/{id}/${path}`,
    params: { id: id!, ...(part && { fulfilmentId: part }) },
    body: {},
  }),
  show: (data) => JSON.stringify(data, null, 2),
})

export const ordersCommand = resourceCommand({
  name: 'orders',
  help: 'Lists and processes orders. Amounts are in tiyin.',
  options: { status: { type: 'string' }, customer: { type: 'string' }, limit: { type: 'string' } },
  actions: {
    list: {
      usage: '[--status STATUS] [--customer ID] [--limit N]',
      summary: 'lists orders, newest first',
      needs: 0,
      call: (_positionals, flags) => ({
        route: 'GET /v1/orders',
        query: {
          sort: '-id',
          ...queryOf(flags, { status: 'status', customer: 'customer_id', limit: 'per_page' }),
        },
      }),
      show: (data) => rowsText(data['orders'], columns),
    },
    show: {
      usage: 'ID',
      summary: 'shows an order with its lines',
      needs: 1,
      call: ([id]) => ({ route: 'GET /v1/orders/{id}', params: { id: id! } }),
      show,
    },
    cancel: step('cancel', 'ID', 'cancels an order and returns its units'),
    pack: step('fulfilments', 'ID', 'creates a fulfilment of all open lines'),
    ship: step('fulfilments/{fulfilmentId}/ship', 'ID FULFILMENT', 'marks a fulfilment as shipped'),
    deliver: step('fulfilments/{fulfilmentId}/deliver', 'ID FULFILMENT', 'marks a fulfilment as delivered'),
  },
})
