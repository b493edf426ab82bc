// Workers share one port. They close it together: a worker that releases its replies earlier would get its callers to
// open connections while the others close.

import type { Worker } from 'node:cluster'
import type { DrainStep } from '../http/drain.ts'

interface DrainMessage {
  drainStep?: DrainStep
}

/** A worker that is stopped alone goes on after this time. */
const waitAtMostMs = 1_500

/** In the primary process: signals the workers to continue when all running ones have reached a step. */
export function openDrainSteps(running: () => Worker[]): { serve(worker: Worker): void } {
  const reached: Record<DrainStep, Set<Worker>> = { quiet: new Set(), closed: new Set() }
  const passStep = (drainStep: DrainStep) => {
    const workers = running()
    if (!workers.every((it) => reached[drainStep].has(it))) return
    for (const it of workers) if (it.isConnected()) it.send({ drainStep })
  }
  return {
    serve(worker) {
      worker.on('message', ({ drainStep }: DrainMessage) => {
        if (!drainStep) return
        reached[drainStep].add(worker)
        passStep(drainStep)
      })
      worker.once('exit', () => {
        passStep('quiet')
        passStep('closed')
      })
    },
  }
}

/** In a worker: waits until all workers have reached the step. */
export async function drainTogether(step: DrainStep): Promise<void> {
  if (!process.connected) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const onMessage = ({ drainStep }: DrainMessage) => {
    if (drainStep === step) resolve()
  }
  process.on('message', onMessage)
  const timer = setTimeout(resolve, waitAtMostMs)
  process.send!({ drainStep: step } satisfies DrainMessage)
  await promise
  clearTimeout(timer)
  process.off('message', onMessage)
}
