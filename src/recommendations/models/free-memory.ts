import { collectGarbage } from '../../base/collect-garbage.ts'

const mostBytes = 1.5e9

/**
 * Collects garbage when the process takes more than one and a half gigabytes. The arrays of one fit are as large as a model, and V8 frees
 * them late, because they lie outside of its heap; the memory of kernels it does not even count.
 */
export function freeMemory(): void {
  if (process.memoryUsage.rss() > mostBytes) collectGarbage()
}
