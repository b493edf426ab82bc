import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { climbInTurns, type Climber } from './climb-in-turns.ts'

interface Source {
  score: number
  /** Of each trial. */
  seconds: number
  /** How many trials there are. */
  moves: number
}

/** Sources of one page on one clock. */
function openSearch(sources: Record<string, Source>) {
  const clock = { seconds: 0 }
  const climbers = Object.values(sources).map(({ score, seconds, moves }): Climber => {
    const climb = {
      tried: 1,
      isDone: false,
      goOn: async (until: number) => {
        while (climb.tried <= moves && clock.seconds + seconds <= until) {
          clock.seconds += seconds
          climb.tried++
        }
        climb.isDone = climb.tried > moves
      },
    }
    return { page: 'main_page', first: { seconds, score }, climb }
  })
  const run = async (until: number) => {
    await climbInTurns(climbers, { elapsed: () => clock.seconds, until })
    const names = Object.keys(sources)
    return Object.fromEntries(climbers.map(({ climb }, at) => [names[at], climb.tried - 1]))
  }
  return { clock, run }
}

const beauty = {
  ease: { score: 0.106, seconds: 4, moves: 40 },
  walk: { score: 0.095, seconds: 0.2, moves: 20 },
  factors: { score: 0.092, seconds: 2, moves: 12 },
  rules: { score: 0.066, seconds: 0.5, moves: 30 },
}

test('all time is used while a source has moves left, and the best source has most of it', async () => {
  const { clock, run } = openSearch(beauty)
  const tried = await run(60)
  ok(clock.seconds > 60 - 4 && clock.seconds <= 60, `it ends at ${clock.seconds}`)
  equal(tried['walk'], 20)
  ok(tried['factors']! >= 3 && tried['ease']! * 4 > 24, JSON.stringify(tried))
})

test('with time for all moves no source is stopped', async () => {
  const { run } = openSearch(beauty)
  deepEqual(await run(1_000), { ease: 40, walk: 20, factors: 12, rules: 30 })
  deepEqual(await openSearch(beauty).run(Infinity), { ease: 40, walk: 20, factors: 12, rules: 30 })
})

test('what a source does not use is left to those that still have moves', async () => {
  const { run } = openSearch({ ease: { ...beauty.ease, moves: 3 }, factors: beauty.factors })
  deepEqual(await run(40), { ease: 3, factors: 12 })
})

test('a dear source is moved though its share is shorter than a trial', async () => {
  const { clock, run } = openSearch({ ...beauty, factors: { score: 0.06, seconds: 3.5, moves: 12 } })
  const tried = await run(20)
  ok(tried['factors']! >= 1 && tried['ease']! >= 2, JSON.stringify(tried))
  ok(clock.seconds <= 20)
})

test('time that is too short for every share is used by the best source that it is enough for', async () => {
  const { run } = openSearch(beauty)
  deepEqual(await run(0), { ease: 0, walk: 0, factors: 0, rules: 0 })
  equal((await openSearch({ ease: beauty.ease }).run(7))['ease'], 1)
})
