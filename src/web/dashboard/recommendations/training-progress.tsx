// One training: its stages, and plots of what it has measured so far. A running one is read again every second.

import { lazy, Suspense, useMemo } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { useNow, useSeconds } from '../app/clock.ts'
import { useData } from '../app/data.ts'
import { count, fillIn } from '../app/language.ts'
import { useTexts } from '../app/session.tsx'
import { Card } from '../ui/card.tsx'
import { Failure, Skeleton } from '../ui/states.tsx'
import {
  type Measurement,
  rankerPlot,
  scoresOf,
  searchPlot,
  stageTimes,
  type Stage,
  triedFamilies,
} from './training-figures.ts'
import { trainingTexts } from './training-texts.ts'

const Chart = lazy(async () => ({ default: (await import('../ui/chart.tsx')).Chart }))

type Training = Operations['trainings.list']['reply']['trainings'][number]

/** Often enough that a training is watched as it runs. */
const refreshMs = 1_000
const score = (value: number) => value.toFixed(3)

export function TrainingProgress({ training }: { training: Training }) {
  const t = useTexts(trainingTexts)
  const isRunning = training.outcome === 'running'
  const found = useData(
    ['models', 'training', training.id, training.outcome],
    async (bozor) => (await bozor.trainings.get({ id: training.id })).progress,
    { keepsPrevious: true, ...(isRunning && { refreshMs }) },
  )
  return (
    <Card title={fillIn(t.title, { id: training.id })}>
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.error && <Skeleton className="h-60" />}
      {found.data?.length === 0 && <p className="text-soft">{t.noMeasurements}</p>}
      {found.data && found.data.length > 0 && (
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[17rem_minmax(0,1fr)]">
          <Stages training={training} progress={found.data} />
          <div className="grid min-w-0 gap-x-8 gap-y-6 md:grid-cols-2">
            <SearchChart progress={found.data} />
            <RankerChart progress={found.data} />
            <Families progress={found.data} />
            <div className="flex min-w-0 flex-col gap-6">
              <Bars title={t.figures} stage="held_out" progress={found.data} />
              <Bars title={t.against} stage="compared" progress={found.data} />
            </div>
          </div>
        </div>
      )}
    </Card>
  )
}

const order: Exclude<Stage, 'done'>[] = [
  'read',
  'search',
  'weights',
  'ranker',
  'held_out',
  'compared',
  'final',
]

function Stages({ training, progress }: { training: Training; progress: readonly Measurement[] }) {
  const t = useTexts(trainingTexts)
  const now = useNow()
  const isRunning = training.outcome === 'running'
  useSeconds(isRunning)
  const seconds = isRunning ? (now() - Date.parse(training.started_at)) / 1_000 : null
  const begun = new Map(stageTimes(progress, seconds).map((it) => [it.stage, it]))
  // A finished training has left out what it did not come to.
  const shown = isRunning ? order : order.filter((it) => begun.has(it))
  return (
    <ol aria-label={t.stages} className="flex flex-col gap-2">
      {shown.map((stage) => {
        const it = begun.get(stage)
        return (
          <li
            key={stage}
            aria-current={it?.isRunning ? 'step' : undefined}
            className={`flex items-baseline gap-2.5 ${it ? '' : 'text-faint'}`}
          >
            <span
              aria-hidden="true"
              className={`size-2 shrink-0 rounded-full ${it?.isRunning ? 'bg-info animate-pulse' : it ? 'bg-good' : 'bg-line'}`}
            />
            <span className={`min-w-0 flex-1 ${it?.isRunning ? 'font-medium' : ''}`}>{t[stage]}</span>
            {it && (
              <span className="text-soft figures text-xs whitespace-nowrap">
                {fillIn(t.seconds, {
                  seconds: it.seconds < 10 ? it.seconds.toFixed(1) : Math.round(it.seconds),
                })}
              </span>
            )}
          </li>
        )
      })}
    </ol>
  )
}

const Heading = ({ text }: { text: string }) => <h3 className="mb-2 font-medium">{text}</h3>

