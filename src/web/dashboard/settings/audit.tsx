import { useState } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { dateTime } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Pairs } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ListPage } from '../ui/list-page.tsx'
import { Path } from '../ui/path.tsx'
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
  what: ['Change', 'Изменение', 'O‘zgarish'],
  field: ['Field', 'Поле', 'Maydon'],
  before: ['Before', 'Было', 'Avval'],
  after: ['After', 'Стало', 'Keyin'],
  notKept: ['not kept', 'не хранится', 'saqlanmaydi'],
  noChanges: [
    'The fields are not recorded for this kind of change.',
    'Для этого вида изменений поля не записываются.',
    'Bu turdagi o‘zgarish uchun maydonlar yozilmaydi.',
  ],
  request: ['Request id', 'Номер запроса', 'So‘rov raqami'],
  events: ['Events', 'События', 'Hodisalar'],
  search: ['Subject, such as order/12', 'Предмет, например order/12', 'Mavzu, masalan order/12'],
} as const

const kinds = ['member', 'application', 'client', 'command_line', 'anonymous'] as const

export function Page() {
  const t = useTexts(table)
  const [open, setOpen] = useState<Entry | null>(null)
  const { language } = useSession()
  const columns: Column<Entry>[] = [
    {
      head: t.time,
      cell: (it) => <span className="figures whitespace-nowrap">{dateTime(it.at, language)}</span>,
    },
    {
      head: t.actor,
      isWide: true,
      cell: (it) => (
        <>
          <span className="block truncate">{it.actor.name ?? it.actor.id ?? '–'}</span>
          <span className="text-soft block text-xs">{t[it.actor.kind]}</span>
        </>
      ),
    },
    {
      head: t.action,
      cell: (it) => (
        <>
          <code className="font-mono text-xs wrap-anywhere">
            <span className="text-soft">{it.method}</span> <Path path={it.path} />
          </code>
          <span className="text-soft block text-xs md:hidden">{it.actor.name ?? it.actor.id ?? '–'}</span>
        </>
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
    <>
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
        onOpen={setOpen}
      />
      {open && <EntryDialog entry={open} onClose={() => setOpen(null)} />}
    </>
  )
}

/** Values are JSON texts; a plain text is shown without its quotes. */
const shown = (value: string): string => (/^"[^"\\]*"$/.test(value) ? value.slice(1, -1) : value)

function EntryDialog({ entry, onClose }: { entry: Entry; onClose(): void }) {
  const t = useTexts(table)
  const { language } = useSession()
  const isDeletion = entry.method === 'DELETE'
  const cell = (value: string | null, none: string) =>
    value === null ? (
      <span className="text-faint">{none}</span>
    ) : (
      <code className="font-mono text-xs break-words">{shown(value)}</code>
    )
  return (
    <Dialog title={`${t.what}: ${entry.subject ?? entry.path}`} isOpen onClose={onClose}>
      <div className="flex flex-col gap-4 p-4">
        <Pairs
          rows={[
            [t.time, dateTime(entry.at, language)],
            [t.actor, `${entry.actor.name ?? entry.actor.id ?? '–'} · ${t[entry.actor.kind]}`],
            [
              t.action,
              <code key="path" className="font-mono text-xs">{`${entry.method} ${entry.path}`}</code>,
            ],
            [t.events, entry.events.join(', ') || null],
            [
              t.request,
              entry.request_id && (
                <code key="id" className="font-mono text-xs">
                  {entry.request_id}
                </code>
              ),
            ],
          ]}
        />
        {entry.changes.length === 0 ? (
          <p className="text-soft">{t.noChanges}</p>
        ) : (
          <table className="w-full table-fixed text-left" aria-label={t.what}>
            <thead>
              <tr className="text-soft text-xs">
                {[t.field, t.before, t.after].map((it) => (
                  <th key={it} scope="col" className="pr-3 pb-1 font-medium">
                    {it}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {entry.changes.map((it) => (
                <tr key={it.field} className="border-line border-t align-top">
                  <th scope="row" className="py-1.5 pr-3 font-normal break-words">
                    {it.field}
                  </th>
                  <td className="text-bad py-1.5 pr-3">
                    {cell(it.before, it.after === null ? t.notKept : '–')}
                  </td>
                  <td className="text-good py-1.5">
                    {cell(it.after, isDeletion ? '–' : it.before === null ? t.notKept : '–')}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Dialog>
  )
}
