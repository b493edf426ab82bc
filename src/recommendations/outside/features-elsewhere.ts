import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { FeaturesOrder } from './features-process.ts'

/** The lines that a process of its own writes. It ends when nobody reads on. */
export async function* featuresElsewhere(
  order: FeaturesOrder,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const child = fork(new URL('./features-process.ts', import.meta.url), {
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const stop = () => child.kill()
  signal.addEventListener('abort', stop)
  const ended = once(child, 'exit') as Promise<[code: number | null]>
  try {
    child.send(order)
    yield* child.stdout! as AsyncIterable<Uint8Array>
    const [code] = await ended
    // A reply that breaks off says that it is not whole.
    if (code !== 0) throw new Error(`the process that worked out features ended by ${code ?? 'a signal'}`)
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}
