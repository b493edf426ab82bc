// A worker thread of `runJob`: runs its share of one program and exits.

import { workerData } from 'node:worker_threads'
import { ialsShare } from './ials.ts'
import { sweepShare } from './inverse.ts'
import { ridgeShare } from './ridge.ts'
import { runThread, type Program, type ThreadStart } from './threads.ts'

const programs: Record<string, Program> = { sweep: sweepShare, ials: ialsShare, ridge: ridgeShare }

const start = workerData as ThreadStart
const program = programs[start.job.program]
if (!program) throw new Error(`there is no program ${start.job.program}`)
runThread(start, program)
