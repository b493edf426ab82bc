// Models with their measured quality, and trainings as they run.

import { lazy, Suspense, useState } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { useAgo } from '../app/clock.ts'
import { useAction, useData } from '../app/data.ts'
import { count, dateTime, fillIn } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { Empty, Failure, SkeletonRows } from '../ui/states.tsx'
import { CompareModels } from './compare-models.tsx'

const TrainingProgress = lazy(async () => ({
  default: (await import('./training-progress.tsx')).TrainingProgress,
}))
const ListFigures = lazy(async () => ({ default: (await import('./list-figures.tsx')).ListFigures }))

type Model = Operations['models.list']['reply']['models'][number]
type Training = Operations['trainings.list']['reply']['trainings'][number]

const table = {
  title: ['Models', 'Модели', 'Modellar'],
  text: [
    'What ranks the recommendations. A new model is used only when it is better than the one before.',
    'Что ранжирует рекомендации. Новая модель включается, только если она лучше прежней.',
    'Tavsiyalarni saralaydigan modellar. Yangisi faqat avvalgisidan yaxshi bo‘lsa ishlatiladi.',
  ],
  train: ['Train now', 'Обучить сейчас', 'Hozir o‘qitish'],
  started: ['The training has started', 'Обучение началось', 'O‘qitish boshlandi'],
  training: ['Training {id}', 'Обучение {id}', '{id}-o‘qitish'],
  trainings: ['Trainings', 'Обучения', 'O‘qitishlar'],
  active: ['In use', 'Используется', 'Ishlatilmoqda'],
  activate: ['Use this model', 'Использовать', 'Ishlatish'],
  activated: ['The model is in use', 'Модель включена', 'Model yoqildi'],
  ranker: ['Ranker', 'Ранжирование', 'Saralovchi'],
  candidates: ['Candidates', 'Кандидаты', 'Nomzodlar'],
  popularity: ['Popular offers', 'Популярное', 'Ommabop'],
  products: ['products', 'товаров', 'mahsulot'],
  cases: ['cases', 'случаев', 'holat'],
  none: ['No model yet', 'Моделей пока нет', 'Hali model yo‘q'],
  noneText: [
    'Popular offers are shown until the first training ends.',
    'До первого обучения показывается популярное.',
    'Birinchi o‘qitishgacha ommabop takliflar ko‘rsatiladi.',
  ],
  noTrainings: ['No trainings yet', 'Обучений пока нет', 'Hali o‘qitish yo‘q'],
  running: ['Running', 'Идёт', 'Davom etmoqda'],
  usedSince: ['Activated', 'Включена', 'Yoqilgan'],
  rejected: ['Not used', 'Не включена', 'Yoqilmagan'],
  skipped: ['Skipped', 'Пропущено', 'O‘tkazib yuborilgan'],
  failed: ['Failed', 'Ошибка', 'Xato'],
} as const

/** Often enough that a training is watched as it runs. */
const refreshMs = 1_000

export function Page() {
  const t = useTexts(table)
  const { can } = useSession()
  const trainings = useData(
    ['models', 'trainings'],
    async (bozor) => (await bozor.trainings.list()).trainings,
    { refreshMs },
  )
  const isRunning = trainings.data?.some((it) => it.outcome === 'running') ?? false
  const [chosenId, setChosenId] = useState<string | null>(null)
  // A training that starts is shown, whichever was chosen before.
  const shown =
    trainings.data?.find((it) => it.outcome === 'running') ??
    trainings.data?.find((it) => it.id === chosenId) ??
    trainings.data?.[0]
  const train = useAction((bozor) => bozor.trainings.start(), { refreshes: ['models'], done: t.started })
  return (
    <>
      <PageHead title={t.title} text={t.text}>
        {can('admin:write') && (
          <Button
            look="primary"
            icon="playground"
            isBusy={train.isPending || isRunning}
            onClick={() => train.mutate(undefined)}
          >
            {t.train}
          </Button>
        )}
      </PageHead>
      <div className="flex flex-col gap-4">
        {shown && (
          <Suspense fallback={<SkeletonRows rows={6} />}>
            <TrainingProgress key={shown.id} training={shown} />
          </Suspense>
        )}
        <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <Models />
          <Trainings trainings={trainings.data} shownId={shown?.id} onShow={setChosenId} />
        </div>
        <Suspense fallback={<SkeletonRows rows={4} />}>
          <ListFigures />
        </Suspense>
      </div>
    </>
  )
}

