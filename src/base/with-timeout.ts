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
  // After the fallback, a late failure is ignored.
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
