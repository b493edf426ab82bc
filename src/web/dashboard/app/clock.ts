// The shop's clock: in the test environment it may be ahead of the browser's.

import { useEffect, useState } from 'react'
import { useData } from './data.ts'
import { ago } from './language.ts'
import { useSession } from './session.tsx'

export function useNow(): () => number {
  const { environment, can } = useSession()
  const isEnabled = environment === 'test' && can('admin:read')
  const clock = useData(['clock'], async (bozor) => (await bozor.testClock.get()).clock, { isEnabled })
  const offsetMs = isEnabled ? (clock.data?.offset_seconds ?? 0) * 1000 : 0
  return () => Date.now() + offsetMs
}

/** Renders again every second, for what shows how long something has lasted. */
export function useSeconds(isActive: boolean): void {
  const [, setCount] = useState(0)
  useEffect(() => {
    if (!isActive) return
    const timer = setInterval(() => setCount((it) => it + 1), 1_000)
    return () => clearInterval(timer)
  }, [isActive])
}

/** Formats an instant as `5 minutes ago`, by the shop's clock. */
export function useAgo(): (iso: string) => string {
  const { language } = useSession()
  const now = useNow()
  return (iso) => ago(iso, language, now())
}

/** The same by the real clock, for members and sessions, which both environments share. */
export function usePlatformAgo(): (iso: string) => string {
  const { language } = useSession()
  return (iso) => ago(iso, language, Date.now())
}
