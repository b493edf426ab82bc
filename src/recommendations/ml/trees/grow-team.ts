// The calling thread and its workers, who run one share each of the same step and meet after it.
import type { Worker } from 'node:worker_threads'
import type { WasmMemory, WasmModule } from '../kernels/load.ts'

const STEP = 0
const DONE = 1
const LEFT = -1
const MAX_THREADS = 64
const PATIENCE_MILLISECONDS = 300_000

/** What a worker is given. */
export interface Seat {
  module: WasmModule
  memory: WasmMemory
  descriptor: number
  thread: number
  threads: number
  gate: Int32Array
}

export interface Team {
  run(): void
  close(): void
}

/** Starts the workers; with one thread there are none, and a step is a plain call. */
export function startTeam(plan: {
  threads: number
  seat: Pick<Seat, 'module' | 'memory' | 'descriptor'>
  createWorker: (seat: Seat) => Worker
  share: (thread: number, threads: number) => void
}): Team {
  const threads = Math.max(1, Math.min(MAX_THREADS, Math.floor(plan.threads)))
  const gate = new Int32Array(new SharedArrayBuffer(8))
  const workers = Array.from({ length: threads - 1 }, (_, i) =>
    plan.createWorker({ ...plan.seat, thread: i + 1, threads, gate }),
  )
  for (const worker of workers) worker.unref()
  return {
    run: () => {
      Atomics.store(gate, DONE, 0)
      Atomics.add(gate, STEP, 1)
      Atomics.notify(gate, STEP)
      plan.share(0, threads)
      for (let done = Atomics.load(gate, DONE); done < workers.length; done = Atomics.load(gate, DONE)) {
        if (Atomics.wait(gate, DONE, done, PATIENCE_MILLISECONDS) === 'timed-out') {
          throw new Error('A training thread did not answer: it may have been refused a start.')
        }
      }
    },
    close: () => {
      Atomics.store(gate, STEP, LEFT)
      Atomics.notify(gate, STEP)
    },
  }
}

/** A worker's life: wait for a step, run the share, say so; until the team is closed. */
export function serveTeam(gate: Int32Array, share: () => void): void {
  let seen = 0
  for (;;) {
    Atomics.wait(gate, STEP, seen)
    const step = Atomics.load(gate, STEP)
    if (step === LEFT) return
    if (step === seen) continue
    seen = step
    share()
    Atomics.add(gate, DONE, 1)
    Atomics.notify(gate, DONE)
  }
}
