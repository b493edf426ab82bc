// The shop's clock: in the test environment it may be ahead of the browser's.

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
