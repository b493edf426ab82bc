// Carts of all buyers: which were left, and what they are worth.

import type { Operations } from '../../../sdk/index.ts'
import { useAgo } from '../app/clock.ts'
import { count, money } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { ListPage } from '../ui/list-page.tsx'
import type { Column } from '../ui/table.tsx'

type Cart = Operations['carts.list']['item']

const table = {
  title: ['Carts', 'Корзины', 'Savatlar'],
  text: [
    'What buyers have put aside and not ordered yet, at the prices of that moment.',
    'Что покупатели отложили и ещё не заказали, по ценам того момента.',
    'Xaridorlar solib, hali buyurtma qilmagan narsalar, o‘sha paytdagi narxda.',
  ],
  none: ['No carts', 'Корзин нет', 'Savat yo‘q'],
  buyer: ['Buyer', 'Покупатель', 'Xaridor'],
  client: ['Client', 'Клиент', 'Mijoz'],
  guest: ['Guest', 'Гость', 'Mehmon'],
  units: ['Units', 'Штук', 'Dona'],
  value: ['Value', 'Стоимость', 'Qiymati'],
  changed: ['Changed', 'Изменена', 'O‘zgargan'],
  left: ['Unchanged for', 'Без изменений', 'O‘zgarmagan'],
  hour: ['1 hour', '1 час', '1 soat'],
  day: ['1 day', '1 день', '1 kun'],
  days: ['3 days', '3 дня', '3 kun'],
  week: ['1 week', '1 неделя', '1 hafta'],
} as const

export function Page() {
  const t = useTexts(table)
  const { language } = useSession()
  const ago = useAgo()
  const columns: Column<Cart>[] = [
    {
      head: t.buyer,
      cell: (it) =>
        it.client_id ? (
          `${t.client} ${it.client_id}`
        ) : (
          <span className="flex items-center gap-2">
            <Badge text={t.guest} isPlain />
            <span className="text-soft font-mono text-xs">{it.guest?.slice(-8)}</span>
          </span>
        ),
    },
    { head: t.units, isRight: true, isWide: true, cell: (it) => count(it.units) },
    {
      head: t.changed,
      cell: (it) => <span className="text-soft whitespace-nowrap">{ago(it.updated_at)}</span>,
    },
    {
      head: t.value,
      isRight: true,
      cell: (it) => <span className="whitespace-nowrap">{money(it.value, language)}</span>,
    },
  ]
  return (
    <ListPage
      title={t.title}
      text={t.text}
      resource="carts"
      icon="carts"
      empty={{ title: t.none }}
      columns={columns}
      filters={[
        {
          name: 'unchanged_hours',
          label: t.left,
          choices: [
            ['1', t.hour],
            ['24', t.day],
            ['72', t.days],
            ['168', t.week],
          ],
        },
        {
          name: 'buyer',
          label: t.buyer,
          choices: [
            ['client', t.client],
            ['guest', t.guest],
          ],
        },
      ]}
      load={(bozor, query) => bozor.carts.list({ sort: '-updated_at', ...query })}
      idOf={(it) => it.id}
      to={(it) => (it.client_id ? `/clients/${it.client_id}` : undefined)}
    />
  )
}
