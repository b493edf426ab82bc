/**
 * The value of a promise, or of the fallback when the promise takes too long or fails. When the fallback has no value, the
 * promise is awaited without a limit.
 */
export async function withTimeout<T>(
  promise: Promise<T>,
  ms: number,
  fallback: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const { promise: late, resolve: giveUp } = Promise.withResolvers<void>()
  const timer = setTimeout(giveUp, ms)
  // A failure ends the wait at once. One that comes after the fallback is ignored, not reported as unhandled.
  promise.catch(() => giveUp())
  try {
    const first = await Promise.race([promise.then((value) => ({ value })), late]).catch(() => undefined)
    if (first) return first.value
    const given = await fallback()
    return given === undefined ? await promise : given
  } finally {
    clearTimeout(timer)
  }
}
