// The health of the platform: parts, queues, jobs, versions, the last backup and external services.

import { Link } from '@tanstack/react-router'
import type { Operations } from '../../../sdk/index.ts'
import { usePlatformAgo } from '../app/clock.ts'
import { useData } from '../app/data.ts'
import { count } from '../app/language.ts'
import { useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card, PageHead, Pairs } from '../ui/card.tsx'
import { Failure, Skeleton } from '../ui/states.tsx'

type Health = Operations['health.get']['reply']

const table = {
  title: ['Health', 'Состояние', 'Holat'],
  ready: ['Ready', 'Готово', 'Tayyor'],
  notReady: ['Not ready', 'Не готово', 'Tayyor emas'],
  parts: ['Parts', 'Части', 'Qismlar'],
  database: ['Database', 'База данных', 'Ma’lumotlar bazasi'],
  migrations: ['Migrations', 'Миграции', 'Migratsiyalar'],
  product_index: ['Product index', 'Индекс товаров', 'Mahsulotlar indeksi'],
  models: ['Models', 'Модели', 'Modellar'],
  fine: ['fine', 'в порядке', 'joyida'],
  broken: ['not working', 'не работает', 'ishlamayapti'],
  queues: ['Queues', 'Очереди', 'Navbatlar'],
  event: ['Events', 'События', 'Hodisalar'],
  payment: ['Payments', 'Платежи', 'To‘lovlar'],
  webhook: ['Webhooks', 'Вебхуки', 'Vebhuklar'],
  notification: ['Notifications', 'Уведомления', 'Xabarnomalar'],
  dead: ['Events that failed', 'Необработанные события', 'Bajarilmagan hodisalar'],
  jobs: ['Jobs', 'Задания', 'Vazifalar'],
  failed: ['failed', 'с ошибкой', 'xato bilan'],
  versions: ['Versions', 'Версии', 'Versiyalar'],
  backup: ['Last backup', 'Последняя копия', 'Oxirgi nusxa'],
  noBackup: [
    'None is known. Make one with: npm run bozor -- backup FOLDER',
    'Неизвестна. Создайте: npm run bozor -- backup FOLDER',
    'Ma’lum emas. Yarating: npm run bozor -- backup FOLDER',
  ],
  services: ['Payment gateway, mail, SMS', 'Платёжный шлюз, почта, SMS', 'To‘lov shlyuzi, pochta, SMS'],
  servicesText: [
    'Set by variables of the server, because they hold secrets.',
    'Задаются переменными сервера, потому что содержат секреты.',
    'Server o‘zgaruvchilari bilan beriladi, chunki ularda sirlar bor.',
  ],
  payments: ['Card payments', 'Оплата картой', 'Karta to‘lovlari'],
  email: ['Mail', 'Почта', 'Pochta'],
  sms: ['SMS', 'SMS', 'SMS'],
  push: ['Push', 'Push', 'Push'],
  pictures: ['Pictures', 'Картинки', 'Rasmlar'],
  configured: ['Configured', 'Настроено', 'Sozlangan'],
  stored: ['Stored here', 'Хранится здесь', 'Shu yerda saqlanadi'],
  testBank: ['Test bank', 'Тестовый банк', 'Sinov banki'],
  notSent: ['Kept here, not sent', 'Хранится здесь, не отправляется', 'Shu yerda saqlanadi, yuborilmaydi'],
  off: ['Off', 'Выключено', 'O‘chirilgan'],
} as const

const refreshMs = 10_000

export function Page() {
  const t = useTexts(table)
  const found = useData(['health'], (bozor) => bozor.health.get(), { refreshMs })
  if (found.error) return <Failure error={found.error} onRetry={() => void found.refetch()} />
  const health = found.data
  return (
    <>
      <PageHead
        title={t.title}
        badge={
          health && (
            <Badge text={health.is_ready ? t.ready : t.notReady} tone={health.is_ready ? 'good' : 'bad'} />
          )
        }
      />
      {health ? (
        <div className="grid gap-4 md:grid-cols-2">
          <Parts health={health} />
          <Queues health={health} />
          <Services health={health} />
          <Versions health={health} />
        </div>
      ) : (
        <Skeleton className="h-80 w-full" />
      )}
    </>
  )
}

/** A name that the platform reports, in words if they are known here. */
const named = (t: Record<string, string>, name: string): string => t[name] ?? name.replaceAll('_', ' ')

function Parts({ health }: { health: Health }) {
  const t = useTexts(table)
  return (
    <Card title={t.parts}>
      <Pairs
        rows={[...health.checks, ...health.dependencies].map((it) => [
          named(t, it.name),
          <Badge key={it.name} text={it.is_ok ? t.fine : t.broken} tone={it.is_ok ? 'good' : 'bad'} />,
        ])}
      />
    </Card>
  )
}

function Queues({ health: { queues, dead_letters: dead, jobs } }: { health: Health }) {
  const t = useTexts(table)
  return (
    <Card title={t.queues}>
      <Pairs
        rows={[
          ...queues.map((it) => [named(t, it.name), <span key={it.name}>{count(it.waiting)}</span>] as const),
          [
            t.dead,
            <span key="dead" className={dead > 0 ? 'text-bad font-medium' : ''}>
              {count(dead)}
            </span>,
          ],
          [
            t.jobs,
            <Link key="jobs" to="/jobs" className="text-accent hover:underline">
              {count(jobs.total)}
              {jobs.failed.length > 0 && `, ${t.failed}: ${jobs.failed.join(', ')}`}
            </Link>,
          ],
        ]}
      />
    </Card>
  )
}

const tones = { configured: 'good', stored: 'info', off: 'neutral' } as const

/** What happens without an external service. */
const storedAs = {
  payments: 'testBank',
  email: 'notSent',
  sms: 'notSent',
  push: 'notSent',
  pictures: 'stored',
} as const

function Services({ health: { services } }: { health: Health }) {
  const t = useTexts(table)
  return (
    <Card title={t.services} isFlush>
      <p className="text-soft px-4 pt-3">{t.servicesText}</p>
      <ul className="divide-line divide-y">
        {services.map((it) => (
          <li key={it.name} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
            <span className="min-w-28 flex-1 font-medium">{t[it.name]}</span>
            {it.server && <span className="text-soft">{it.server}</span>}
            <Badge text={it.state === 'stored' ? t[storedAs[it.name]] : t[it.state]} tone={tones[it.state]} />
            <code className="text-soft w-full font-mono text-xs break-words">{it.variables.join(' ')}</code>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Versions({ health: { versions, last_backup: backup } }: { health: Health }) {
  const t = useTexts(table)
  const ago = usePlatformAgo()
  return (
    <Card title={t.versions}>
      <Pairs
        rows={[
          ['Bozor', versions.bozor],
          ['Node.js', versions.node],
          ['PostgreSQL', versions.postgresql],
          [t.backup, backup ? ago(backup.created_at) : <span className="text-warn">{t.noBackup}</span>],
        ]}
      />
    </Card>
  )
}
