import { useState } from 'react'
import { useTexts } from '../app/session.tsx'
import { Icon } from './icons.tsx'

const table = {
  copy: ['Copy', 'Копировать', 'Nusxalash'],
  copied: ['Copied', 'Скопировано', 'Nusxalandi'],
} as const
const shownMs = 1_500

/** A text that one copies as a whole, such as a key. */
export function CopyText({ value, label }: { value: string; label: string }) {
  return (
    <div className="border-strong bg-canvas flex items-center gap-1 rounded-md border pl-3">
      <code aria-label={label} className="min-w-0 flex-1 truncate py-2 font-mono text-xs select-all">
        {value}
      </code>
      <CopyButton value={value} />
    </div>
  )
}

export function CopyButton({ value }: { value: string }) {
  const t = useTexts(table)
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), shownMs)
  }
  return (
    <button
      type="button"
      onClick={() => void copy()}
      className="text-accent hover:bg-hover flex h-9 items-center gap-1.5 rounded-r-md px-3 text-xs font-medium"
    >
      <Icon name={isCopied ? 'check' : 'copy'} size={14} />
      {isCopied ? t.copied : t.copy}
    </button>
  )
}
