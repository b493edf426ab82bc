// A modal window. The browser's own dialog keeps the focus inside, closes on Escape and returns the focus.

import { type ReactNode, useEffect, useRef } from 'react'
import { useTexts } from '../app/session.tsx'
import { IconButton } from './button.tsx'

const table = { close: ['Close', 'Закрыть', 'Yopish'] } as const

export interface DialogProps {
  title: string
  isOpen: boolean
  onClose(): void
  children: ReactNode
  /** `side` is a panel at the right edge. */
  place?: 'centre' | 'side' | 'top'
  hasNoHead?: boolean
}

const firstField = 'input:not([type=radio], [type=checkbox]), textarea, select'

const places = {
  centre: 'm-auto w-[min(34rem,calc(100vw-2rem))] max-h-[85dvh] rounded-xl',
  side: 'ml-auto mr-0 my-0 h-dvh max-h-none w-[min(44rem,100vw)]',
  top: 'mx-auto mt-[12vh] mb-auto w-[min(38rem,calc(100vw-2rem))] max-h-[70dvh] rounded-xl',
}

export function Dialog({ title, isOpen, onClose, children, place = 'centre', hasNoHead }: DialogProps) {
  const t = useTexts(table)
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    if (!isOpen || !dialog || dialog.open) return
    dialog.showModal()
    // The browser may focus the scrolling part; the user expects to type into the first field.
    dialog.querySelector<HTMLElement>(firstField)?.focus()
  }, [isOpen])
  if (!isOpen) return null
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- a click on the backdrop closes; Escape does too
    <dialog
      ref={ref}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => event.target === ref.current && onClose()}
      className={`bg-surface shadow-float rise overflow-hidden p-0 ${places[place]}`}
    >
      <div className="flex max-h-[inherit] flex-col">
        {!hasNoHead && (
          <header className="border-line flex items-center justify-between gap-3 border-b py-2 pr-2 pl-4">
            <h2 className="text-base font-semibold">{title}</h2>
            <IconButton icon="close" label={t.close} onClick={onClose} />
          </header>
        )}
        <div className={`min-h-0 flex-1 overflow-auto ${place === 'side' ? 'h-[calc(100dvh-3.1rem)]' : ''}`}>
          {children}
        </div>
      </div>
    </dialog>
  )
}
