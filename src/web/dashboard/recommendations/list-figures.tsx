// Lists that were shown in 30 days: the mix of their sources, how many different offers they had, and the clicks and
// purchases that followed.

import { lazy, Suspense } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { useData } from '../app/data.ts'
import { count, day, percent } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Card } from '../ui/card.tsx'
import { daysOf } from '../ui/chart-ticks.ts'
import { Empty, Failure, Skeleton } from '../ui/states.tsx'

const Chart = lazy(async () => ({ default: (await import('../ui/chart.tsx')).Chart }))

const table = {
  mix: [
    'Sources of lists, share by day',
    'Источники подборок, доля по дням',
    'Ro‘yxat manbalari, kunlik ulush',
  ],
  coverage: [
    'Coverage and diversity, by day',
    'Охват и разнообразие, по дням',
    'Qamrov va xilma-xillik, kunlik',
  ],
  coverageHint: [
    'Different offers shown. Diversity is lower when few of them take most of the places.',
    'Сколько разных предложений показано. Разнообразие ниже, если большинство мест занимают немногие.',
    'Ko‘rsatilgan turli takliflar. Ko‘p o‘rinni ozchilik egallasa, xilma-xillik past bo‘ladi.',
  ],
  diversity: ['Diversity', 'Разнообразие', 'Xilma-xillik'],
  offers: ['Offers', 'Предложения', 'Takliflar'],
  clicked: ['Lists with a click', 'Подборки с кликом', 'Bosilgan ro‘yxatlar'],
  bought: ['Lists with a purchase', 'Подборки с покупкой', 'Xarid qilingan ro‘yxatlar'],
  outcome: ['What came of lists, by day', 'Результат подборок, по дням', 'Ro‘yxatlar natijasi, kunlik'],
  catboost: ['Ranker', 'Ранжирование', 'Saralovchi'],
  collaborative_filtering: [
    'Collaborative filtering',
    'Коллаборативная фильтрация',
    'Kollaborativ filtrlash',
  ],
  cf: ['Collaborative filtering', 'Коллаборативная фильтрация', 'Kollaborativ filtrlash'],
  recommendation_service: ['Popular offers', 'Популярное', 'Ommabop'],
  none: ['No lists in 30 days', 'За 30 дней подборок не было', '30 kunda ro‘yxat bo‘lmagan'],
} as const

type Metrics = Operations['recommendations.getMetrics']['reply']
type Day = Metrics['days'][number]

export function ListFigures() {
  const t = useTexts(table)
  const { language } = useSession()
  const metrics = useData(['home', 'recommendations'], ({ recommendations }) => recommendations.getMetrics())
  if (metrics.error) return <Failure error={metrics.error} onRetry={() => void metrics.refetch()} />
  if (!metrics.data) return <Skeleton className="h-60" />
  const { days } = metrics.data
  if (days.every((it) => it.lists === 0))
    return (
      <Card title={t.mix}>
        <Empty icon="models" title={t.none} />
      </Card>
    )
  const names = [...new Set(days.flatMap((it) => it.sources.map((one) => one.source)))]
  const labelOf = (name: string) => (name in t ? t[name as keyof typeof t] : name)
  const shareOf = (it: Day, name: string) => it.sources.find((one) => one.source === name)?.share ?? 0
  return (
    <div className="grid gap-4 lg:grid-cols-3">
      <DayChart
        title={t.mix}
        metrics={metrics.data}
        format={(it) => percent(it, language, 0)}
        series={names.map((name) => ({ label: labelOf(name), of: (it) => shareOf(it, name) }))}
      />
      <DayChart
        title={t.coverage}
        metrics={metrics.data}
        text={t.coverageHint}
        format={(it) => count(Math.round(it))}
        isWhole
        series={[
          { label: t.offers, of: (it) => it.coverage },
          { label: t.diversity, of: (it) => it.diversity },
        ]}
      />
      <DayChart
        title={t.outcome}
        metrics={metrics.data}
        format={(it) => percent(it, language, 1)}
        series={[
          { label: t.clicked, of: (it) => it.ctr },
          { label: t.bought, of: (it) => it.conversion },
        ]}
      />
    </div>
  )
}

interface DayChartProps {
  title: string
  metrics: Metrics
  format(value: number): string
  series: { label: string; of(day: Day): number | null }[]
  text?: string
  isWhole?: boolean
}

function DayChart({ title, metrics, format, series, text, isWhole = false }: DayChartProps) {
  const { language } = useSession()
  const listed = new Map(metrics.days.map((it) => [it.day, it]))
  // Days without lists are left out of the reply.
  const days = daysOf(metrics)
  return (
    <Card title={title}>
      <Suspense fallback={<Skeleton className="h-44" />}>
        <Chart
          label={title}
          days={days}
          dayText={(it) => day(it, language)}
          format={format}
          height={170}
          series={series.map(({ label, of }) => ({
            label,
            values: days.map((it) => {
              const found = listed.get(it)
              return found ? of(found) : null
            }),
          }))}
          isWhole={isWhole}
        />
      </Suspense>
      {text && <p className="text-soft mt-2 text-xs">{text}</p>}
    </Card>
  )
}