function SearchChart({ progress }: { progress: readonly Measurement[] }) {
  const t = useTexts(trainingTexts)
  const plot = useMemo(() => searchPlot(progress), [progress])
  if (plot.seconds.length === 0) return null
  const nameOf = (page: string) => (page in t ? t[page as keyof typeof t] : page)
  return (
    <section className="min-w-0">
      <Heading text={t.trialsPlot} />
      <Suspense fallback={<Skeleton className="h-48" />}>
        <Chart
          label={t.trialsPlot}
          days={plot.seconds.map(String)}
          dayText={(it) => fillIn(t.seconds, { seconds: it })}
          format={score}
          height={180}
          series={plot.pages.map(({ page, best }) => ({ label: nameOf(page), values: best }))}
        />
      </Suspense>
      <p className="text-soft mt-1 text-xs">{t.trialsHint}</p>
    </section>
  )
}

function RankerChart({ progress }: { progress: readonly Measurement[] }) {
  const t = useTexts(trainingTexts)
  const { trees, rankers } = useMemo(() => rankerPlot(progress), [progress])
  if (trees.length === 0) return null
  return (
    <section className="min-w-0">
      <Heading text={t.treesPlot} />
      <Suspense fallback={<Skeleton className="h-48" />}>
        <Chart
          label={t.treesPlot}
          days={trees.map(String)}
          dayText={(it) => fillIn(t.trees, { trees: it })}
          axisText={(it) => it}
          format={score}
          height={180}
          isZoomed
          series={rankers.map(({ loss, scores }) => ({ label: loss, values: scores }))}
        />
      </Suspense>
    </section>
  )
}

function Families({ progress }: { progress: readonly Measurement[] }) {
  const t = useTexts(trainingTexts)
  const tried = triedFamilies(progress)
  if (tried.length === 0) return null
  return (
    <section className="min-w-0">
      <Heading text={t.families} />
      <table className="figures w-full">
        <thead>
          <tr className="text-soft text-left text-xs">
            <th scope="col" className="font-medium">
              {t.source}
            </th>
            <th scope="col" className="font-medium">
              {t.family}
            </th>
            <th scope="col" className="text-right font-medium">
              {t.trials}
            </th>
            <th scope="col" className="text-right font-medium">
              {t.best}
            </th>
          </tr>
        </thead>
        <tbody>
          {tried.map((it) => (
            <tr key={`${it.page} ${it.source} ${it.family}`} className="h-7">
              <td>
                {it.source}{' '}
                <span className="text-soft text-xs">
                  {it.page in t ? t[it.page as keyof typeof t] : it.page}
                </span>
              </td>
              <td>{it.family}</td>
              <td className="text-right">{count(it.trials)}</td>
              <td className="text-right font-medium">{score(it.best)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface BarsProps {
  title: string
  stage: 'held_out' | 'compared'
  progress: readonly Measurement[]
}

function Bars({ title, stage, progress }: BarsProps) {
  const t = useTexts(trainingTexts)
  const points = scoresOf(progress, stage)
  if (points.length === 0) return null
  const most = Math.max(...points.map((it) => it.score), 0.001)
  return (
    <section className="min-w-0">
      <Heading text={title} />
      <ul className="flex flex-col gap-2">
        {points.map((it) => (
          <li key={it.source} className="grid grid-cols-[8rem_minmax(0,1fr)_3.5rem] items-center gap-3">
            <span>{it.source && it.source in t ? nameOf(t, it.source) : it.source}</span>
            <span aria-hidden="true" className="bg-canvas h-2.5 rounded">
              <span
                className="bg-accent block h-full rounded"
                style={{ width: `${(it.score / most) * 100}%` }}
              />
            </span>
            <span className="figures text-right font-medium">{score(it.score)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The stage and the ranker that it trains have the same key. */
const nameOf = (t: Record<string, string>, source: string): string =>
  source === 'ranker' ? (t['rankerName'] ?? '') : (t[source] ?? source)
