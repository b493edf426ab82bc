// CatBoost's 64-bit keys of category combinations, in two 32-bit halves: h = M × (h + M × e), modulo 2^64.

const mLow = 0x4954cb65
const mHigh = 0x4906ba49
const m0 = mLow & 0xffff
const m1 = mLow >>> 16

/** Keys of rows, low and high halves; they begin at zero and take one element after another. */
export interface Keys {
  low: Uint32Array
  high: Uint32Array
}

/** Keys of nothing yet. */
export function emptyKeys(rows: number): Keys {
  return { low: new Uint32Array(rows), high: new Uint32Array(rows) }
}

/** Folds one element (a sign-extended integer a row) into the keys. */
export function foldElement(keys: Keys, element: ArrayLike<number>): void {
  const { low, high } = keys
  for (let row = 0; row < low.length; row++) {
    const e = element[row]! | 0
    const eLow = e >>> 0
    const inner = timesLow(eLow)
    const innerHigh = timesHigh(eLow, e < 0 ? 0xffffffff : 0)
    const sumLow = low[row]! + inner
    const sumHigh = (high[row]! + innerHigh + (sumLow > 0xffffffff ? 1 : 0)) >>> 0
    const wrappedLow = sumLow >>> 0
    low[row] = timesLow(wrappedLow)
    high[row] = timesHigh(wrappedLow, sumHigh)
  }
}

function timesLow(low: number): number {
  return Math.imul(low, mLow) >>> 0
}

function timesHigh(low: number, high: number): number {
  const a0 = low & 0xffff
  const a1 = low >>> 16
  const middle = a0 * m1 + a1 * m0 + ((a0 * m0) >>> 16)
  const carry = a1 * m1 + Math.floor(middle / 65536)
  return (carry + (Math.imul(low, mHigh) >>> 0) + (Math.imul(high, mLow) >>> 0)) >>> 0
}
