import { numberOf, queryOf, resourceCommand, rowsText, rowText } from './resource-command.ts'

export const stockCommand = resourceCommand({
  name: 'stock',
  help: 'Shows and adjusts the units of offers on hand.',
  options: { limit: { type: 'string' }, reason: { type: 'string' } },
  actions: {
    list: {
      usage: '[--limit N]',
      summary: 'lists offers with their units',
      needs: 0,
      call: (_positionals, flags) => ({
        route: 'GET /v1/catalog/offers',
        query: queryOf(flags, { limit: 'per_page' }),
      }),
      show: (data) => rowsText(data['offers'], ['id', 'product_id', 'partner_id', 'quantity', 'is_active']),
    },
    show: {
      usage: 'OFFER_ID',
      summary: 'shows the units of an offer',
      needs: 1,
      call: ([id]) => ({ route: 'GET /v1/catalog/offers/{offer_id}', params: { offer_id: id! } }),
      show: (data) =>
        rowText(data['offer'], ['id', 'product_id', 'quantity', 'reservation_minutes', 'is_active']),
    },
    movements: {
      usage: 'OFFER_ID [--limit N]',
      summary: 'lists what changed the stock of an offer',
      needs: 1,
      call: ([id], flags) => ({
        route: 'GET /v1/catalog/offers/{offer_id}/stock-movements',
        params: { offer_id: id! },
        query: queryOf(flags, { limit: 'per_page' }),
      }),
      show: (data) => rowsText(data['movements'], ['created_at', 'change', 'on_hand', 'cause', 'reference']),
    },
    adjust: {
      usage: 'OFFER_ID CHANGE --reason TEXT',
      summary: 'adds units, or removes them with a number below zero after --',
      needs: 2,
      call: ([id, change], flags) => ({
        route: 'POST /v1/catalog/offers/{offer_id}/stock-adjustments',
        params: { offer_id: id! },
        body: { change: numberOf(change), reason: flags['reason'] ?? 'Command line' },
      }),
      show: (data) => `${String(data['on_hand'])} units on hand`,
    },
  },
})
