import { queryOf, resourceCommand, rowsText, rowText } from './resource-command.ts'

const columns = ['id', 'slug', 'status', 'starts_at', 'ends_at', 'discount_percent', 'price_tiyin']

export const promotionsCommand = resourceCommand({
  name: 'promotions',
  help: 'Lists promotions and ends them early.',
  options: { status: { type: 'string' }, limit: { type: 'string' } },
  actions: {
    list: {
      usage: '[--status STATUS] [--limit N]',
      summary: 'lists promotions',
      needs: 0,
      call: (_positionals, flags) => ({
        route: 'GET /v1/marketing/promotions',
        query: queryOf(flags, { status: 'status', limit: 'per_page' }),
      }),
      show: (data) => rowsText(data['promotions'], columns),
    },
    show: {
      usage: 'ID',
      summary: 'shows a promotion',
      needs: 1,
      call: ([id]) => ({
        route: 'GET /v1/marketing/promotions/{promotion_id}',
        params: { promotion_id: id! },
      }),
      show: (data) => rowText(data['promotion'], [...columns, 'title', 'offer_ids', 'category_ids']),
    },
    end: {
      usage: 'ID',
      summary: 'ends a running promotion now',
      needs: 1,
      call: ([id]) => ({
        route: 'POST /v1/marketing/promotions/{promotion_id}/end',
        params: { promotion_id: id! },
      }),
      show: (data) => rowText(data['promotion'], columns),
    },
  },
})
