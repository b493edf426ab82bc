// Price bands with round limits: 1, 2, 5, 10, 20, 50 … sums.

const tiyinPerSum = 100
const steps = [1, 2, 5]
const decades = 12

/** Lower limits in tiyin. The first band holds all prices below one sum. */
const lowerLimits = [
  0,
  ...Array.from({ length: decades }, (_, decade) =>
    steps.map((it) => it * tiyinPerSum * 10 ** decade),
  ).flat(),
]
export const priceBands = lowerLimits.length

export function priceBand(priceTiyin: number): number {
  let band = lowerLimits.length - 1
  while (lowerLimits[band]! > priceTiyin) band--
  return band
}

export const bandFrom = (band: number): number => lowerLimits[band]!
/** The upper limit of a band. The last band has none; it is shown as twice its lower limit. */
export const bandTo = (band: number): number => lowerLimits[band + 1] ?? lowerLimits[band]! * 2
