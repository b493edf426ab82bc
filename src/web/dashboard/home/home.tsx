// Today against last week, and what needs attention.

import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { dayMs } from '../app/durations.ts'
import { BozorError, type Operations } from '../../../sdk/index.ts'
import { useAgo, useNow } from '../app/clock.ts'
import { useData } from '../app/data.ts'
import { count, day, fillIn, money, percent, shortMoney } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Status } from '../orders/status.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { Empty, Failure, Skeleton } from '../ui/states.tsx'
import { Tile } from '../ui/tile.tsx'
import { Attention } from './attention.tsx'
import { Checklist } from './checklist.tsx'

const Chart = lazy(async () => ({ default: (await import('../ui/chart.tsx')).Chart }))

const table = {
  morning: ['Good day, {name}', 'Добрый день, {name}', 'Assalomu alaykum, {name}'],
  orders: ['Orders today', 'Заказы сегодня', 'Bugungi buyurtmalar'],
  revenue: ['Revenue today, sum', 'Выручка сегодня, сум', 'Bugungi tushum, so‘m'],
  average: ['Average order, sum', 'Средний чек, сум', 'O‘rtacha chek, so‘m'],
  carts: ['Open carts', 'Открытые корзины', 'Ochiq savatlar'],
  left: ['left for a day: {count}', 'без изменений сутки: {count}', 'bir kundan beri turgani: {count}'],
  conversion: ['Conversion today', 'Конверсия сегодня', 'Bugungi konversiya'],
  ofBuyers: [
    'buyers with an order: {buyers}',
    'покупателей с заказом: {buyers}',
    'buyurtma bergan xaridorlar: {buyers}',
  ],
  share: ['Recommended', 'Доля рекомендаций', 'Tavsiyalar ulushi'],
  clicks: ['of revenue, clicks: {count}', 'выручки, кликов: {count}', 'tushumdan, {count} bosish'],
  lastWeek: ['vs. last week', 'к прошлой неделе', 'o‘tgan haftaga nisbatan'],
  noLastWeek: ['nothing a week ago', 'неделю назад не было', 'bir hafta oldin bo‘lmagan'],
  thirty: ['Revenue of 30 days', 'Выручка за 30 дней', '30 kunlik tushum'],
  thisPeriod: ['This period', 'Этот период', 'Shu davr'],
  before: ['A week earlier', 'Неделей раньше', 'Bir hafta oldin'],
  latest: ['Latest orders', 'Последние заказы', 'So‘nggi buyurtmalar'],
  none: ['No orders yet', 'Заказов пока нет', 'Hali buyurtma yo‘q'],
} as const

const shownDays = 30
const week = 7

export function Page() {
  const t = useTexts(table)
  const { member, can } = useSession()
  return (
    <>
      <PageHead title={fillIn(t.morning, { name: member.name.split(/[\s@]/)[0]! })} />
      <div className="flex flex-col gap-4">
        <Figures />
        <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <LatestOrders />
          <div className="flex flex-col gap-4">
            <Attention />
            {can('admin:write') && <Checklist />}
          </div>
        </div>
      </div>
    </>
  )
}

/** Of those who saw a list or bought; a buyer may order without a list. */
const conversionOf = (buyers: number, seen = 0): number => shareOf(buyers, Math.max(buyers, seen))
const shareOf = (part: number, whole: number): number => (whole > 0 ? Math.min(1, part / whole) : 0)

const changeOf = (now: number, before: number): number | null => (before > 0 ? now / before - 1 : null)

/** One day more than is shown, because the day of the shop may not have begun here. */
const firstDayBefore = (at: number): string =>
  new Date(at - (shownDays + week) * dayMs).toISOString().slice(0, 10)

function Figures() {
  const t = useTexts(table)
  const { language } = useSession()
  const now = useNow()
  const sales = useData(['home', 'sales'], async ({ orders }) => {
    try {
      return await orders.getMetrics({ from: firstDayBefore(now()) })
    } catch (error) {
      if (!(error instanceof BozorError && error.code === 'validation_failed')) throw error
      // The clock of the browser, or the test clock, is more than a year away from the server's day.
      const { to } = await orders.getMetrics()
      return orders.getMetrics({ from: firstDayBefore(Date.parse(to)), to })
    }
  })
  if (sales.error) return <Failure error={sales.error} onRetry={() => void sales.refetch()} />
  if (!sales.data) return <FiguresSkeleton />
  const days = sales.data.days
  const shown = days.slice(-shownDays)
  const today = days.at(-1)!
  const then = days.at(-1 - week)
  const averageOf = (it: { orders: number; cancelled: number; revenue_tiyin: number }) =>
    it.orders > it.cancelled ? it.revenue_tiyin / (it.orders - it.cancelled) : 0
  const against = (now: number, before: number) => ({
    change: changeOf(now, before),
    note: before > 0 ? t.lastWeek : t.noLastWeek,
  })
  return (
    <>
      <div className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
        <Tile
          label={t.orders}
          value={count(today.orders)}
          {...against(today.orders, then?.orders ?? 0)}
          values={shown.map((it) => it.orders)}
        />
        <Tile
          label={t.revenue}
          value={shortMoney(today.revenue_tiyin, language)}
          {...against(today.revenue_tiyin, then?.revenue_tiyin ?? 0)}
          values={shown.map((it) => it.revenue_tiyin)}
        />
        <Tile
          label={t.average}
          value={shortMoney(averageOf(today), language)}
          {...against(averageOf(today), then ? averageOf(then) : 0)}
          values={shown.map(averageOf)}
        />
        <ListTiles days={days} />
      </div>
      <Revenue days={days} />
    </>
  )
}

