// The steps from demo data to a real shop, shown until all of them are done.

import { Link } from '@tanstack/react-router'
import { useData } from '../app/data.ts'
import { useTexts } from '../app/session.tsx'
import { Card } from '../ui/card.tsx'
import { Icon } from '../ui/icons.tsx'

const table = {
  title: ['Set up your shop', 'Настройка магазина', 'Do‘konni sozlash'],
  application: [
    'Register an application and copy its key',
    'Зарегистрируйте приложение и скопируйте ключ',
    'Ilova yarating va kalitini nusxalang',
  ],
  order: ['Place a test order', 'Оформите тестовый заказ', 'Sinov buyurtmasini bering'],
  webhook: ['Receive events with a webhook', 'Получайте события вебхуком', 'Hodisalarni vebhuk bilan oling'],
  member: ['Invite a colleague', 'Пригласите коллегу', 'Hamkasbni taklif qiling'],
  done: ['done', 'готово', 'bajarildi'],
} as const

/** The application that the first start creates. */
const madeByStart = 'First start'

export function Checklist() {
  const t = useTexts(table)
  const state = useData(['home', 'checklist'], async (bozor) => {
    const [applications, orders, webhooks, members] = await Promise.all([
      bozor.applications.list({ per_page: 5 }),
      bozor.orders.list({ per_page: 1 }),
      bozor.webhooks.list({ per_page: 1 }),
      bozor.members.list({ per_page: 2 }),
    ])
    return {
      application: applications.items.some((it) => it.name !== madeByStart),
      order: orders.items.length > 0,
      webhook: webhooks.items.length > 0,
      member: members.items.length > 1,
    }
  })
  if (!state.data || Object.values(state.data).every(Boolean)) return null
  const steps = [
    ['application', '/applications'],
    ['order', '/orders'],
    ['webhook', '/webhooks'],
    ['member', '/members'],
  ] as const
  return (
    <Card title={t.title} isFlush>
      <ol className="p-2">
        {steps.map(([key, to]) => {
          const isDone = state.data[key]
          return (
            <li key={key}>
              <Link
                to={to}
                className={`hover:bg-hover flex items-center gap-3 rounded-md px-2 py-2 ${isDone ? 'text-soft' : ''}`}
              >
                <span
                  className={`grid size-5 shrink-0 place-items-center rounded-full border ${isDone ? 'border-good bg-good-soft text-good' : 'border-strong'}`}
                >
                  {isDone && <Icon name="check" size={12} />}
                </span>
                <span>
                  {t[key]}
                  {isDone && <span className="sr-only"> ({t.done})</span>}
                </span>
              </Link>
            </li>
          )
        })}
      </ol>
    </Card>
  )
}
