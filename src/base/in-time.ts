/**
 * What a promise gives in time, else what is given in its place; a failure counts as too late. Without anything to give,
 * the promise is waited for after all.
 */
export async function inTime<T>(
  promise: Promise<T>,
  ms: number,
  otherwise: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const { promise: late, resolve: giveUp } = Promise.withResolvers<void>()
  const timer = setTimeout(giveUp, ms)
  // Whoever is answered without it does not hear how it ended.
  promise.catch(() => giveUp())
  try {
    const first = await Promise.race([promise.then((value) => ({ value })), late]).catch(() => undefined)
    if (first) return first.value
    const given = await otherwise()
    return given === undefined ? await promise : given
  } finally {
    clearTimeout(timer)
  }
}
