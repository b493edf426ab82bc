// Waits with a deadline. A wait that fails says what it waited for.

import { setTimeout as sleep } from 'node:timers/promises'

const defaultPollMs = 10
/** Long, because tests may run on a busy machine, but below the timeout of a file. */
const defaultTimeoutMs = 480_000

interface WaitOptions {
  what?: string
  timeoutMs?: number
  /** The pause between two checks. */
  pollMs?: number
}

/** Waits until a condition holds. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { what = String(condition), timeoutMs = defaultTimeoutMs, pollMs = defaultPollMs }: WaitOptions = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw timedOut(what, timeoutMs)
    await sleep(pollMs)
  }
}

/** Waits until a function returns a value, and returns it. */
export async function waitFor<T>(
  find: () => T | undefined | Promise<T | undefined>,
  options: WaitOptions = {},
): Promise<T> {
  let found: T | undefined
  await waitUntil(async () => (found = await find()) !== undefined, { what: String(find), ...options })
  return found!
}

/** The result of a promise that must settle before the deadline. */
export async function withDeadline<T>(
  promise: Promise<T>,
  what: string,
  timeoutMs = defaultTimeoutMs,
): Promise<T> {
  const timer = new AbortController()
  try {
    return await Promise.race([
      promise,
      sleep(timeoutMs, undefined, { signal: timer.signal, ref: false }).then(() =>
        Promise.reject(timedOut(what, timeoutMs)),
      ),
    ])
  } finally {
    timer.abort()
  }
}

const timedOut = (what: string, timeoutMs: number): Error =>
  new Error(`not true after ${timeoutMs / 1000} s: ${what.replace(/\s+/g, ' ')}`)
