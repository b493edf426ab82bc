// Hashes by which the index in memory notices that a text of a row has changed. Collisions are accepted as too rare to
// matter. They are never stored, so they may change with the code; `hashOf` of all texts of a row may not.

const factor = 0x85ebca77
const lowBits = 21
const lowMask = (1 << lowBits) - 1

const joined = (high: number, low: number): number =>
  (high >>> 0) * (1 << lowBits) + ((low ^ (low >>> 15)) & lowMask)

/** A 53-bit hash of the first codes of an array, read two at a time. */
export function hashOfCodes(codes: Uint16Array, length: number): number {
  let high = 0x9e3779b9 ^ length
  let low = 0
  for (let at = 1; at < length; at += 2) {
    high = Math.imul(high ^ (codes[at - 1]! | (codes[at]! << 16)), factor)
    low = (low + high) | 0
  }
  if (length % 2 === 1) high = Math.imul(high ^ codes[length - 1]!, factor)
  return joined(Math.imul(high ^ (high >>> 15), 0x27d4eb2f), (low + high) | 0)
}

/** A 53-bit hash of the hashes of texts, in their order. */
export class RowHash {
  #high = 0
  #low = 0

  clear(): void {
    this.#high = 0
    this.#low = 0
  }

  /** `place` says where the text stands. */
  add(textHash: number, place: number): void {
    const high = Math.imul(this.#high ^ place ^ (textHash / (1 << lowBits)), factor)
    this.#high = high ^ (high >>> 13)
    this.#low = (Math.imul(this.#low, factor) + high + (textHash & lowMask)) | 0
  }

  get value(): number {
    return joined(this.#high, this.#low)
  }
}
