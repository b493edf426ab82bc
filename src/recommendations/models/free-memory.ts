import { collectGarbage } from '../../base/collect-garbage.ts'

const mostBytes = 1e9

/**
 * Collects garbage when arrays take more than a gigabyte. Those of one fit are as large as a model, and V8 frees them late,
 * because they lie outside of its heap.
 */
export function freeMemory(): void {
  if (process.memoryUsage().external > mostBytes) collectGarbage()
}
