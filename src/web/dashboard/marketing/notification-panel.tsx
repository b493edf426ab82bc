// One message: its text as it was sent, why it was not, and every attempt to deliver it.

import { useData } from '../app/data.ts'
import { count, dateTime, languageNames } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card, Pairs } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failure, Skeleton } from '../ui/states.tsx'

const table = {
  title: ['Message', 'Сообщение', 'Xabar'],
  to: ['To', 'Кому', 'Kimga'],
  template: ['Template', 'Шаблон', 'Shablon'],
  language: ['Language', 'Язык', 'Til'],
  reason: ['Why not sent', 'Почему не отправлено', 'Nega yuborilmagan'],
  delivered: ['Delivered', 'Доставлено', 'Yetkazilgan'],
  opened: ['Opened', 'Открыто', 'Ochilgan'],
  clicked: ['Link followed', 'Переход по ссылке', 'Havola bosilgan'],
  attempts: ['Attempts', 'Попытки', 'Urinishlar'],
  none: ['None yet', 'Пока нет', 'Hali yo‘q'],
  sent: ['Sent', 'Отправлено', 'Yuborildi'],
  failed: ['Failed', 'Ошибка', 'Xato'],
  refused: ['Refused', 'Отклонено', 'Rad etildi'],
  no_consent: ['No consent', 'Нет согласия', 'Rozilik yo‘q'],
  no_address: ['No address', 'Нет адреса', 'Manzil yo‘q'],
} as const

export function NotificationPanel({ id, onClose }: { id: string; onClose(): void }) {
  const t = useTexts(table)
  const { language } = useSession()
  const found = useData(
    ['notifications', id],
    async (bozor) => (await bozor.notifications.get({ notification_id: id })).notification,
  )
  const it = found.data
  const at = (iso: string | null) => iso && dateTime(iso, language)
  const reasonOf = (code: string) => (code in t ? t[code as keyof typeof t] : code.replaceAll('_', ' '))
  return (
    <Dialog title={it?.content.subject ?? t.title} isOpen onClose={onClose} place="side">
      {found.error && <Failure error={found.error} />}
      {!it && !found.error && <Skeleton className="m-4 h-40" />}
      {it && (
        <div className="flex flex-col gap-4 p-4">
          <Pairs
            rows={[
              [t.to, it.to ?? it.client_id],
              [t.template, `${it.template} · ${it.template_version}`],
              [t.language, languageNames[it.language]],
              ...(it.reason ? [[t.reason, reasonOf(it.reason)] as const] : []),
              [t.delivered, at(it.delivered_at)],
              [t.opened, at(it.opened_at)],
              [t.clicked, at(it.clicked_at)],
            ]}
          />
          <Card>
            <p className="break-words whitespace-pre-line">{it.content.text}</p>
          </Card>
          <Card title={`${t.attempts} · ${count(it.log.length)}`} isFlush>
            {it.log.length === 0 && <p className="text-soft px-4 py-3">{t.none}</p>}
            <ul className="divide-line divide-y">
              {it.log.map((one) => (
                <li key={one.number} className="px-4 py-2.5">
                  <div className="figures flex flex-wrap items-center gap-x-3 gap-y-1">
                    <Badge text={t[one.outcome]} tone={one.outcome === 'sent' ? 'good' : 'bad'} />
                    {one.status !== null && <span>{one.status}</span>}
                    <span className="text-soft ml-auto text-xs">
                      {dateTime(one.at, language)} · {count(one.duration_ms)} ms
                    </span>
                  </div>
                  {(one.error ?? one.reply) && (
                    <p className="text-soft mt-1 text-xs break-words">{one.error ?? one.reply}</p>
                  )}
                </li>
              ))}
            </ul>
          </Card>
        </div>
      )}
    </Dialog>
  )
}
