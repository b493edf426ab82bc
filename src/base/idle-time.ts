import { performance } from 'node:perf_hooks'

/** Milliseconds for which this thread has had nothing to do, to distinguish a slow reply from a busy process. */
export const idleMs = (): number => performance.eventLoopUtilization().idle
