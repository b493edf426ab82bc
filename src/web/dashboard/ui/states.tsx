// What a part of a page shows while it has no data: loading, empty, failed.

import type { ReactNode } from 'react'
import { BozorConnectionError, BozorError } from '../../../sdk/index.ts'
import { useTexts } from '../app/session.tsx'
import { Button } from './button.tsx'
import type { IconName } from './icon-paths.ts'
import { Icon } from './icons.tsx'

const table = {
  offline: ['The server cannot be reached', 'Сервер недоступен', 'Server bilan aloqa yo‘q'],
  offlineText: [
    'The connection is lost. The page tries again by itself.',
    'Соединение потеряно. Страница повторит запрос сама.',
    'Aloqa uzildi. Sahifa o‘zi qayta urinadi.',
  ],
  failed: ['This could not be loaded', 'Не удалось загрузить', 'Yuklab bo‘lmadi'],
  again: ['Try again', 'Повторить', 'Qayta urinish'],
  request: ['Request', 'Запрос', 'So‘rov'],
} as const

export function Empty({
  icon,
  as: Title = 'p',
  title,
  text,
  children,
}: {
  icon: IconName
  /** `h1` when it is all that the page shows. */
  as?: 'p' | 'h1'
  title: string
  text?: string
  children?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center gap-1 px-6 py-14 text-center">
      <span className="bg-hover text-faint mb-2 grid size-10 place-items-center rounded-full">
        <Icon name={icon} size={18} />
      </span>
      <Title className="font-medium">{title}</Title>
      {text && <p className="text-soft max-w-sm">{text}</p>}
      {children && <div className="mt-3 flex gap-2">{children}</div>}
    </div>
  )
}

export function Failure({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const t = useTexts(table)
  const isOffline = error instanceof BozorConnectionError
  const requestId = error instanceof BozorError ? error.requestId : undefined
  return (
    <div role="alert">
      <Empty
        icon="warning"
        title={isOffline ? t.offline : t.failed}
        text={isOffline ? t.offlineText : error.message}
      >
        {onRetry && <Button onClick={onRetry}>{t.again}</Button>}
      </Empty>
      {requestId && (
        <p className="text-faint pb-4 text-center font-mono text-xs">
          {t.request} {requestId}
        </p>
      )}
    </div>
  )
}

export const Skeleton = ({ className = '' }: { className?: string }) => (
  <div className={`shimmer ${className}`} aria-hidden="true" />
)

export const SkeletonRows = ({ rows = 8 }: { rows?: number }) => (
  <div className="divide-line divide-y" aria-busy="true">
    {Array.from({ length: rows }, (_, at) => (
      <div key={at} className="flex h-11 items-center gap-6 px-4">
        <Skeleton className="h-3 w-20" />
        <Skeleton className="h-3 flex-1" />
        <Skeleton className="h-3 w-24" />
      </div>
    ))}
  </div>
)
