// Prices in bands that people think in: 1, 2, 5, 10, 20, 50 … sums. Wide where prices are high.

const tiyinPerSum = 100
const steps = [1, 2, 5]
const decades = 12

/** Where bands begin, in tiyin. The first holds all below one sum. */
const beginnings = [
  0,
  ...Array.from({ length: decades }, (_, decade) =>
    steps.map((it) => it * tiyinPerSum * 10 ** decade),
  ).flat(),
]
export const priceBands = beginnings.length

export function priceBand(priceTiyin: number): number {
  let band = beginnings.length - 1
  while (beginnings[band]! > priceTiyin) band--
  return band
}

export const bandBegin = (band: number): number => beginnings[band]!
/** The last band has no end, so it is given the next step. */
export const bandEnd = (band: number): number => beginnings[band + 1] ?? beginnings[band]! * 2
