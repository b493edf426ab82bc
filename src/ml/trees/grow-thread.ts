import { workerData } from 'node:worker_threads'
import { wasmApi } from '../kernels/load.ts'
import type { TrainExports } from './grow-kernel.ts'
import { serveThreadPool, type ThreadStart } from './grow-threads.ts'

const start = workerData as ThreadStart
const { memory } = start
const kernel = new (wasmApi().Instance)(start.module, { env: { memory } }).exports as TrainExports
serveThreadPool(start.stepCells, () => kernel.level(start.descriptor, start.thread, start.threads))
