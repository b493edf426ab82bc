import { seededRandom } from '../../src/ml/random.ts'

/** Random draws that a seed reproduces. */
export function chanceOf(seed: number) {
  const next = seededRandom(seed)
  const below = (most: number): number => Math.floor(next() * most)
  return {
    below,
    /** True with this probability, in percent. */
    percent: (share: number): boolean => next() * 100 < share,
    pick: <T>(them: readonly T[]): T => them[below(them.length)]!,
  }
}

export type Chance = ReturnType<typeof chanceOf>
