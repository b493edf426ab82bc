// A thread of `runJob`: takes its seat, runs its share and ends.

import { workerData } from 'node:worker_threads'
import { programs } from './programs.ts'
import { runSeat } from './threads.ts'

runSeat(workerData, programs)
