// Scheduled jobs with their last run, and events that a reaction failed to handle.

import { useState } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { useAgo } from '../app/clock.ts'
import { useAction, useData } from '../app/data.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failure, Skeleton, SkeletonRows } from '../ui/states.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { jobText } from './job-texts.ts'

type Job = Operations['jobs.list']['reply']['jobs'][number]

const table = {
  title: ['Jobs', 'Задания', 'Vazifalar'],
  text: [
    'Work that runs by schedule, in one process at a time.',
    'Работа по расписанию, всегда в одном процессе.',
    'Jadval bo‘yicha, bir vaqtda bitta jarayonda bajariladigan ish.',
  ],
  name: ['Job', 'Задание', 'Vazifa'],
  schedule: ['Schedule', 'Расписание', 'Jadval'],
  last: ['Last run', 'Последний запуск', 'Oxirgi ishga tushish'],
  next: ['Next', 'Следующий', 'Keyingi'],
  outcome: ['Outcome', 'Итог', 'Natija'],
  done: ['Done', 'Выполнено', 'Bajarildi'],
  failed: ['Failed', 'Ошибка', 'Xato'],
  running: ['Running', 'Идёт', 'Ishlamoqda'],
  never: ['never', 'не запускалось', 'hali yo‘q'],
  run: ['Run now', 'Запустить', 'Ishga tushirish'],
  started: ['Started', 'Запущено', 'Ishga tushdi'],
  runs: ['Runs', 'Запуски', 'Ishga tushishlar'],
  deadLetters: ['Dead letters', 'Необработанные события', 'Qayta ishlanmagan hodisalar'],
  retry: ['Retry', 'Повторить', 'Takrorlash'],
  retried: ['Retried', 'Повторено', 'Takrorlandi'],
} as const

const tones: Record<string, Tone> = { done: 'good', failed: 'bad', running: 'info' }

export function Page() {
  const t = useTexts(table)
  const { language } = useSession()
  const ago = useAgo()
  const [open, setOpen] = useState<Job | null>(null)
  const jobs = useData(['jobs'], async (bozor) => (await bozor.jobs.list()).jobs)
  const outcomeOf = (it: Job) => (it.running ? 'running' : it.last_run?.outcome)
  const columns: Column<Job>[] = [
    {
      head: t.name,
      cell: (it) => (
        <>
          <span className="block">{it.name}</span>
          <span className="text-soft line-clamp-1 block text-xs font-normal">{jobText(it, language)}</span>
        </>
      ),
    },
    { head: t.outcome, cell: (it) => <Outcome value={outcomeOf(it)} /> },
    {
      head: t.schedule,
      isWide: true,
      cell: (it) => <code className="font-mono text-xs whitespace-nowrap">{it.cron}</code>,
    },
    {
      head: t.last,
      isWide: true,
      cell: (it) => (
        <span className="text-soft whitespace-nowrap">
          {it.last_run ? ago(it.last_run.started_at) : t.never}
        </span>
      ),
    },
    {
      head: t.next,
      isWide: true,
      cell: (it) => (
        <span className="text-soft whitespace-nowrap">{it.next_due_at && ago(it.next_due_at)}</span>
      ),
    },
  ]
  return (
    <>
      <PageHead title={t.title} text={t.text} />
      <div className="flex flex-col gap-4">
        <DeadLetters />
        <Card isFlush>
          {jobs.error ? (
            <Failure error={jobs.error} onRetry={() => void jobs.refetch()} />
          ) : jobs.data ? (
            <Table
              label={t.title}
              items={jobs.data}
              columns={columns}
              idOf={(it) => it.name}
              onOpen={setOpen}
            />
          ) : (
            <SkeletonRows />
          )}
        </Card>
      </div>
      {open && <JobPanel job={open} onClose={() => setOpen(null)} />}
    </>
  )
}

function Outcome({ value }: { value: string | undefined }) {
  const t = useTexts(table)
  if (value === undefined) return <Badge text={t.never} />
  return <Badge text={t[value as 'done'] ?? value} tone={tones[value] ?? 'neutral'} />
}

function JobPanel({ job, onClose }: { job: Job; onClose(): void }) {
  const t = useTexts(table)
  const { can, language } = useSession()
  const ago = useAgo()
  const runs = useData(
    ['jobs', job.name],
    async (bozor) => (await bozor.jobs.listRuns({ name: job.name })).runs,
  )
  const run = useAction((bozor) => bozor.jobs.run({ name: job.name }), {
    refreshes: ['jobs'],
    done: t.started,
  })
  return (
    <Dialog title={job.name} isOpen onClose={onClose} place="side">
      <div className="flex flex-col gap-4 p-4">
        <p className="text-soft">{jobText(job, language)}</p>
        {can('admin:write') && (
          <div>
            <Button
              look="primary"
              icon="playground"
              isBusy={run.isPending}
              onClick={() => run.mutate(undefined)}
            >
              {t.run}
            </Button>
          </div>
        )}
        <Card title={t.runs} isFlush>
          {!runs.data && <Skeleton className="m-4 h-32" />}
          <ul className="divide-line divide-y">
            {runs.data?.map((it) => (
              <li key={it.started_at} className="flex min-h-11 items-center gap-4 px-4 py-1.5">
                <Outcome value={it.outcome} />
                <span className="text-soft min-w-0 flex-1 break-words">{it.note}</span>
                <span className="text-faint text-xs whitespace-nowrap">{ago(it.started_at)}</span>
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </Dialog>
  )
}

function DeadLetters() {
  const t = useTexts(table)
  const { can } = useSession()
  const found = useData(['deadLetters'], async (bozor) => (await bozor.deadLetters.list()).dead_letters)
  const retry = useAction(
    (bozor, it: { sequence: string; reaction: string }) => bozor.deadLetters.retry(it),
    {
      refreshes: ['deadLetters', 'home'],
      done: t.retried,
    },
  )
  if (!found.data?.length) return null
  return (
    <Card title={t.deadLetters} isFlush>
      <ul className="divide-line divide-y">
        {found.data.map((it) => (
          <li key={`${it.sequence}-${it.reaction}`} className="flex min-h-12 items-center gap-4 px-4 py-2">
            <div className="min-w-0 flex-1">
              <div className="font-medium">
                {it.type} → {it.reaction}
              </div>
              <div className="text-bad text-xs break-words">{it.error}</div>
            </div>
            {can('admin:write') && (
              <Button isSmall onClick={() => retry.mutate({ sequence: it.sequence, reaction: it.reaction })}>
                {t.retry}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
