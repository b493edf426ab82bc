import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isOver, noLimit, partOf, TrainingBudget, workedThrough } from './training-budget.ts'

/** A clock that the test moves. */
function openClock(seconds = 0) {
  const clock = { seconds, elapsed: () => clock.seconds, pass: (it: number) => void (clock.seconds += it) }
  return clock
}

test('stages use all their time, fits keep theirs, and the training ends with its budget', async () => {
  const clock = openClock(7)
  const budget = new TrainingBudget({ seconds: 100, elapsed: clock.elapsed, fits: 3 })
  const work = (seconds: number) => async () => clock.pass(seconds)
  clock.seconds = budget.untilOf('search')(10)
  equal(Math.round(clock.seconds), 7 + 39, '56 % of what three fits of ten seconds leave')
  await budget.fit(work(10))
  for (const stage of ['weights', 'ranker'] as const) clock.seconds = budget.paceOf(stage).until
  await budget.fit(work(10))
  clock.seconds = budget.paceOf('held_out').until
  // A week later there is more to fit.
  await budget.fit(work(11))
  ok(Math.abs(clock.seconds - 107) < 1e-9, `it ends at ${clock.seconds}`)
})

test('fits that take longer than the search saw take the time of the stages after it', async () => {
  const clock = openClock()
  const budget = new TrainingBudget({ seconds: 100, elapsed: clock.elapsed, fits: 3 })
  clock.seconds = budget.untilOf('search')(1)
  await budget.fit(async () => clock.pass(35))
  for (const stage of ['weights', 'ranker', 'held_out'] as const)
    equal(budget.paceOf(stage).until, clock.seconds, `${stage} has no time`)
  ok(isOver(budget.paceOf('ranker')))
})

test('fits without a part leave its time to the stages', async () => {
  const clock = openClock()
  const budget = new TrainingBudget({ seconds: 100, elapsed: clock.elapsed, fits: 3 })
  await budget.fit(async () => {
    await budget.fitPart('walk', async () => clock.pass(4))
    await budget.fitPart('factors', async () => clock.pass(16))
  })
  const seconds = () => Math.round(budget.paceOf('held_out').until - clock.seconds)
  equal(seconds(), 80 - 44, 'two fits of twenty seconds, and a tenth more, are kept')
  budget.leaveOut(['factors', 'rules'])
  equal(seconds(), Math.round(80 - 8.8))
})

test('a fit of what the search has fitted costs nothing, and those after it their whole time', async () => {
  const clock = openClock()
  const budget = new TrainingBudget({ seconds: 100, elapsed: clock.elapsed, fits: 3 })
  const isFirstFitted = true
  equal(Math.round(budget.untilOf('search', { isFirstFitted })(10)), 45, 'two fits are kept')
  equal(budget.longestFitSeconds({ isFirstFitted }), 25)
  await budget.fitAround(
    [
      ['walk', 4],
      ['factors', 16],
    ],
    async () => clock.pass(2),
  )
  const seconds = () => Math.round(budget.paceOf('held_out').until - clock.seconds)
  equal(seconds(), Math.round(98 - 2 * 24.2))
  budget.leaveOut(['factors'])
  equal(seconds(), Math.round(98 - 2 * 6.6))
})

test('unspent time goes to the stages that follow', async () => {
  const used = openClock()
  const unused = openClock()
  const open = ({ elapsed }: typeof used) => new TrainingBudget({ seconds: 100, elapsed, fits: 1 })
  const [busy, idle] = [open(used), open(unused)]
  used.seconds = busy.paceOf('search').until
  equal(Math.round(used.seconds), 56)
  await busy.fit(async () => used.pass(1))
  await idle.fit(async () => unused.pass(1))
  const lasts = (budget: TrainingBudget, clock: typeof used) => budget.paceOf('ranker').until - clock.seconds
  ok(lasts(idle, unused) > 1.6 * lasts(busy, used))
})

test('without a limit no stage ends', () => {
  const budget = new TrainingBudget({ seconds: Infinity, elapsed: () => 5, fits: 3 })
  deepEqual(
    (['search', 'weights', 'ranker', 'held_out'] as const).map((it) => budget.untilOf(it)(9)),
    [Infinity, Infinity, Infinity, Infinity],
  )
  ok(!isOver(partOf(noLimit, 0.5)))
})

test('so many cases are used as there is time for, evenly spread and in their order', () => {
  const clock = openClock()
  const cases = Array.from({ length: 1_000 }, (_, at) => at)
  const within = (until: number) =>
    workedThrough(cases, (it) => (clock.pass(1 / 64), it), {
      pace: { elapsed: clock.elapsed, until },
      fewest: 100,
    })
  const some = within(clock.seconds + 250 / 64)
  equal(some.length, 250)
  some.slice(1).forEach((it, at) => ok(it - some[at]! >= 2 && it - some[at]! <= 8, `${some[at]}, ${it}`))
  deepEqual(within(clock.seconds + 100), cases)
  equal(within(clock.seconds).length, 100)
  deepEqual(
    workedThrough(cases, (it) => it, { pace: noLimit, fewest: 1 }),
    cases,
  )
  deepEqual(
    workedThrough([], () => ok(false), { pace: noLimit, fewest: 1 }),
    [],
  )
})

test('cases that take long at first leave no time unspent', () => {
  const clock = openClock()
  const cases = Array.from({ length: 1_000 }, (_, at) => at)
  let worked = 0
  const slowAtFirst = () => clock.pass(++worked <= 50 ? 16 / 64 : 1 / 64)
  const pace = { elapsed: clock.elapsed, until: 20 }
  equal(workedThrough(cases, slowAtFirst, { pace, fewest: 1 }).length, 50 + 7.5 * 64)
})

test('all fits together may take half of the time that is left', async () => {
  const clock = openClock(2)
  const budget = new TrainingBudget({ seconds: 100, elapsed: clock.elapsed, fits: 4 })
  clock.pass(20)
  equal(budget.longestFitSeconds(), 10)
  await budget.fit(async () => clock.pass(20))
  equal(budget.longestFitSeconds(), 10)
  const endless = new TrainingBudget({ seconds: Infinity, elapsed: clock.elapsed, fits: 3 })
  equal(endless.longestFitSeconds(), Infinity)
})
