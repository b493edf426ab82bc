// The command palette: pages, products, clients and orders, by keyboard.

import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useDeferredValue, useState } from 'react'
import { useData } from '../app/data.ts'
import { money } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Dialog } from '../ui/dialog.tsx'
import type { IconName } from '../ui/icon-paths.ts'
import { Icon } from '../ui/icons.tsx'
import { labelOf, places } from './places.ts'

const table = {
  search: [
    'Search pages, products, clients, orders',
    'Страницы, товары, клиенты, заказы',
    'Sahifa, mahsulot, mijoz, buyurtma',
  ],
  nothing: ['Nothing found', 'Ничего не найдено', 'Hech narsa topilmadi'],
  order: ['Order', 'Заказ', 'Buyurtma'],
  test: ['Switch to the test environment', 'Перейти в тестовую среду', 'Sinov muhitiga o‘tish'],
  live: ['Switch to the live environment', 'Перейти в боевую среду', 'Jonli muhitga o‘tish'],
} as const

interface Command {
  id: string
  icon: IconName
  label: string
  note?: string
  run(): void
}

const maxFound = 5
const minLength = 2

/** Pages follow the typing at once, so that Enter runs what is shown; searches follow when there is time. */
function useCommands(text: string, onClose: () => void): Command[] {
  const t = useTexts(table)
  const navigate = useNavigate()
  const { can, language, environment, setEnvironment } = useSession()
  const typed = text.trim()
  const query = useDeferredValue(typed)
  const isEnabled = query.length >= minLength
  const go = (to: string) => () => {
    onClose()
    void navigate({ to })
  }
  const products = useData(
    ['products', 'palette', query],
    (bozor) => bozor.products.search({ q: query, per_page: maxFound }),
    { isEnabled },
  )
  const clients = useData(
    ['clients', 'palette', query],
    (bozor) => bozor.clients.list({ q: query, per_page: maxFound }),
    { isEnabled: isEnabled && can('admin:read') },
  )
  const isMatch = (label: string) => label.toLowerCase().includes(typed.toLowerCase())
  const other = environment === 'test' ? 'live' : 'test'
  const switching: Command = {
    id: 'environment',
    icon: 'bolt',
    label: t[other],
    run: () => {
      setEnvironment(other)
      onClose()
    },
  }
  return [
    ...(/^\d+$/.test(typed)
      ? [{ id: 'order', icon: 'orders' as const, label: `${t.order} ${typed}`, run: go(`/orders/${typed}`) }]
      : []),
    ...places
      .filter((it) => (!it.needs || can(it.needs)) && isMatch(labelOf(it, language)))
      .map((it) => ({ id: it.path, icon: it.icon, label: labelOf(it, language), run: go(it.path) })),
    ...(isMatch(switching.label) ? [switching] : []),
    ...(isEnabled ? (products.data?.items ?? []) : []).map((it) => ({
      id: `product-${it.id}`,
      icon: 'products' as const,
      label: it.name,
      ...(it.price && { note: money(it.price, language) }),
      run: go(`/products/${it.id}`),
    })),
    ...(isEnabled ? (clients.data?.items ?? []) : []).map((it) => ({
      id: `client-${it.id}`,
      icon: 'clients' as const,
      label: it.name || it.id,
      ...(it.phone && { note: it.phone }),
      run: go(`/clients/${it.id}`),
    })),
  ]
}

export function Palette({ onClose }: { onClose(): void }) {
  const t = useTexts(table)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const commands = useCommands(text, onClose)
  const chosen = Math.min(at, commands.length - 1)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, commands.length - 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0))
    else if (event.key === 'Enter') commands[chosen]?.run()
    else return
    event.preventDefault()
  }
  return (
    <Dialog title={t.search} isOpen onClose={onClose} place="top" hasNoHead>
      <div className="border-line bg-surface sticky top-0 flex items-center gap-2.5 border-b px-4">
        <Icon name="search" className="text-faint" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls="commands"
          aria-activedescendant={commands[chosen] ? `command-${commands[chosen].id}` : undefined}
          aria-label={t.search}
          placeholder={t.search}
          value={text}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
          }}
          className="placeholder:text-faint h-12 flex-1 bg-transparent text-base outline-none"
        />
      </div>
      <div id="commands" role="listbox" aria-label={t.search} className="p-1.5">
        {commands.map((it, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys are handled by the field above
          <div
            key={it.id}
            id={`command-${it.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={it.run}
            onMouseMove={() => setAt(index)}
            className="aria-selected:bg-hover flex h-9 cursor-pointer items-center gap-3 rounded-md px-2.5"
          >
            <Icon name={it.icon} className="text-soft" />
            <span className="min-w-0 flex-1 truncate">{it.label}</span>
            {it.note && <span className="text-soft figures text-xs">{it.note}</span>}
          </div>
        ))}
        {commands.length === 0 && <p className="text-soft px-3 py-6 text-center">{t.nothing}</p>}
      </div>
    </Dialog>
  )
}
