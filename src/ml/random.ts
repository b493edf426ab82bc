// A small seeded generator (mulberry32), so that the same seed gives the same model on every machine.

/** Numbers in [0, 1), the same sequence for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    // Signed, because V8 boxes numbers that do not fit 31 or 32 signed bits at every call.
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Numbers from the standard normal distribution (Box and Muller), seeded. */
export function seededNormal(seed: number): () => number {
  const random = seededRandom(seed)
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** The numbers 0 … count − 1 in an order that the seed decides. */
export function shuffled(count: number, seed: number): Int32Array {
  const random = seededRandom(seed)
  const order = Int32Array.from({ length: count }, (_, at) => at)
  for (let at = count - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const held = order[at]!
    order[at] = order[other]!
    order[other] = held
  }
  return order
}
