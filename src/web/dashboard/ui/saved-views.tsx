// Filters and sorting that a member keeps under a name, in this browser (ADR 0070).

import { useState } from 'react'
import { useSession, useTexts } from '../app/session.tsx'
import { Button } from './button.tsx'
import { FormDialog } from './form.tsx'

const table = {
  views: ['Saved views', 'Сохранённые виды', 'Saqlangan ko‘rinishlar'],
  save: ['Save this view', 'Сохранить вид', 'Ko‘rinishni saqlash'],
  name: ['Name of the view', 'Название вида', 'Ko‘rinish nomi'],
  remove: ['Delete the view', 'Удалить вид', 'Ko‘rinishni o‘chirish'],
  wrong: ['Enter a name.', 'Введите название.', 'Nom kiriting.'],
} as const

type View = Record<string, string>
type Views = Record<string, View>

const maxViews = 30

function storedViews(key: string): Views {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Views
  } catch {
    return {}
  }
}

const isSame = (one: View, other: View): boolean => {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((it) => one[it] === other[it])
}

interface SavedViewsProps {
  resource: string
  /** Filters and sorting as they are now. */
  current: View
  onChoose(view: View): void
}

export function SavedViews({ resource, current, onChoose }: SavedViewsProps) {
  const t = useTexts(table)
  const { member } = useSession()
  const key = `bozor.views.${member.id}.${resource}`
  const [views, setViews] = useState(() => storedViews(key))
  const [isNaming, setIsNaming] = useState(false)
  const keep = (next: Views) => {
    localStorage.setItem(key, JSON.stringify(next))
    setViews(next)
  }
  const names = Object.keys(views)
  const chosen = names.find((it) => isSame(views[it]!, current)) ?? ''
  const isEmpty = Object.keys(current).length === 0
  return (
    <>
      {names.length > 0 && (
        <select
          aria-label={t.views}
          value={chosen}
          onChange={(event) => event.target.value && onChoose(views[event.target.value]!)}
          className="border-strong bg-surface text-ink shadow-raised h-8 max-w-52 rounded-md border px-2"
        >
          <option value="">{t.views}</option>
          {names.map((it) => (
            <option key={it} value={it}>
              {it}
            </option>
          ))}
        </select>
      )}
      {!isEmpty && !chosen && names.length < maxViews && (
        <Button look="ghost" onClick={() => setIsNaming(true)}>
          {t.save}
        </Button>
      )}
      {chosen && (
        <Button
          look="ghost"
          onClick={() => keep(Object.fromEntries(Object.entries(views).filter(([it]) => it !== chosen)))}
        >
          {t.remove}
        </Button>
      )}
      {isNaming && (
        <FormDialog
          title={t.save}
          submit={t.save}
          refreshes={[]}
          fields={[{ name: 'name', label: t.name }]}
          run={async (_bozor, values) => {
            const name = (values['name'] ?? '').trim()
            if (name === '') throw new Error(t.wrong)
            keep({ ...views, [name]: current })
          }}
          onClose={() => setIsNaming(false)}
        />
      )}
    </>
  )
}
