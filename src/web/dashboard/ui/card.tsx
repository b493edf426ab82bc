import type { ReactNode } from 'react'

export function Card({
  title,
  action,
  children,
  isFlush,
}: {
  title?: string
  action?: ReactNode
  children: ReactNode
  isFlush?: boolean
}) {
  return (
    <section className="border-line bg-surface shadow-raised min-w-0 rounded-lg border">
      {title !== undefined && (
        <header className="border-line flex min-h-11 items-center justify-between gap-3 border-b px-4 py-1.5">
          <h2 className="font-semibold">{title}</h2>
          {action}
        </header>
      )}
      <div className={isFlush ? '' : 'p-4'}>{children}</div>
    </section>
  )
}

export function PageHead({
  title,
  badge,
  children,
  text,
}: {
  title: string
  badge?: ReactNode
  children?: ReactNode
  text?: string
}) {
  return (
    <header className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
      <div className={`min-w-0 ${text ? 'flex-1 basis-80' : 'flex-auto'}`}>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-xl font-semibold tracking-tight break-words">{title}</h1>
          {badge}
        </div>
        {text && <p className="text-soft mt-0.5 max-w-2xl">{text}</p>}
      </div>
      {children && <div className="no-print flex flex-wrap items-center gap-2">{children}</div>}
    </header>
  )
}

/** Names and values, one pair in a row. The names take what they need, up to two fifths of the width. */
export const Pairs = ({ rows }: { rows: (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="grid grid-cols-[fit-content(40%)_minmax(0,1fr)] gap-x-4 gap-y-2">
    {rows.map(([name, value]) => (
      <div key={name} className="contents">
        <dt className="text-soft">{name}</dt>
        <dd className="min-w-0 break-words">{value ?? '–'}</dd>
      </div>
    ))}
  </dl>
)
