// Recent calls of applications: request, reply and duration.

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { useData } from '../app/data.ts'
import { count, dateTime, fillIn } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Pairs } from '../ui/card.tsx'
import { CopyText } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Path } from '../ui/path.tsx'
import { ListPage } from '../ui/list-page.tsx'
import { Failure, Skeleton } from '../ui/states.tsx'
import type { Column } from '../ui/table.tsx'
import { requestLogTexts as texts } from './request-log-texts.ts'
import { Code, pretty } from './webhook.tsx'

type Call = Operations['requestLog.list']['item']

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const toneOf = (status: number): Tone => (status < 400 ? 'good' : status < 500 ? 'warn' : 'bad')

function useColumns(): Column<Call>[] {
  const t = useTexts(texts)
  const { language } = useSession()
  return [
    {
      head: t.reply,
      width: '5rem',
      cell: (it) => <Badge text={String(it.status)} tone={toneOf(it.status)} isPlain />,
    },
    {
      head: t.call,
      cell: (it) => (
        <>
          <code className="block font-mono text-xs wrap-anywhere">
            <span className="text-soft">{it.method}</span> <Path path={it.path} />
          </code>
          {it.error_code && <span className="text-soft block text-xs">{it.error_code}</span>}
        </>
      ),
    },
    {
      head: t.caller,
      isWide: true,
      cell: (it) => (
        <span className="block max-w-48 truncate">
          {it.application?.name ?? it.credential ?? <span className="text-soft">{t.noCredential}</span>}
        </span>
      ),
    },
    { head: t.duration, isRight: true, isWide: true, cell: (it) => `${count(it.milliseconds)} ${t.ms}` },
    {
      head: t.time,
      isRight: true,
      cell: (it) => (
        <span className="text-soft whitespace-nowrap">
          <span className="max-md:hidden">{dateTime(it.at, language)}</span>
          <span className="md:hidden">{new Date(it.at).toLocaleTimeString('en-GB')}</span>
        </span>
      ),
    },
  ]
}

export function Page() {
  const t = useTexts(texts)
  const [open, setOpen] = useState<Call | null>(null)
  return (
    <>
      <ListPage
        title={t.title}
        text={t.text}
        resource="requestLog"
        icon="requests"
        empty={{ title: t.none, text: t.noneText }}
        columns={useColumns()}
        searchBy={{ name: 'q', label: t.search }}
        filters={[
          {
            name: 'status',
            label: t.reply,
            choices: [
              ['failed', t.failed],
              ['2xx', t.served],
              ['4xx', t.refused],
              ['5xx', t.broken],
            ],
          },
          { name: 'method', label: t.method, choices: methods.map((it) => [it, it] as const) },
        ]}
        refreshMs={refreshMs}
        load={(bozor, query) => bozor.requestLog.list(query)}
        idOf={(it) => it.id}
        onOpen={setOpen}
      />
      {open && <CallPanel call={open} onClose={() => setOpen(null)} />}
    </>
  )
}

const refreshMs = 5_000

function CallPanel({ call, onClose }: { call: Call; onClose(): void }) {
  const t = useTexts(texts)
  const { language } = useSession()
  const found = useData(
    ['requestLog', call.id],
    async (bozor) => (await bozor.requestLog.get({ call_id: call.id })).call,
  )
  const application = call.application && (
    <Link to={`/applications/${call.application.client_id}`} className="text-accent">
      {call.application.name ?? call.application.client_id}
    </Link>
  )
  return (
    <Dialog title={`${call.method} ${call.route ?? call.path}`} isOpen onClose={onClose} place="side">
      <div className="flex flex-col gap-4 p-4">
        <Pairs
          rows={[
            [t.reply, <Badge key="status" text={String(call.status)} tone={toneOf(call.status)} isPlain />],
            [
              t.path,
              <code key="path" className="font-mono text-xs break-all">
                {call.path}
              </code>,
            ],
            [t.error, call.error_code],
            [t.time, dateTime(call.at, language)],
            [t.duration, `${count(call.milliseconds)} ${t.ms}`],
            [t.application, application],
            [t.key, call.credential ?? t.noCredential],
            [t.agent, call.user_agent],
          ]}
        />
        <section>
          <h3 className="mb-2 font-medium">{t.requestId}</h3>
          <CopyText value={call.request_id} label={t.requestId} />
        </section>
        {call.skipped > 0 && (
          <p className="text-soft text-xs">{fillIn(t.skipped, { count: count(call.skipped) })}</p>
        )}
        {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
        {!found.data && !found.error && <Skeleton className="h-40" />}
        {found.data && call.status < 400 && <p className="text-soft">{t.noBodies}</p>}
        {found.data?.request_body && <Body title={t.request} text={found.data.request_body} />}
        {found.data?.reply_body && <Body title={t.answer} text={found.data.reply_body} />}
      </div>
    </Dialog>
  )
}

const Body = ({ title, text }: { title: string; text: string }) => (
  <section>
    <h3 className="mb-2 font-medium">{title}</h3>
    <Code text={pretty(text)} />
  </section>
)
