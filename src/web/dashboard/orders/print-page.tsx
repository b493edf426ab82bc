// A printed page: what the screen shows is what the printer gets, black on white in both themes.

import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Language, languageNames, languages } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'

const table = {
  back: ['Order', 'Заказ', 'Buyurtma'],
  print: ['Print', 'Печать', 'Chop etish'],
  language: ['Language of the print-out', 'Язык печати', 'Chop etish tili'],
} as const

/** The language of the printed page. It may differ from the member's, because a buyer or a warehouse reads it. */
export function usePrintLanguage(): Language {
  const { language } = useSession()
  const { lang } = useSearch({ strict: false }) as { lang?: string }
  return languages.find((it) => it === lang) ?? language
}

export function PrintBar({ orderId }: { orderId: string }) {
  const t = useTexts(table)
  const navigate = useNavigate()
  const language = usePrintLanguage()
  return (
    <div className="no-print mx-auto mb-3 flex max-w-[210mm] flex-wrap items-center gap-2">
      <Link to={`/orders/${orderId}`} className="text-accent flex flex-1 items-center gap-1 hover:underline">
        <Icon name="left" size={14} />
        {t.back} #{orderId}
      </Link>
      <select
        aria-label={t.language}
        value={language}
        onChange={(event) => void navigate({ to: '.', search: { lang: event.target.value }, replace: true })}
        className="border-strong bg-surface h-8 rounded-md border px-2 text-sm"
      >
        {languages.map((it) => (
          <option key={it} value={it}>
            {languageNames[it]}
          </option>
        ))}
      </select>
      <Button look="primary" onClick={() => window.print()}>
        {t.print}
      </Button>
    </div>
  )
}

export const PrintPage = ({
  language,
  label,
  children,
}: {
  language: Language
  label: string
  children: ReactNode
}) => (
  <article lang={language} aria-label={label} className="paper">
    {children}
  </article>
)

/** Name above value, as forms have it. */
export const Entry = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-2xs text-soft">{name}</dt>
    <dd className="break-words">{children || '–'}</dd>
  </div>
)

const figures = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Tiyin as sums with two digits, so that columns align. */
export const amount = (tiyin: number): string => figures.format(tiyin / 100).replaceAll(',', '\u00a0')
