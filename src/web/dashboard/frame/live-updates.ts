// Follows the event stream and reads again what an event made stale.

import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
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

/** A stream that is lost is opened again. */
export function useLiveUpdates(): void {
  const { bozor, can } = useSession()
  const queries = useQueryClient()
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
        for (const [start, keys] of staleBy) if (start.test(type)) keys.forEach((it) => stale.add(it))
      },
      signal: stopping.signal,
    })
    return () => {
      stopping.abort()
      clearInterval(timer)
    }
  }, [bozor, queries, isAllowed])
}

interface Following {
  stream(): AsyncGenerator<{ type: string }>
  onEvent(type: string): void
  signal: AbortSignal
}

async function follow({ stream, onEvent, signal }: Following): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of stream()) onEvent(event.type)
    } catch {
      if (signal.aborted) return
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}