function Models() {
  const t = useTexts(table)
  const models = useData(['models', 'list'], async (bozor) => (await bozor.models.list()).models)
  if (models.error) return <Failure error={models.error} onRetry={() => void models.refetch()} />
  if (!models.data) return <SkeletonRows rows={4} />
  if (models.data.length === 0)
    return (
      <Card>
        <Empty icon="models" title={t.none} text={t.noneText} />
      </Card>
    )
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {models.data.length > 1 && <CompareModels models={models.data} />}
      {models.data.map((it) => (
        <ModelCard key={it.id} model={it} />
      ))}
    </div>
  )
}

function ModelCard({ model }: { model: Model }) {
  const t = useTexts(table)
  const { can, language } = useSession()
  const activate = useAction((bozor) => bozor.models.activate({ id: model.id }), {
    refreshes: ['models'],
    done: t.activated,
  })
  const { metrics } = model
  const rows = [
    [t.ranker, metrics.ranker],
    [t.candidates, metrics.candidates],
    [t.popularity, metrics.popularity],
  ] as const
  return (
    <Card
      title={dateTime(model.created_at, language)}
      action={
        model.is_active ? (
          <Badge text={t.active} tone="good" />
        ) : (
          can('admin:write') && (
            <Button isSmall isBusy={activate.isPending} onClick={() => activate.mutate(undefined)}>
              {t.activate}
            </Button>
          )
        )
      }
    >
      <table className="figures w-full">
        <thead>
          <tr className="text-soft text-xs">
            <th scope="col" className="text-left font-medium">
              <span className="sr-only">{t.title}</span>
            </th>
            <th scope="col" className="w-24 text-right font-medium">
              NDCG@10
            </th>
            <th scope="col" className="w-20 text-right font-medium">
              Hit@10
            </th>
            <th scope="col" className="w-24 text-right font-medium max-sm:hidden">
              Recall@30
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(
            ([name, it]) =>
              it && (
                <tr key={name} className="h-7">
                  <th scope="row" className="text-left font-normal">
                    {name}
                  </th>
                  <td className="text-right font-medium">{it.ndcg10.toFixed(3)}</td>
                  <td className="text-right">{it.hit10.toFixed(3)}</td>
                  <td className="text-right max-sm:hidden">{it.recall30.toFixed(3)}</td>
                </tr>
              ),
          )}
        </tbody>
      </table>
      <p className="text-soft mt-2 text-xs">
        {t.products}: {count(model.products)} · {t.cases}: {count(metrics.cases)}
      </p>
    </Card>
  )
}

const tones: Record<Training['outcome'], Tone> = {
  running: 'info',
  activated: 'good',
  rejected: 'neutral',
  skipped: 'neutral',
  failed: 'bad',
}

/** The card above shows how far a running one is, and the figures of one that is used. */
const isExplained = ({ outcome }: Training): boolean => outcome !== 'running' && outcome !== 'activated'

interface TrainingsProps {
  trainings: Training[] | undefined
  shownId: string | undefined
  onShow(id: string): void
}

function Trainings({ trainings, shownId, onShow }: TrainingsProps) {
  const t = useTexts(table)
  const ago = useAgo()
  const names = {
    running: t.running,
    activated: t.usedSince,
    rejected: t.rejected,
    skipped: t.skipped,
    failed: t.failed,
  }
  return (
    <Card title={t.trainings} isFlush>
      {!trainings && <SkeletonRows rows={3} />}
      {trainings?.length === 0 && <Empty icon="models" title={t.noTrainings} />}
      <ul aria-label={t.trainings} className="divide-line divide-y">
        {trainings?.map((it) => (
          <li key={it.id} className="px-4 py-2.5">
            <div className="flex items-center justify-between gap-3">
              <Badge text={names[it.outcome]} tone={tones[it.outcome]} />
              <button
                type="button"
                aria-pressed={it.id === shownId}
                className="text-soft hover:text-ink aria-pressed:text-ink text-xs aria-pressed:font-medium"
                onClick={() => onShow(it.id)}
              >
                {fillIn(t.training, { id: it.id })} · {ago(it.started_at)}
              </button>
            </div>
            {it.note && isExplained(it) && <p className="text-soft mt-1 text-xs break-words">{it.note}</p>}
          </li>
        ))}
      </ul>
    </Card>
  )
}
