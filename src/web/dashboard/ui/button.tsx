import { Link } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import type { IconName } from './icon-paths.ts'
import { Icon } from './icons.tsx'

const base =
  'inline-flex items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap transition-colors duration-75 disabled:opacity-50 select-none'

const looks = {
  primary: 'bg-accent text-on-accent shadow-raised hover:opacity-90',
  secondary: 'bg-surface text-ink border border-strong shadow-raised hover:bg-hover',
  ghost: 'text-soft hover:bg-hover hover:text-ink',
  danger: 'bg-surface text-bad border border-strong shadow-raised hover:bg-bad-soft',
} as const

export interface ButtonProps extends ComponentProps<'button'> {
  look?: keyof typeof looks
  icon?: IconName
  isSmall?: boolean
  isBusy?: boolean
  /** A key that does the same, shown beside the text. */
  shortcut?: string
}

export function Button({
  look = 'secondary',
  icon,
  isSmall,
  isBusy,
  shortcut,
  children,
  ...rest
}: ButtonProps) {
  const size = isSmall ? 'h-7 px-2 text-xs' : 'h-8 px-3 text-sm'
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={`${base} ${looks[look]} ${size} ${rest.className ?? ''}`}
    >
      {icon && <Icon name={icon} size={isSmall ? 13 : 14} />}
      {children}
      {shortcut && <Kbd text={shortcut} />}
    </button>
  )
}

/** A link that looks like a button. */
export const ButtonLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className={`${base} ${looks.secondary} h-8 px-3 text-sm`}>
    {children}
  </Link>
)

export function IconButton({
  icon,
  label,
  ...rest
}: ComponentProps<'button'> & { icon: IconName; label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={`${base} text-soft hover:bg-hover hover:text-ink size-8 ${rest.className ?? ''}`}
    >
      <Icon name={icon} />
    </button>
  )
}

export const Kbd = ({ text }: { text: string }) => (
  <kbd className="text-2xs pointer-coarse:hidden rounded border border-current/25 px-1 font-sans leading-4">
    {text}
  </kbd>
)
