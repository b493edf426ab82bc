// Experiments with intervals and a plain verdict.

import { useState } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { useAction, useData } from '../app/data.ts'
import { count, fillIn, percent } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { FormDialog } from '../ui/form.tsx'
import { Empty, Failure, Skeleton, SkeletonRows } from '../ui/states.tsx'

type Experiment = Operations['experiments.list']['item']
type Group = Operations['experiments.getResults']['reply']['groups'][number]

const table = {
  title: ['Experiments', 'Эксперименты', 'Tajribalar'],
  text: [
    'Two ways to recommend, compared on real buyers.',
    'Два способа рекомендовать, сравненные на покупателях.',
    'Ikki tavsiya usuli xaridorlarda taqqoslanadi.',
  ],
  create: ['New experiment', 'Новый эксперимент', 'Yangi tajriba'],
  created: ['Created', 'Создан', 'Yaratildi'],
  name: ['Name', 'Название', 'Nomi'],
  slug: ['Short name', 'Короткое имя', 'Qisqa nom'],
  first: ['First group', 'Первая группа', 'Birinchi guruh'],
  second: ['Second group', 'Вторая группа', 'Ikkinchi guruh'],
  ranker: ['Ranker', 'Ранжирование', 'Saralovchi'],
  cf: ['Collaborative filtering', 'Коллаборативная фильтрация', 'Kollaborativ filtrlash'],
  usual: ['as usual', 'как обычно', 'odatdagidek'],
  popular: ['Popular offers', 'Популярное', 'Ommabop'],
  draft: ['Draft', 'Черновик', 'Qoralama'],
  running: ['Running', 'Идёт', 'Davom etmoqda'],
  stopped: ['Stopped', 'Остановлен', 'To‘xtatilgan'],
  start: ['Start', 'Запустить', 'Boshlash'],
  stop: ['Stop', 'Остановить', 'To‘xtatish'],
  done: ['Done', 'Готово', 'Bajarildi'],
  none: ['No experiments yet', 'Экспериментов пока нет', 'Hali tajriba yo‘q'],
  group: ['Group', 'Группа', 'Guruh'],
  buyers: ['Buyers', 'Покупатели', 'Xaridorlar'],
  clicks: ['Clicks', 'Клики', 'Bosishlar'],
  conversion: ['Conversion', 'Конверсия', 'Konversiya'],
  better: [
    '{group} gets more clicks than the first group',
    '{group}: кликов больше, чем в первой группе',
    '{group}: birinchi guruhdan ko‘p bosish',
  ],
  worse: [
    '{group} gets fewer clicks than the first group',
    '{group}: кликов меньше, чем в первой группе',
    '{group}: birinchi guruhdan kam bosish',
  ],
  open: ['No certain difference yet', 'Разница пока не доказана', 'Farq hali isbotlanmagan'],
} as const

const tones: Record<Experiment['status'], Tone> = { draft: 'neutral', running: 'good', stopped: 'info' }
const methods = ['ranker', 'cf', 'popular'] as const

export function Page() {
  const t = useTexts(table)
  const { can } = useSession()
  const [isCreating, setIsCreating] = useState(false)
  const found = useData(['experiments', 'list'], (bozor) =>
    bozor.experiments.list({ sort: '-created_at', per_page: 50 }),
  )
  const create = can('admin:write') && (
    <Button look="primary" icon="plus" onClick={() => setIsCreating(true)}>
      {t.create}
    </Button>
  )
  return (
    <>
      <PageHead title={t.title} text={t.text}>
        {create}
      </PageHead>
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.error && <SkeletonRows rows={3} />}
      {found.data?.items.length === 0 && (
        <Card>
          <Empty icon="experiments" title={t.none}>
            {create}
          </Empty>
        </Card>
      )}
      <div className="flex flex-col gap-4">
        {found.data?.items.map((it) => (
          <ExperimentCard key={it.id} experiment={it} />
        ))}
      </div>
      {isCreating && <CreateForm onClose={() => setIsCreating(false)} />}
    </>
  )
}

