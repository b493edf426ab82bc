import { seededRandom } from '../../src/recommendations/ml/random.ts'

/** One seed, one fate: draws that anybody can draw again. */
export function chanceOf(seed: number) {
  const next = seededRandom(seed)
  const below = (most: number): number => Math.floor(next() * most)
  return {
    below,
    /** True so many times in a hundred. */
    percent: (share: number): boolean => next() * 100 < share,
    pick: <T>(them: readonly T[]): T => them[below(them.length)]!,
  }
}

export type Chance = ReturnType<typeof chanceOf>
