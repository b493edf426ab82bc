// How much applications call, how close they come to their rate limits, and what was refused for it.

import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import type { ApplicationUsage, Operations } from '../../../sdk/index.ts'
import { useData } from '../app/data.ts'
import { count, dateTime, day, type Language, percent } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { Empty, Failure, Skeleton } from '../ui/states.tsx'
import { hourTicks } from '../ui/chart-ticks.ts'
import { hourRows } from './usage-hours.ts'

const Chart = lazy(async () => ({ default: (await import('../ui/chart.tsx')).Chart }))

type Usage = Operations['applications.getHourlyUsage']['reply']

const table = {
  title: ['Usage and rate limits', 'Нагрузка и лимиты', 'Yuklama va cheklovlar'],
  text: [
    'Calls of applications by hour. A key that reaches its limit is answered with 429 until the window has room again.',
    'Вызовы приложений по часам. Ключ, исчерпавший лимит, получает 429, пока в окне не освободится место.',
    'Ilovalar chaqiruvlari soatlar bo‘yicha. Cheklovga yetgan kalitga oynada joy ochilguncha 429 qaytariladi.',
  ],
  period: ['Period', 'Период', 'Davr'],
  day: ['24 hours', '24 часа', '24 soat'],
  threeDays: ['3 days', '3 дня', '3 kun'],
  week: ['7 days', '7 дней', '7 kun'],
  application: ['Application', 'Приложение', 'Ilova'],
  all: ['All applications', 'Все приложения', 'Barcha ilovalar'],
  calls: ['Calls', 'Вызовы', 'Chaqiruvlar'],
  limited: ['Refused (429)', 'Отклонено (429)', 'Rad etilgan (429)'],
  share: ['Share of the limit used', 'Использовано лимита', 'Cheklovdan foydalanish'],
  peak: ['Highest share', 'Наибольшая доля', 'Eng katta ulush'],
  limit: ['Limit', 'Лимит', 'Cheklov'],
  ofServer: ['of the server', 'общий', 'umumiy'],
  unlimited: ['none', 'без лимита', 'cheksiz'],
  emptyTitle: [
    'No calls in this period',
    'За этот период вызовов не было',
    'Bu davrda chaqiruvlar bo‘lmagan',
  ],
  emptyText: [
    'Calls with a key or a token appear here within seconds.',
    'Вызовы с ключом или токеном появляются здесь через несколько секунд.',
    'Kalit yoki token bilan qilingan chaqiruvlar bir necha soniyada shu yerda ko‘rinadi.',
  ],
} as const

const periods = { '24': 'day', '72': 'threeDays', '168': 'week' } as const
const refreshMs = 30_000

export function Page() {
  const t = useTexts(table)
  const { hours: wanted = '24', app = '' } = useSearch({ strict: false }) as { hours?: string; app?: string }
  const hours = wanted in periods ? wanted : '24'
  const found = useData(
    ['usage', hours],
    (bozor) => bozor.applications.getHourlyUsage({ hours: Number(hours) }),
    { refreshMs, keepsPrevious: true },
  )
  return (
    <>
      <PageHead title={t.title} text={t.text}>
        {found.data && <Filters usage={found.data} hours={hours} app={app} />}
      </PageHead>
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.error && <Skeleton className="h-96 w-full" />}
      {found.data && found.data.applications.length === 0 && (
        <Empty icon="requests" title={t.emptyTitle} text={t.emptyText} />
      )}
      {found.data && found.data.applications.length > 0 && <Shown usage={found.data} app={app} />}
    </>
  )
}

function Filters({ usage, hours, app }: { usage: Usage; hours: string; app: string }) {
  const t = useTexts(table)
  const navigate = useNavigate()
  const choose = (search: { hours: string; app: string }) =>
    void navigate({
      to: '.',
      search: { hours: search.hours, ...(search.app && { app: search.app }) },
      replace: true,
    } as never)
  const look = 'border-strong bg-surface h-8 max-w-60 rounded-md border px-2 text-sm'
  return (
    <>
      <select
        aria-label={t.application}
        className={look}
        value={app}
        onChange={(event) => choose({ hours, app: event.target.value })}
      >
        <option value="">{t.all}</option>
        {usage.applications.map((it) => (
          <option key={it.client_id} value={it.client_id}>
            {it.name ?? it.client_id}
          </option>
        ))}
      </select>
      <select
        aria-label={t.period}
        className={look}
        value={hours}
        onChange={(event) => choose({ hours: event.target.value, app })}
      >
        {Object.entries(periods).map(([value, name]) => (
          <option key={value} value={value}>
            {t[name]}
          </option>
        ))}
      </select>
    </>
  )
}

