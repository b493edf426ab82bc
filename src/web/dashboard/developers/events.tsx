// Events as they happen, newest first.

import { useEffect, useState } from 'react'
import type { Event } from '../../../sdk/index.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Empty, SkeletonRows } from '../ui/states.tsx'
import { Code } from './webhook.tsx'

const table = {
  title: ['Live events', 'События', 'Hodisalar'],
  text: [
    'Everything that happens in this environment, as it happens.',
    'Всё, что происходит в этой среде, сразу.',
    'Shu muhitda bo‘layotgan hamma narsa, darhol.',
  ],
  live: ['Following', 'В эфире', 'Kuzatilmoqda'],
  paused: ['Paused', 'Пауза', 'To‘xtatilgan'],
  pause: ['Pause', 'Пауза', 'To‘xtatish'],
  resume: ['Resume', 'Продолжить', 'Davom etish'],
  filter: [
    'Filter by type, such as Order*',
    'Фильтр по типу, например Order*',
    'Turi bo‘yicha filtr, masalan Order*',
  ],
  none: ['Nothing has happened yet', 'Пока ничего не произошло', 'Hali hech narsa bo‘lmadi'],
  noneText: [
    'Place an order or change a price and watch it appear.',
    'Оформите заказ или измените цену, и событие появится.',
    'Buyurtma bering yoki narxni o‘zgartiring — hodisa chiqadi.',
  ],
} as const

const maxEvents = 500
const firstEvents = 50

function useEvents(type: string, isPaused: boolean): Event[] | undefined {
  const { bozor } = useSession()
  const [events, setEvents] = useState<Event[]>()
  useEffect(() => {
    if (isPaused) return
    const stopping = new AbortController()
    const filter = type ? { type } : {}
    const follow = async () => {
      const { items } = await bozor.events.list({ ...filter, sort: '-position', per_page: firstEvents })
      if (stopping.signal.aborted) return
      setEvents(items)
      const lastEventId = items[0]?.id
      for await (const event of bozor.events.stream({
        ...filter,
        signal: stopping.signal,
        ...(lastEventId && { lastEventId }),
      }))
        setEvents((all = []) => [event, ...all.filter((it) => it.id !== event.id)].slice(0, maxEvents))
    }
    // A wrong filter leaves the list empty; a lost connection is shown by the frame.
    follow().catch(() => setEvents((all) => all ?? []))
    return () => stopping.abort()
  }, [bozor, type, isPaused])
  return events
}

export function Page() {
  const t = useTexts(table)
  const [type, setType] = useState('')
  const [isPaused, setIsPaused] = useState(false)
  const [open, setOpen] = useState<Event | null>(null)
  const events = useEvents(type.trim(), isPaused)
  return (
    <>
      <PageHead
        title={t.title}
        text={t.text}
        badge={<Badge text={isPaused ? t.paused : t.live} tone={isPaused ? 'neutral' : 'good'} />}
      >
        <Button onClick={() => setIsPaused(!isPaused)}>{isPaused ? t.resume : t.pause}</Button>
      </PageHead>
      <input
        type="search"
        aria-label={t.filter}
        placeholder={t.filter}
        value={type}
        onChange={(event) => setType(event.target.value)}
        className="border-strong bg-surface placeholder:text-faint shadow-raised mb-3 h-8 w-full max-w-80 rounded-md border px-2.5"
      />
      <Card isFlush>
        {!events ? (
          <SkeletonRows />
        ) : events.length === 0 ? (
          <Empty icon="events" title={t.none} text={t.noneText} />
        ) : (
          <ul className="divide-line divide-y">
            {events.map((it) => (
              <li key={it.id}>
                <button
                  type="button"
                  onClick={() => setOpen(it)}
                  className="hover:bg-hover flex h-9 w-full items-center gap-4 px-4 text-left"
                >
                  <time className="text-faint figures w-20 shrink-0 font-mono text-xs" dateTime={it.time}>
                    {new Date(it.time).toLocaleTimeString('en-GB')}
                  </time>
                  <span className="truncate font-medium">{it.type}</span>
                  <span className="text-soft min-w-0 flex-1 truncate font-mono text-xs">{it.subject}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </Card>
      {open && (
        <Dialog title={open.type} isOpen onClose={() => setOpen(null)} place="side">
          <div className="p-4">
            <Code text={JSON.stringify(open, null, 2)} />
          </div>
        </Dialog>
      )}
    </>
  )
}
