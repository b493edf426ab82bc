// The log of messages; a row opens what was sent and each attempt to deliver it.

import { useState } from 'react'
import type { Notification } from '../../../sdk/index.ts'
import { useAgo } from '../app/clock.ts'
import { useAction } from '../app/data.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ListPage } from '../ui/list-page.tsx'
import type { Column } from '../ui/table.tsx'
import { NotificationPanel } from './notification-panel.tsx'
import { channels } from './texts.ts'

const table = {
  title: ['Notifications', 'Уведомления', 'Xabarnomalar'],
  text: [
    'Every message to a buyer, with what became of it.',
    'Каждое сообщение покупателю и его судьба.',
    'Xaridorga har bir xabar va uning natijasi.',
  ],
  to: ['To', 'Кому', 'Kimga'],
  template: ['Template', 'Шаблон', 'Shablon'],
  channel: ['Channel', 'Канал', 'Kanal'],
  status: ['Status', 'Статус', 'Holat'],
  created: ['Created', 'Создано', 'Yaratilgan'],
  email: ['E-mail', 'Почта', 'Pochta'],
  sms: ['SMS', 'SMS', 'SMS'],
  push: ['Push', 'Push', 'Push'],
  queued: ['Queued', 'В очереди', 'Navbatda'],
  sending: ['Sending', 'Отправляется', 'Yuborilmoqda'],
  retrying: ['Retrying', 'Повтор', 'Takrorlanmoqda'],
  held: ['Held', 'Задержано', 'Ushlab turilgan'],
  sent: ['Sent', 'Отправлено', 'Yuborildi'],
  dead: ['Undeliverable', 'Не доставлено', 'Yetkazilmadi'],
  suppressed: ['Suppressed', 'Не отправлялось', 'To‘xtatilgan'],
  cancelled: ['Cancelled', 'Отменено', 'Bekor qilingan'],
  retry: ['Retry', 'Повторить', 'Takrorlash'],
  retried: ['It is sent again', 'Отправляется снова', 'Qayta yuborilmoqda'],
  none: ['No notifications yet', 'Уведомлений пока нет', 'Hali xabarnoma yo‘q'],
} as const

const tones: Record<Notification['status'], Tone> = {
  queued: 'info',
  sending: 'info',
  retrying: 'warn',
  held: 'warn',
  sent: 'good',
  dead: 'bad',
  suppressed: 'neutral',
  cancelled: 'neutral',
}
const statuses = Object.keys(tones) as Notification['status'][]

export function Page() {
  const t = useTexts(table)
  const { can } = useSession()
  const ago = useAgo()
  const [open, setOpen] = useState<Notification | null>(null)
  const retry = useAction((bozor, id: string) => bozor.notifications.retry({ notification_id: id }), {
    refreshes: ['notifications', 'home'],
    done: t.retried,
  })
  const columns: Column<Notification>[] = [
    { head: t.to, cell: (it) => <span className="break-all">{it.to ?? it.client_id ?? '–'}</span> },
    {
      head: t.status,
      cell: (it) => (
        <span className="flex flex-wrap items-center gap-2">
          <Badge text={t[it.status]} tone={tones[it.status]} />
          {it.status === 'dead' && can('marketing:write') && (
            <Button
              isSmall
              onClick={(event) => {
                event.stopPropagation()
                retry.mutate(it.id)
              }}
            >
              {t.retry}
            </Button>
          )}
        </span>
      ),
    },
    { head: t.template, isWide: true, cell: (it) => it.template },
    { head: t.channel, isWide: true, cell: (it) => t[it.channel] },
    {
      head: t.created,
      isWide: true,
      cell: (it) => <span className="text-soft whitespace-nowrap">{ago(it.created_at)}</span>,
    },
  ]
  return (
    <>
      <ListPage
        title={t.title}
        text={t.text}
        resource="notifications"
        icon="mail"
        empty={{ title: t.none }}
        columns={columns}
        filters={[
          { name: 'status', label: t.status, choices: statuses.map((it) => [it, t[it]] as const) },
          { name: 'channel', label: t.channel, choices: channels.map((it) => [it, t[it]] as const) },
        ]}
        load={(bozor, query) => bozor.notifications.list({ sort: '-created_at', ...query })}
        idOf={(it) => it.id}
        onOpen={setOpen}
      />
      {open && <NotificationPanel id={open.id} onClose={() => setOpen(null)} />}
    </>
  )
}
