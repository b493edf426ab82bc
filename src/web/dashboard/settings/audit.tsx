import type { Operations } from '../../../sdk/index.ts'
import { dateTime } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { ListPage } from '../ui/list-page.tsx'
import type { Column } from '../ui/table.tsx'

type Entry = Operations['auditLog.list']['item']

const table = {
  title: ['Audit log', 'Журнал действий', 'Audit jurnali'],
  text: ['Who changed what, and when.', 'Кто, что и когда изменил.', 'Kim, nimani va qachon o‘zgartirgan.'],
  time: ['Time', 'Время', 'Vaqt'],
  actor: ['Who', 'Кто', 'Kim'],
  kind: ['Kind', 'Вид', 'Turi'],
  action: ['What', 'Что', 'Nima'],
  subject: ['Subject', 'Предмет', 'Mavzu'],
  status: ['Reply', 'Ответ', 'Javob'],
  member: ['Member', 'Участник', 'A’zo'],
  application: ['Application', 'Приложение', 'Ilova'],
  client: ['Client', 'Клиент', 'Mijoz'],
  command_line: ['Command line', 'Командная строка', 'Buyruq satri'],
  anonymous: ['Without a credential', 'Без ключа', 'Kalitsiz'],
  none: ['No entries yet', 'Записей пока нет', 'Hali yozuv yo‘q'],
  search: ['Subject, such as order/12', 'Предмет, например order/12', 'Mavzu, masalan order/12'],
} as const

const kinds = ['member', 'application', 'client', 'command_line', 'anonymous'] as const

export function Page() {
  const t = useTexts(table)
  const { language } = useSession()
  const columns: Column<Entry>[] = [
    {
      head: t.time,
      cell: (it) => <span className="figures whitespace-nowrap">{dateTime(it.at, language)}</span>,
    },
    {
      head: t.actor,
      cell: (it) => (
        <>
          <span className="block truncate">{it.actor.name ?? it.actor.id ?? '–'}</span>
          <span className="text-soft block text-xs">{t[it.actor.kind]}</span>
        </>
      ),
    },
    {
      head: t.action,
      isWide: true,
      cell: (it) => (
        <code className="font-mono text-xs">
          <span className="text-soft">{it.method}</span> {it.path}
        </code>
      ),
    },
    {
      head: t.subject,
      isWide: true,
      cell: (it) => <span className="text-soft">{it.events.join(', ') || it.subject}</span>,
    },
    {
      head: t.status,
      isRight: true,
      cell: (it) =>
        it.status !== null && (
          <Badge text={String(it.status)} tone={it.status < 400 ? 'good' : 'bad'} isPlain />
        ),
    },
  ]
  return (
    <ListPage
      title={t.title}
      text={t.text}
      resource="audit"
      icon="audit"
      empty={{ title: t.none }}
      columns={columns}
      searchBy={{ name: 'subject', label: t.search }}
      filters={[{ name: 'actor_kind', label: t.kind, choices: kinds.map((it) => [it, t[it]] as const) }]}
      load={(bozor, query) => bozor.auditLog.list(query)}
      idOf={(it) => it.id}
    />
  )
}
