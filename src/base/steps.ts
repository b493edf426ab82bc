// Work in steps: done at once, or with other work of the process between the steps.

import { setImmediate as nextTurn } from 'node:timers/promises'

/** Yields after each step. */
export type Steps<Result> = Generator<undefined, Result>

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Each step has a turn of the event loop. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await nextTurn()
  }
}
