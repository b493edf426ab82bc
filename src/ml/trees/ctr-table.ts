import { emptyKeys, foldElement, type Keys } from './ctr-key.ts'
import type { Ctr, CtrElement, CtrTable, FeatureColumns, FloatFeature } from './model.ts'

/** A table over distinct 64-bit keys; key i owns `stats[i × stride …]`. */
export function ctrTable(
  elements: CtrElement[],
  keys: Keys,
  values: { stride: number; stats: Float64Array; denominator: number },
): CtrTable {
  const capacity = tableCapacity(keys.low.length)
  const slots = new Int32Array(capacity).fill(-1)
  for (let i = 0; i < keys.low.length; i++) {
    let at = firstSlot(keys.low[i]!, keys.high[i]!, capacity)
    while (slots[at] !== -1) at = (at + 1) & (capacity - 1)
    slots[at] = i
  }
  return { elements, ...values, keysLow: keys.low, keysHigh: keys.high, slots }
}

/** A power of two that keeps an open-addressing table at most half full. */
export function tableCapacity(count: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(2, count * 2)))
}

/** Where the search for a key begins. */
export function firstSlot(low: number, high: number, capacity: number): number {
  return (Math.imul(low ^ (high >>> 7) ^ (low >>> 15), 0x9e3779b1) >>> 5) & (capacity - 1)
}

/** The position of each row's key in the table, −1 where the key is unknown. */
export function tablePositions(table: CtrTable, keys: Keys): Int32Array {
  const { slots, keysLow, keysHigh } = table
  const mask = slots.length - 1
  const positions = new Int32Array(keys.low.length)
  for (let row = 0; row < positions.length; row++) {
    const low = keys.low[row]!
    const high = keys.high[row]!
    let at = firstSlot(low, high, slots.length)
    let found = slots[at]!
    while (found !== -1 && (keysLow[found] !== low || keysHigh[found] !== high)) {
      at = (at + 1) & mask
      found = slots[at]!
    }
    positions[row] = found
  }
  return positions
}

/** The keys of rows for a combination of elements. */
export function rowKeys(elements: CtrElement[], columns: FeatureColumns, floats: FloatFeature[]): Keys {
  const keys = emptyKeys(columns.rows)
  for (const element of elements) {
    if (element.kind === 'category') {
      foldElement(keys, columns.categories[element.feature]!)
    } else if (element.kind === 'value') {
      const { value } = element
      foldElement(
        keys,
        columns.categories[element.feature]!.map((hash) => (hash === value ? 1 : 0)),
      )
    } else {
      foldElement(keys, answers(columns.floats[element.feature]!, floats[element.feature]!, element.border))
    }
  }
  return keys
}

function answers(values: Float32Array, feature: FloatFeature, border: number): Uint8Array {
  const missing = feature.nans === 'above' ? 1 : 0
  return Uint8Array.from(values, (value) => (Number.isNaN(value) ? missing : value > border ? 1 : 0))
}

/** The values a CTR can take: by position in its table, and where the key is unknown. */
export interface CtrValues {
  known: Float32Array
  unknown: number
}

/** All values of a CTR, computed in float32 as CatBoost does. */
export function ctrValues(ctr: Ctr, table: CtrTable): CtrValues {
  const counts = ctrCounts(ctr, table)
  const known = new Float32Array(counts.numerators.length)
  for (let i = 0; i < known.length; i++) {
    known[i] = ctrValue(ctr, counts.numerators[i]!, counts.denominators[i]!)
  }
  return { known, unknown: ctrValue(ctr, 0, counts.unknownDenominator) }
}

/** One CTR value from its counts. */
export function ctrValue(ctr: Ctr, numerator: number, denominator: number): number {
  const above = Math.fround(Math.fround(numerator) + Math.fround(ctr.priorNumerator))
  const below = Math.fround(Math.fround(denominator) + Math.fround(ctr.priorDenominator))
  const share = below === 0 ? 0 : Math.fround(above / below)
  return Math.fround(Math.fround(share + Math.fround(ctr.shift)) * Math.fround(ctr.scale))
}

function ctrCounts(
  ctr: Ctr,
  table: CtrTable,
): { numerators: Float64Array; denominators: Float64Array; unknownDenominator: number } {
  const { stats, stride } = table
  const keyCount = table.keysLow.length
  const numerators = new Float64Array(keyCount)
  const denominators = new Float64Array(keyCount)
  const counter = ctr.type === 'Counter' || ctr.type === 'FeatureFreq'
  for (let i = 0; i < keyCount; i++) {
    const at = i * stride
    if (counter) {
      numerators[i] = stats[at]!
      denominators[i] = table.denominator
    } else if (ctr.type === 'BinarizedTargetMeanValue' || ctr.type === 'FloatTargetMeanValue') {
      numerators[i] = stats[at]!
      denominators[i] = stats[at + 1]!
    } else {
      const from = ctr.type === 'Buckets' ? ctr.targetBorder : ctr.targetBorder + 1
      const until = ctr.type === 'Buckets' ? from + 1 : stride
      for (let c = 0; c < stride; c++) {
        denominators[i]! += stats[at + c]!
        if (c >= from && c < until) numerators[i]! += stats[at + c]!
      }
    }
  }
  return { numerators, denominators, unknownDenominator: counter ? table.denominator : 0 }
}
