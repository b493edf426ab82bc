import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Both halves together; V8 lets it grow to four times as much. */
const mostBytes = 32 * 1024 * 1024
const checkEveryMs = 250

/**
 * Keeps the young generation of the heap of a server small: a busy process fills it with caches that survive, and V8 then
 * doubles it up to 128 MB, for little speed. The size can be set when a process starts, but the server is also opened in one
 * that runs already. V8 reads the growth factor whenever it grows the space; in quiet times it shrinks the space, and it may
 * grow again.
 */
export function limitYoungGeneration(): void {
  let factor = 2
  setInterval(() => {
    const { space_size: bytes = 0 } =
      getHeapSpaceStatistics().find((it) => it.space_name === 'new_space') ?? {}
    const wanted = bytes >= mostBytes ? 1 : 2
    if (wanted !== factor) setFlagsFromString(`--semi-space-growth-factor=${wanted}`)
    factor = wanted
  }, checkEveryMs).unref()
}
