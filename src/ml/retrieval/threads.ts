// Runs one program on several threads over one shared memory. Shares differ only in which rows they take,
// and every row is computed whole by one thread, so any number of threads gives the same bytes.

import { Worker } from 'node:worker_threads'
import { kernelCalls, kernelModule, type Calls, type SharedMemory, type WasmModule } from '../kernels/load.ts'

const maxThreads = 16
/** Starting a worker costs about this many multiplications; less work stays on this thread. */
const leastWorkPerThread = 1e8

export interface Job {
  program: string
  kernel: string
  memory: SharedMemory
  /** Numbers the program reads: sizes and addresses. */
  args: number[]
  /** Multiplications, roughly. */
  work: number
}

export interface Share {
  thread: number
  threads: number
  memory: SharedMemory
  args: number[]
  call: Calls
  /** Returns when every thread has reached this call. */
  barrier: () => void
}

export type Program = (share: Share) => void

export interface ThreadStart {
  job: Job
  module: WasmModule
  thread: number
  threads: number
  barrierCells: Int32Array
}

/** Runs the job on this thread or, when it is large enough, on up to `threads` workers; rejects when one fails. */
export async function runJob(job: Job, program: Program, threads: number): Promise<void> {
  const module = kernelModule(job.kernel)
  const worth = job.work > leastWorkPerThread ? Math.floor(threads) : 1
  const count = Math.max(1, Math.min(maxThreads, worth))
  const barrierCells = new Int32Array(new SharedArrayBuffer(8))
  if (count === 1) return runThread({ job, module, thread: 0, threads: 1, barrierCells }, program)
  const workers = Array.from({ length: count }, (_, thread) => {
    const workerData: ThreadStart = { job, module, thread, threads: count, barrierCells }
    return new Worker(new URL('./thread-worker.ts', import.meta.url), { workerData })
  })
  try {
    await Promise.all(workers.map(finished))
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}

function finished(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))))
  })
}

/** Runs one thread's share of a job. */
export function runThread(start: ThreadStart, program: Program): void {
  const exports = kernelCalls(start.module, start.job.memory)
  program({
    thread: start.thread,
    threads: start.threads,
    memory: start.job.memory,
    args: start.job.args,
    call: exports,
    barrier: () => waitAtBarrier(start.barrierCells, start.threads),
  })
}

function waitAtBarrier(barrierCells: Int32Array, threads: number): void {
  if (threads === 1) return
  const round = Atomics.load(barrierCells, 1)
  if (Atomics.add(barrierCells, 0, 1) === threads - 1) {
    Atomics.store(barrierCells, 0, 0)
    Atomics.add(barrierCells, 1, 1)
    Atomics.notify(barrierCells, 1)
    return
  }
  while (Atomics.load(barrierCells, 1) === round) Atomics.wait(barrierCells, 1, round)
}