type Day = Operations['orders.getMetrics']['reply']['days'][number]

/** Carts, conversion and the share of recommendations. */
function ListTiles({ days }: { days: readonly Day[] }) {
  const t = useTexts(table)
  const { language } = useSession()
  const lists = useData(['home', 'recommendations'], ({ recommendations }) => recommendations.getMetrics())
  const carts = useData(['carts', 'home'], async (bozor) => {
    const [all, left] = await Promise.all([
      bozor.carts.list({ per_page: 1 }),
      bozor.carts.list({ per_page: 1, unchanged_hours: 24 }),
    ])
    return { all: all.pagination.total ?? 0, left: left.pagination.total ?? 0 }
  })
  const today = days.at(-1)!
  const then = days.at(-1 - week)
  // Days without lists are left out of the reply.
  const listsOn = new Map(lists.data?.days.map((it) => [it.day, it]))
  const listedOn = (day: string | undefined) => (day === undefined ? undefined : listsOn.get(day))
  const shown = days.slice(-shownDays).map((it) => ({ ...it, list: listsOn.get(it.day) }))
  const [listed, listedThen] = [listedOn(today.day), listedOn(then?.day)]
  const conversion = conversionOf(today.buyers, listed?.buyers)
  const recommended = shareOf(listed?.revenue_tiyin ?? 0, today.revenue_tiyin)
  /** The change against last week before the note, where there is one. */
  const against = (now: number, before: number, note: string) => {
    const change = changeOf(now, before)
    return { change, note: change === null ? note : `${t.lastWeek}, ${note}` }
  }
  return (
    <>
      <Tile
        label={t.carts}
        value={count(carts.data?.all ?? 0)}
        note={fillIn(t.left, { count: count(carts.data?.left ?? 0) })}
        values={shown.map((it) => it.list?.carts ?? 0)}
      />
      <Tile
        label={t.conversion}
        value={percent(conversion, language)}
        {...against(
          conversion,
          conversionOf(then?.buyers ?? 0, listedThen?.buyers),
          fillIn(t.ofBuyers, { buyers: count(today.buyers) }),
        )}
        values={shown.map((it) => conversionOf(it.buyers, it.list?.buyers))}
      />
      <Tile
        label={t.share}
        value={percent(recommended, language)}
        {...against(
          recommended,
          shareOf(listedThen?.revenue_tiyin ?? 0, then?.revenue_tiyin ?? 0),
          fillIn(t.clicks, { count: count(listed?.clicks ?? 0) }),
        )}
        values={shown.map((it) => shareOf(it.list?.revenue_tiyin ?? 0, it.revenue_tiyin))}
      />
    </>
  )
}

function Revenue({ days }: { days: Day[] }) {
  const t = useTexts(table)
  const { language } = useSession()
  const shown = days.slice(-shownDays)
  return (
    <Card title={t.thirty}>
      <Suspense fallback={<Skeleton className="h-60" />}>
        <Chart
          label={t.thirty}
          days={shown.map((it) => it.day)}
          dayText={(it) => day(it, language)}
          format={(value) => shortMoney(value, language)}
          series={[
            { label: t.thisPeriod, values: shown.map((it) => it.revenue_tiyin) },
            {
              label: t.before,
              values: days.slice(-shownDays - week, -week).map((it) => it.revenue_tiyin),
              isReference: true,
            },
          ]}
        />
      </Suspense>
    </Card>
  )
}

const FiguresSkeleton = () => (
  <>
    <div className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
      {[1, 2, 3, 4, 5, 6].map((it) => (
        <Skeleton key={it} className="h-36" />
      ))}
    </div>
    <Skeleton className="h-72" />
  </>
)

function LatestOrders() {
  const t = useTexts(table)
  const ago = useAgo()
  const { language } = useSession()
  const orders = useData(['orders', 'latest'], (bozor) => bozor.orders.list({ per_page: 8 }))
  if (orders.error) return <Failure error={orders.error} />
  if (!orders.data) return <Skeleton className="h-64" />
  return (
    <Card title={t.latest} isFlush>
      {orders.data.items.length === 0 ? (
        <Empty icon="orders" title={t.none} />
      ) : (
        <ul className="divide-line divide-y">
          {orders.data.items.map((it) => (
            <li key={it.id}>
              <Link to={`/orders/${it.id}`} className="hover:bg-hover flex h-11 items-center gap-3 px-4">
                <span className="figures w-14 font-medium">#{it.id}</span>
                <Status value={it.status} />
                <span className="text-soft min-w-0 flex-1 truncate max-sm:hidden">{it.lines[0]?.title}</span>
                <span className="figures ml-auto whitespace-nowrap">{money(it.total, language)}</span>
                <span className="text-faint w-28 truncate text-right text-xs max-sm:hidden">
                  {ago(it.created_at)}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
