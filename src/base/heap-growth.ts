import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Of both halves together; V8 lets them grow to 128 MB. */
const leastBytes = 32 * 1024 * 1024
/** Of the rest of the heap: a large shop has more garbage, and its memory is not decided here. */
const mostShare = 0.2
const checkEveryMs = 250

/**
 * How much the heap grows between two full collections, in percent of what is in use. By itself V8 collects after a tenth, as
 * a server produces little lasting garbage: every few seconds under load. Each time four threads mark the whole heap for some
 * hundred milliseconds, and with two cores calls wait for as long.
 */
const growthPercent = 40

/** Sets how the heap of this process grows: a server has more memory than time for collections. */
export function setHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
  limitYoungGeneration()
}

/**
 * Keeps the young generation of the heap of a small shop small: a server fills it with caches that survive, and V8 then
 * doubles it again and again, for little speed. The size can be set when a process starts, but the server is also opened in
 * one that runs already. V8 reads the growth factor whenever it grows the space; in quiet times it shrinks the space, and it
 * may grow again.
 */
function limitYoungGeneration(): void {
  let factor = 2
  setInterval(() => {
    const wanted = isLarge() ? 1 : 2
    if (wanted !== factor) setFlagsFromString(`--semi-space-growth-factor=${wanted}`)
    factor = wanted
  }, checkEveryMs).unref()
}

function isLarge(): boolean {
  let [young, others] = [0, 0]
  for (const { space_name: name, space_size: bytes } of getHeapSpaceStatistics())
    if (name === 'new_space') young += bytes
    else others += bytes
  return young >= Math.max(leastBytes, others * mostShare)
}
