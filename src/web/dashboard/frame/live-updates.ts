// Follows the event stream and reads again what an event made stale.

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { refresh } from '../app/data.ts'
import { useSession } from '../app/session.tsx'

/** First parts of query keys, by the beginning of the event's type. */
const staleBy: [start: RegExp, keys: string[]][] = [
  [/^(order|payment|fulfilment|return|refund)/i, ['orders', 'home']],
  [/^moderated/i, ['moderation', 'home']],
  [/^offer|^stock/i, ['offers', 'products']],
  [/^product/i, ['products']],
  [/^category/i, ['categories', 'products']],
  [/^exchange/i, ['rates']],
  [/^client/i, ['clients']],
  [/^cart/i, ['carts']],
  [/^shop/i, ['shop']],
  [/^application|^key/i, ['applications']],
  [/^webhook/i, ['webhooks']],
  [/^promotion/i, ['promotions']],
  [/^campaign|^notification|^template/i, ['campaigns', 'notifications', 'templates']],
  [/^(model|training|experiment)/i, ['models', 'experiments']],
  [/^member|^invitation/i, ['members']],
]

const gatherMs = 400
const retryMs = 2_000

/** Whether the stream is open; a lost one is opened again. */
export function useLiveUpdates(): boolean {
  const { bozor, can } = useSession()
  const queries = useQueryClient()
  const [isConnected, setIsConnected] = useState(true)
  const isAllowed = can('admin:read')
  useEffect(() => {
    if (!isAllowed) return
    const stopping = new AbortController()
    const stale = new Set<string>()
    const readAgain = () => {
      if (stale.size > 0) void refresh(queries, stale)
      stale.clear()
    }
    const timer = setInterval(readAgain, gatherMs)
    void follow({
      stream: () => bozor.events.stream({ signal: stopping.signal }),
      onEvent: (type) => {
        setIsConnected(true)
        for (const [start, keys] of staleBy) if (start.test(type)) keys.forEach((it) => stale.add(it))
      },
      onLost: () => setIsConnected(navigator.onLine),
      signal: stopping.signal,
    })
    const onLine = () => setIsConnected(true)
    const onOffline = () => setIsConnected(false)
    window.addEventListener('online', onLine)
    window.addEventListener('offline', onOffline)
    return () => {
      stopping.abort()
      clearInterval(timer)
      window.removeEventListener('online', onLine)
      window.removeEventListener('offline', onOffline)
    }
  }, [bozor, queries, isAllowed])
  return isConnected
}

interface Following {
  stream(): AsyncGenerator<{ type: string }>
  onEvent(type: string): void
  onLost(): void
  signal: AbortSignal
}

async function follow({ stream, onEvent, onLost, signal }: Following): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of stream()) onEvent(event.type)
    } catch {
      if (signal.aborted) return
      onLost()
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}
