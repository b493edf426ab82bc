// What an operator should look at: queues, unpaid orders, failures.

import { Link } from '@tanstack/react-router'
import type { Bozor } from '../../../sdk/index.ts'
import { useData } from '../app/data.ts'
import { count } from '../app/language.ts'
import type { Scope } from '../app/scope.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Card } from '../ui/card.tsx'
import type { IconName } from '../ui/icon-paths.ts'
import { Icon } from '../ui/icons.tsx'
import { Empty, Skeleton } from '../ui/states.tsx'

const table = {
  title: ['Needs attention', 'Требует внимания', 'E’tibor talab qiladi'],
  calm: ['All clear', 'Всё в порядке', 'Hammasi joyida'],
  calmText: ['No queue waits and nothing has failed.', 'Очередей и сбоев нет.', 'Navbat ham, xato ham yo‘q.'],
  moderation: ['Offers to moderate', 'Предложения на модерации', 'Moderatsiyadagi takliflar'],
  lowStock: ['Offers low in stock', 'Мало на складе', 'Qoldig‘i kam takliflar'],
  unpaid: ['Orders awaiting payment', 'Заказы ждут оплаты', 'To‘lov kutayotgan buyurtmalar'],
  unfulfilled: ['Confirmed orders to fulfil', 'Подтверждённые заказы к сборке', 'Yig‘iladigan buyurtmalar'],
  webhooks: ['Failing webhooks', 'Вебхуки с ошибками', 'Ishlamayotgan vebhuklar'],
  jobs: ['Failed jobs', 'Задания с ошибками', 'Xato tugagan vazifalar'],
  deadLetters: ['Dead letters', 'Необработанные события', 'Qayta ishlanmagan hodisalar'],
  notifications: ['Undeliverable notifications', 'Недоставленные уведомления', 'Yetkazilmagan xabarnomalar'],
} as const

interface Concern {
  key: Exclude<keyof typeof table, 'title' | 'calm' | 'calmText'>
  icon: IconName
  to: string
  search?: Record<string, string>
  needs: Scope
  isFailure?: true
  load(bozor: Bozor): Promise<number>
}

const totalOf = ({ pagination }: { pagination: { total: number | null; total_at_least?: number } }): number =>
  pagination.total ?? pagination.total_at_least ?? 0

const concerns: Concern[] = [
  {
    key: 'moderation',
    icon: 'moderation',
    to: '/moderation',
    needs: 'catalog:write',
    load: async (bozor) => totalOf(await bozor.moderatedOffers.list({ status: 'pending', per_page: 1 })),
  },
  {
    key: 'unpaid',
    icon: 'card',
    to: '/orders',
    search: { status: 'awaiting_payment' },
    needs: 'orders:read',
    load: async (bozor) => totalOf(await bozor.orders.list({ status: 'awaiting_payment', per_page: 1 })),
  },
  {
    key: 'unfulfilled',
    icon: 'truck',
    to: '/orders',
    search: { status: 'confirmed', fulfilment_status: 'unfulfilled' },
    needs: 'orders:read',
    load: async (bozor) =>
      totalOf(
        await bozor.orders.list({ status: 'confirmed', fulfilment_status: 'unfulfilled', per_page: 1 }),
      ),
  },
  {
    key: 'lowStock',
    icon: 'offers',
    to: '/offers',
    search: { low_stock: 'true', is_visible: 'true' },
    needs: 'catalog:write',
    load: async (bozor) =>
      totalOf(await bozor.offers.list({ low_stock: true, is_visible: true, per_page: 1 })),
  },
  {
    key: 'webhooks',
    icon: 'webhooks',
    to: '/webhooks',
    needs: 'admin:write',
    isFailure: true,
    load: async (bozor) =>
      (await bozor.webhooks.list({ per_page: 100 })).items.filter(
        (it) => it.failing_since || it.disabled_reason,
      ).length,
  },
  {
    key: 'notifications',
    icon: 'mail',
    to: '/notifications',
    search: { status: 'dead' },
    needs: 'marketing:read',
    isFailure: true,
    load: async (bozor) => totalOf(await bozor.notifications.list({ status: 'dead', per_page: 1 })),
  },
  {
    key: 'jobs',
    icon: 'jobs',
    to: '/jobs',
    needs: 'admin:read',
    isFailure: true,
    load: async (bozor) =>
      (await bozor.jobs.list()).jobs.filter((it) => it.last_run?.outcome === 'failed').length,
  },
  {
    key: 'deadLetters',
    icon: 'warning',
    to: '/jobs',
    needs: 'admin:read',
    isFailure: true,
    load: async (bozor) => (await bozor.deadLetters.list()).dead_letters.length,
  },
]

export function Attention() {
  const t = useTexts(table)
  const { can } = useSession()
  const visible = concerns.filter((it) => can(it.needs))
  const found = useData(['home', 'attention'], async (bozor) =>
    Promise.all(visible.map(async ({ load, ...it }) => ({ ...it, count: await load(bozor).catch(() => 0) }))),
  )
  if (!found.data) return <Skeleton className="h-48" />
  const open = found.data.filter((it) => it.count > 0)
  return (
    <Card title={t.title} isFlush>
      {open.length === 0 ? (
        <Empty icon="check" title={t.calm} text={t.calmText} />
      ) : (
        <ul className="divide-line divide-y">
          {open.map((it) => (
            <li key={it.key}>
              <Link
                to={it.to}
                search={(it.search ?? {}) as never}
                className="hover:bg-hover flex h-11 items-center gap-3 px-4"
              >
                <Icon name={it.icon} className={it.isFailure ? 'text-bad' : 'text-warn'} />
                <span className="min-w-0 flex-1 truncate">{t[it.key]}</span>
                <span className="figures font-semibold">{count(it.count)}</span>
                <Icon name="right" size={12} className="text-faint" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
