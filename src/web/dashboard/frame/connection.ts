// Whether the server answers. The page checks every few seconds, so that an idle page shows an outage too.

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { BozorError } from '../../../sdk/index.ts'
import { refreshAll } from '../app/data.ts'
import { clientFor, meKey, usePreferences } from '../app/session.tsx'
import { unreachableEvent } from '../app/unreachable.ts'

const calmMs = 10_000
const retryMs = 1_500
const timeoutMs = 5_000

/** A session that has ended leads to the sign-in page; after an outage everything shown is read again. */
export function useConnection(): boolean {
  const { language } = usePreferences()
  const queries = useQueryClient()
  const [isConnected, setIsConnected] = useState(true)
  useEffect(() => {
    const probe = clientFor(language, undefined, { maxRetries: 0, timeoutMs })
    let timer: ReturnType<typeof setTimeout> | undefined
    let isStopped = false
    let isAnswering = true
    const note = (isNow: boolean) => {
      if (isNow && !isAnswering) void refreshAll(queries)
      isAnswering = isNow
      setIsConnected(isNow)
    }
    const ask = async () => {
      clearTimeout(timer)
      const error = await probe.members.getMe().then(
        () => null,
        (reason: unknown) => reason,
      )
      if (isStopped) return
      note(error === null || error instanceof BozorError)
      if (error instanceof BozorError && error.status === 401) queries.setQueryData(meKey, null)
      clearTimeout(timer)
      timer = setTimeout(() => void ask(), isAnswering ? calmMs : retryMs)
    }
    const askNow = () => void ask()
    const onOffline = () => {
      note(false)
      askNow()
    }
    timer = setTimeout(askNow, calmMs)
    window.addEventListener(unreachableEvent, askNow)
    window.addEventListener('online', askNow)
    window.addEventListener('offline', onOffline)
    return () => {
      isStopped = true
      clearTimeout(timer)
      window.removeEventListener(unreachableEvent, askNow)
      window.removeEventListener('online', askNow)
      window.removeEventListener('offline', onOffline)
    }
  }, [language, queries])
  return isConnected
}
