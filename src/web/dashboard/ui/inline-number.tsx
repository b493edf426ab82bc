// A figure in a table that is edited in place: a click or Enter opens it, Enter saves, Escape leaves it as it was.

import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { useTexts } from '../app/session.tsx'

const table = { change: ['change', 'изменить', 'o‘zgartirish'] } as const

interface InlineNumberProps {
  label: string
  value: number
  /** The figure as it is shown. */
  children: ReactNode
  onSave(value: number): void
}

export function InlineNumber({ label, value, children, onSave }: InlineNumberProps) {
  const t = useTexts(table)
  const [typed, setTyped] = useState<string | null>(null)
  if (typed === null)
    return (
      <button
        type="button"
        className="hover:border-strong rounded border border-transparent px-1.5 py-0.5 whitespace-nowrap"
        onClick={(event) => {
          event.stopPropagation()
          setTyped(String(value))
        }}
      >
        <span className="sr-only">{label}: </span>
        {children}
        <span className="sr-only">, {t.change}</span>
      </button>
    )
  const finish = () => {
    const next = Number(typed.replace(/\s/g, '').replace(',', '.'))
    if (typed.trim() !== '' && Number.isFinite(next) && next !== value) onSave(next)
    setTyped(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Enter') finish()
    if (event.key === 'Escape') setTyped(null)
  }
  return (
    <input
      aria-label={label}
      inputMode="decimal"
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the member has just opened this field
      autoFocus
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={onKeyDown}
      onBlur={finish}
      className="border-accent bg-surface figures h-7 w-28 rounded border px-1.5 text-right"
    />
  )
}
