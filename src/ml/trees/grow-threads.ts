// A pool of worker threads: the caller and every worker run one share of a step and synchronise after it.
import type { Worker } from 'node:worker_threads'
import type { WasmMemory, WasmModule } from '../kernels/load.ts'

const stepCell = 0
const doneCell = 1
const closedStep = -1
const maxThreads = 64
const stepTimeoutMs = 300_000

/** The data a worker starts with. */
export interface ThreadStart {
  module: WasmModule
  memory: WasmMemory
  descriptor: number
  thread: number
  threads: number
  stepCells: Int32Array
}

export interface ThreadPool {
  run(): void
  close(): void
}

/** Starts the workers; with one thread there are none, and a step is a plain call. */
export function startThreadPool(plan: {
  threads: number
  start: Pick<ThreadStart, 'module' | 'memory' | 'descriptor'>
  createWorker: (start: ThreadStart) => Worker
  share: (thread: number, threads: number) => void
}): ThreadPool {
  const threads = Math.max(1, Math.min(maxThreads, Math.floor(plan.threads)))
  const stepCells = new Int32Array(new SharedArrayBuffer(8))
  const workers = Array.from({ length: threads - 1 }, (_, i) =>
    plan.createWorker({ ...plan.start, thread: i + 1, threads, stepCells }),
  )
  for (const worker of workers) worker.unref()
  return {
    run: () => {
      Atomics.store(stepCells, doneCell, 0)
      Atomics.add(stepCells, stepCell, 1)
      Atomics.notify(stepCells, stepCell)
      plan.share(0, threads)
      for (
        let done = Atomics.load(stepCells, doneCell);
        done < workers.length;
        done = Atomics.load(stepCells, doneCell)
      ) {
        if (Atomics.wait(stepCells, doneCell, done, stepTimeoutMs) === 'timed-out') {
          throw new Error('A training thread did not finish its step in time; it may have failed to start.')
        }
      }
    },
    close: () => {
      Atomics.store(stepCells, stepCell, closedStep)
      Atomics.notify(stepCells, stepCell)
    },
  }
}

/** The loop of a worker: wait for a step, run its share, report it, until the pool is closed. */
export function serveThreadPool(stepCells: Int32Array, share: () => void): void {
  let seen = 0
  for (;;) {
    Atomics.wait(stepCells, stepCell, seen)
    const step = Atomics.load(stepCells, stepCell)
    if (step === closedStep) return
    if (step === seen) continue
    seen = step
    share()
    Atomics.add(stepCells, doneCell, 1)
    Atomics.notify(stepCells, doneCell)
  }
}
