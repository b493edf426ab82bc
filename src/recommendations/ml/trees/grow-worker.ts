import { workerData } from 'node:worker_threads'
import { wasmApi } from '../kernels/load.ts'
import type { TrainExports } from './grow-kernel.ts'
import { serveTeam, type Seat } from './grow-team.ts'

const seat = workerData as Seat
const { memory } = seat
const kernel = new (wasmApi().Instance)(seat.module, { env: { memory } }).exports as TrainExports
serveTeam(seat.gate, () => kernel.level(seat.descriptor, seat.thread, seat.threads))
