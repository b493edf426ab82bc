// Short messages at the edge of the window, with an undo where a change can be undone.

import { createContext, type ReactNode, use, useCallback, useState } from 'react'
import { Icon } from './icons.tsx'

interface Toast {
  text: string
  tone?: 'good' | 'bad'
  undo?: { label: string; run(): void }
}

const ToastContext = createContext<(toast: Toast) => void>(() => {})

export const useToast = () => use(ToastContext)

const visibleMs = 5_000
const maxToasts = 3

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<(Toast & { id: number })[]>([])
  const close = useCallback((id: number) => setToasts((all) => all.filter((it) => it.id !== id)), [])
  const show = useCallback(
    (toast: Toast) => {
      const id = performance.now()
      setToasts((all) => [...all.slice(1 - maxToasts), { ...toast, id }])
      setTimeout(() => close(id), visibleMs)
    },
    [close],
  )
  return (
    <ToastContext value={show}>
      {children}
      <div
        aria-live="polite"
        className="no-print fixed right-4 bottom-4 left-4 z-50 flex flex-col items-end gap-2"
      >
        {toasts.map((it) => (
          <div
            key={it.id}
            className="bg-surface shadow-float rise flex max-w-md items-center gap-3 rounded-lg px-4 py-2.5"
          >
            <Icon
              name={it.tone === 'bad' ? 'warning' : 'check'}
              className={it.tone === 'bad' ? 'text-bad' : 'text-good'}
            />
            <span className="min-w-0 flex-1 break-words">{it.text}</span>
            {it.undo && (
              <button
                type="button"
                className="text-accent font-medium"
                onClick={() => {
                  it.undo?.run()
                  close(it.id)
                }}
              >
                {it.undo.label}
              </button>
            )}
          </div>
        ))}
      </div>
    </ToastContext>
  )
}
