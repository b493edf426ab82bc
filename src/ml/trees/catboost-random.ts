// The generator that CatBoost draws from (two streams of PCG32), used only by tests that repeat a recorded run.

const multiplier = 6364136223846793005n
const mask31 = 0x7fffffffn
const realStep = 1 / 9007199254740991

/** One stream of 32-bit numbers. */
function stream(seed: bigint, increment: bigint): () => bigint {
  let state = seed
  return () => {
    state = BigInt.asUintN(64, state * multiplier + increment)
    const shifted = BigInt.asUintN(32, (state ^ (state >> 18n)) >> 27n)
    const turn = state >> 59n
    return BigInt.asUintN(32, (shifted >> turn) | (shifted << (32n - turn)))
  }
}

/** 64-bit numbers, the same sequence for the same seed. */
export function catboostNumbers(seed: bigint): () => bigint {
  const next = stream(seed, 1n)
  const wide = () => {
    const low = next()
    return low | (next() << 32n)
  }
  const [seed1, turn1, seed2, turn2] = [wide(), next(), wide(), next()]
  const other = (turn1 & mask31) === (turn2 & mask31) ? BigInt.asUintN(32, ~turn2) : turn2
  const high = stream(seed1, (turn1 << 1n) | 1n)
  const low = stream(seed2, (other << 1n) | 1n)
  return () => (high() << 32n) | low()
}

/** Numbers from 0 to 1 for the rows of each query, as CatBoost derives them from one seed for all queries. */
export function catboostQueryRandom(seed: bigint, query: number): () => number {
  const seeds = catboostNumbers(seed)
  for (let before = 0; before < query; before++) seeds()
  const numbers = catboostNumbers(catboostNumbers(seeds())())
  return () => Math.fround(Number(numbers() >> 11n) * realStep)
}