function Shown({ usage, app }: { usage: Usage; app: string }) {
  const t = useTexts(table)
  const { language } = useSession()
  const charts = useMemo(() => {
    const chosen = app ? usage.applications.filter((it) => it.client_id === app) : usage.applications
    const rows = hourRows(usage, chosen)
    const series = (label: string, values: number[]) => [{ label, values }]
    return {
      hours: rows.map((it) => it.hour),
      calls: series(
        t.calls,
        rows.map((it) => it.calls),
      ),
      limited: series(
        t.limited,
        rows.map((it) => it.limited),
      ),
      share: series(
        t.peak,
        rows.map((it) => it.peakShare * 100),
      ),
    }
  }, [usage, app, t])
  // A day has its hours on the axis, a longer period its days.
  const isDay = charts.hours.length <= 25
  const axisText = (it: string) =>
    isDay ? `${String(new Date(it).getHours()).padStart(2, '0')}:00` : day(it, language)
  const shared = {
    days: charts.hours,
    dayText: (it: string) => dateTime(it, language),
    axisText,
    ticks: (most: number) => hourTicks(charts.hours, most),
    height: 180,
  }
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <div className="lg:col-span-2">
        <Card title={t.calls}>
          <Suspense fallback={<Skeleton className="h-48" />}>
            <Chart label={t.calls} format={count} isWhole series={charts.calls} {...shared} />
          </Suspense>
        </Card>
      </div>
      <Card title={t.share}>
        <Suspense fallback={<Skeleton className="h-48" />}>
          <Chart
            label={t.share}
            format={(it) => percent(it / 100, language, 0)}
            series={charts.share}
            isWhole
            {...shared}
          />
        </Suspense>
      </Card>
      <Card title={t.limited}>
        <Suspense fallback={<Skeleton className="h-48" />}>
          <Chart label={t.limited} format={count} isWhole series={charts.limited} {...shared} />
        </Suspense>
      </Card>
      <div className="min-w-0 lg:col-span-2">
        <Applications applications={usage.applications} />
      </div>
    </div>
  )
}

function Applications({ applications }: { applications: ApplicationUsage[] }) {
  const t = useTexts(table)
  const { can, language } = useSession()
  const head = 'px-2 py-2 text-right font-normal sm:px-4 sm:whitespace-nowrap'
  const cell = 'figures px-2 py-2 text-right whitespace-nowrap sm:px-4'
  const nameOf = (it: ApplicationUsage) =>
    it.name !== null && can('admin:write') ? (
      <Link to={`/applications/${it.client_id}`} className="text-accent hover:underline">
        {it.name}
      </Link>
    ) : (
      (it.name ?? it.client_id)
    )
  return (
    <Card isFlush>
      <div className="overflow-x-auto" role="region" aria-label={t.application} tabIndex={0}>
        <table className="w-full">
          <thead>
            <tr className="text-soft border-line border-b text-left text-xs">
              <th className="px-4 py-2 font-normal">{t.application}</th>
              <th className={head}>{t.calls}</th>
              <th className={head}>{t.limited}</th>
              <th className={head}>{t.peak}</th>
              <th className={`${head} max-sm:hidden`}>{t.limit}</th>
            </tr>
          </thead>
          <tbody>
            {applications.map((it) => (
              <tr key={it.client_id} className="border-line border-b last:border-0">
                <td className="max-w-72 min-w-28 px-4 py-2 break-words">{nameOf(it)}</td>
                <td className={cell}>{count(it.calls)}</td>
                <td className={`${cell} ${it.limited > 0 ? 'text-bad font-medium' : ''}`}>
                  {count(it.limited)}
                </td>
                <td className={cell}>
                  <Share value={it.peak_share} language={language} />
                </td>
                <td className={`${cell} text-soft max-sm:hidden`}>
                  {it.rate_limit === 'none' ? t.unlimited : (it.rate_limit ?? t.ofServer)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

/** Amber when little is left, red at the limit. */
const toneOf = (share: number): string =>
  share >= 1 ? 'fill-bad' : share >= 0.8 ? 'fill-warn' : 'fill-accent'

const Share = ({ value, language }: { value: number; language: Language }) => (
  <span className="inline-flex items-center gap-2">
    <svg
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      aria-hidden="true"
      className="bg-hover h-1.5 w-20 rounded-full max-sm:hidden"
    >
      <rect width={Math.max(value * 100, 1)} height="6" className={toneOf(value)} />
    </svg>
    {percent(value, language, value > 0 && value < 0.1 ? 1 : 0)}
  </span>
)
