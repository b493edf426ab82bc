// Runs one program on several threads over one shared memory. Shares differ only in which rows they take,
// and every row is computed whole by one thread, so any number of threads gives the same bytes.

import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { webAssembly, type Calls, type Memory, type Module } from './wasm.ts'

const WASM_PAGE = 65536
const MAX_THREADS = 16
/** Starting a worker takes about the time of so many multiplications: less work stays on this thread. */
const WORTH_A_THREAD = 1e8

export interface Job {
  program: string
  kernel: string
  memory: Memory
  /** Numbers the program reads: sizes and addresses. */
  args: number[]
  /** Multiplications, roughly. */
  work: number
}

export interface Share {
  thread: number
  threads: number
  memory: Memory
  args: number[]
  call: Calls
  /** Returns when every thread has come this far. */
  barrier: () => void
}

export type Program = (share: Share) => void

interface Seat {
  job: Job
  module: Module
  thread: number
  threads: number
  gate: Int32Array
}

/** Runs the job on this thread, or on as many workers as asked and worth it; rejects when one of them fails. */
export async function runJob(job: Job, programs: Record<string, Program>, threads: number): Promise<void> {
  const module = kernelModule(job.kernel)
  const worth = job.work > WORTH_A_THREAD ? Math.floor(threads) : 1
  const count = Math.max(1, Math.min(MAX_THREADS, worth))
  const gate = new Int32Array(new SharedArrayBuffer(8))
  if (count === 1) return runSeat({ job, module, thread: 0, threads: 1, gate }, programs)
  const workers = Array.from({ length: count }, (_, thread) => {
    const workerData: Seat = { job, module, thread, threads: count, gate }
    return new Worker(new URL('./worker.ts', import.meta.url), { workerData })
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

/** What a worker does with its seat. */
export function runSeat(seat: Seat, programs: Record<string, Program>): void {
  const program = programs[seat.job.program]
  if (!program) throw new Error(`there is no program ${seat.job.program}`)
  const exports = instance(seat.module, seat.job.memory)
  program({
    thread: seat.thread,
    threads: seat.threads,
    memory: seat.job.memory,
    args: seat.job.args,
    call: exports,
    barrier: () => pass(seat.gate, seat.threads),
  })
}

function pass(gate: Int32Array, threads: number): void {
  if (threads === 1) return
  const round = Atomics.load(gate, 1)
  if (Atomics.add(gate, 0, 1) === threads - 1) {
    Atomics.store(gate, 0, 0)
    Atomics.add(gate, 1, 1)
    Atomics.notify(gate, 1)
    return
  }
  while (Atomics.load(gate, 1) === round) Atomics.wait(gate, 1, round)
}

/** Whether this runtime can run the kernel; without relaxed SIMD callers take the plain twin. */
export function canRun(kernel: string): boolean {
  return webAssembly().validate(kernelBytes(kernel))
}

/** A kernel over the given memory, for calls on this thread. */
export function kernelCalls(kernel: string, memory: Memory): Calls {
  return instance(kernelModule(kernel), memory)
}

/** Shared memory of at least so many bytes, allocated once: views never outlive a growth. */
export function sharedMemory(bytes: number): Memory {
  const pages = Math.max(1, Math.ceil(bytes / WASM_PAGE))
  if (pages > 65536) throw new RangeError('a model of this size does not fit 4 GB of kernel memory')
  const { Memory } = webAssembly()
  return new Memory({ initial: pages, maximum: pages, shared: true })
}

function instance(module: Module, memory: Memory): Calls {
  const { Instance } = webAssembly()
  return new Instance(module, { env: { memory } }).exports
}

function kernelModule(kernel: string): Module {
  const { Module } = webAssembly()
  return new Module(kernelBytes(kernel))
}

const kernelBytes = (kernel: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(new URL(`../kernels/${kernel}.wasm`, import.meta.url)))