function ExperimentCard({ experiment }: { experiment: Experiment }) {
  const t = useTexts(table)
  const { can, language } = useSession()
  const ids = { experiment_id: experiment.id }
  const results = useData(
    ['experiments', experiment.id, 'results'],
    (bozor) => bozor.experiments.getResults(ids),
    {
      isEnabled: experiment.status !== 'draft',
    },
  )
  const step = useAction(
    async (bozor, kind: 'start' | 'stop'): Promise<unknown> =>
      kind === 'start' ? bozor.experiments.start(ids) : bozor.experiments.stop(ids),
    { refreshes: ['experiments'], done: t.done },
  )
  const kind = experiment.status === 'draft' ? 'start' : experiment.status === 'running' ? 'stop' : undefined
  return (
    <Card
      title={experiment.name}
      action={
        <span className="flex items-center gap-2">
          <Badge text={t[experiment.status]} tone={tones[experiment.status]} />
          {kind && can('admin:write') && (
            <Button isSmall isBusy={step.isPending} onClick={() => step.mutate(kind)}>
              {t[kind]}
            </Button>
          )}
        </span>
      }
    >
      <p className="text-soft">
        {experiment.groups
          .map(
            (it) =>
              `${it.name} ${percent(it.share, language, 0)} (${t[methods.find((one) => one === it.method) ?? 'usual']})`,
          )
          .join(' · ')}
      </p>
      {results.data ? (
        <Results groups={results.data.groups} />
      ) : (
        results.isPending && results.fetchStatus !== 'idle' && <Skeleton className="mt-3 h-24" />
      )}
    </Card>
  )
}

function Results({ groups }: { groups: Group[] }) {
  const t = useTexts(table)
  const { language } = useSession()
  const range = ({ value, low, high }: Range) =>
    `${percent(value, language)} (${percent(low, language)} … ${percent(high, language)})`
  const certain = groups.find(
    ({ differences }) => differences && (differences.ctr.low > 0 || differences.ctr.high < 0),
  )
  const verdict = certain
    ? fillIn(certain.differences!.ctr.low > 0 ? t.better : t.worse, { group: certain.group })
    : t.open
  return (
    <>
      <p className="mt-2 font-medium">{verdict}</p>
      <p className="text-soft figures mb-3 text-xs">
        {groups.flatMap(({ group, differences }) =>
          differences
            ? [
                `${group} − ${groups[0]!.group}: ${range({ ...differences.ctr, value: differences.ctr.difference })}`,
              ]
            : [],
        )}
      </p>
      <div className="overflow-x-auto">
        <table className="figures w-full text-right">
          <thead className="text-soft text-xs">
            <tr>
              {[t.group, t.buyers, t.clicks, t.conversion].map((it, at) => (
                <th key={it} scope="col" className={`font-medium ${at === 0 ? 'text-left' : ''}`}>
                  {it}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map((it) => (
              <tr key={it.group} className="border-line h-8 border-t">
                <th scope="row" className="text-left font-medium">
                  {it.group}
                </th>
                <td>{count(it.buyers)}</td>
                <td className="py-1.5">
                  <Interval of={it.ctr} most={Math.max(...groups.map((one) => one.ctr.high))} />
                </td>
                <td className="py-1.5">
                  <Interval of={it.conversion} most={Math.max(...groups.map((one) => one.conversion.high))} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

interface Range {
  value: number
  low: number
  high: number
}

const barWidth = 96

/** A value with its interval, in figures and as a line on a scale that the groups share. */
function Interval({ of: { value, low, high }, most }: { of: Range; most: number }) {
  const { language } = useSession()
  const at = (it: number) => (most > 0 ? (it / most) * (barWidth - 6) + 3 : 3)
  return (
    <span className="inline-flex flex-col items-end">
      <span className="font-medium">{percent(value, language)}</span>
      <span className="text-soft text-xs whitespace-nowrap">
        {percent(low, language)} … {percent(high, language)}
      </span>
      <svg width={barWidth} height="6" aria-hidden="true" className="mt-0.5">
        <line x1="0" x2={barWidth} y1="3" y2="3" className="stroke-line" strokeWidth="1" />
        <line x1={at(low)} x2={at(high)} y1="3" y2="3" className="stroke-accent" strokeWidth="3" />
        <circle cx={at(value)} cy="3" r="3" className="fill-accent" />
      </svg>
    </span>
  )
}

type Method = (typeof methods)[number]

function CreateForm({ onClose }: { onClose(): void }) {
  const t = useTexts(table)
  const choices = methods.map((it) => [it, t[it]] as const)
  return (
    <FormDialog
      title={t.create}
      submit={t.create}
      done={t.created}
      refreshes={['experiments']}
      fields={[
        { name: 'name', label: t.name },
        { name: 'slug', label: t.slug, hint: 'ranker-against-popular' },
        { name: 'first', label: t.first, kind: 'select', value: 'popular', choices },
        { name: 'second', label: t.second, kind: 'select', value: 'ranker', choices },
      ]}
      run={(bozor, values) =>
        bozor.experiments.create({
          name: values['name'] ?? '',
          slug: values['slug'] ?? '',
          layers: ['main_page'],
          groups: [
            { name: 'a', share: 0.5, method: values['first'] as Method },
            { name: 'b', share: 0.5, method: values['second'] as Method },
          ],
        })
      }
      onClose={onClose}
    />
  )
}
