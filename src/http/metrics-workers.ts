// Metrics of a cluster: a worker that receives a request for metrics collects those of all workers, over the message
// channel of the primary process. A worker that does not reply in time is left out.

import type { MetricsPart } from './metrics.ts'

type Message = Record<string, unknown>

interface Channel {
  on(event: 'message', listener: (message: unknown) => void): unknown
  send?(message: Message): unknown
}

/** Collects the parts of all processes for one reply. */
export type CollectMetrics = () => Promise<MetricsPart[]>

const replyWithinMs = 1_000

const fieldOf = (message: unknown, name: string): unknown =>
  typeof message === 'object' && message !== null ? (message as Message)[name] : undefined

/** In the primary process: passes requests of one worker to the others, and their replies back. */
export function serveMetrics(worker: Channel, others: () => Channel[]): void {
  worker.on('message', (message) => {
    const asked = fieldOf(message, 'metricsAsked')
    if (typeof asked === 'string')
      for (const it of others().filter((one) => one !== worker)) it.send?.({ metricsWanted: asked })
    const replied = fieldOf(message, 'metricsReplied')
    if (typeof replied === 'string')
      for (const it of others().filter((one) => one !== worker))
        it.send?.({ metricsPart: replied, part: fieldOf(message, 'part') })
  })
}

/** In a worker: replies with its own part, and asks for the parts of the others. */
export function workerMetrics(
  channel: Channel,
  { id, otherCount, part }: { id: string; otherCount: number; part: () => MetricsPart },
): CollectMetrics {
  const waiting = new Map<string, { parts: MetricsPart[]; onComplete: () => void }>()
  let last = 0
  channel.on('message', (message) => {
    const wanted = fieldOf(message, 'metricsWanted')
    if (typeof wanted === 'string') channel.send?.({ metricsReplied: wanted, part: part() })
    const question = waiting.get(String(fieldOf(message, 'metricsPart')))
    if (!question) return
    question.parts.push(fieldOf(message, 'part') as MetricsPart)
    if (question.parts.length === otherCount) question.onComplete()
  })
  return async () => {
    const asked = `${id}-${++last}`
    const parts: MetricsPart[] = []
    await new Promise<void>((onComplete) => {
      waiting.set(asked, { parts, onComplete })
      setTimeout(onComplete, replyWithinMs).unref()
      channel.send?.({ metricsAsked: asked })
    })
    waiting.delete(asked)
    return [part(), ...parts]
  }
}
