const LOG2_E = 1.4426950408889634
const LN2_HIGH = 0.6931471803691238
const LN2_LOW = 1.9082149292705877e-10
/** 1/13!, 1/12!, … 1/1!, 1/0!. */
const COEFFICIENTS = [
  1.6059043836821613e-10, 2.08767569878681e-9, 2.505210838544172e-8, 2.755731922398589e-7,
  2.7557319223985893e-6, 2.48015873015873e-5, 1.984126984126984e-4, 1.388888888888889e-3,
  8.333333333333333e-3, 4.1666666666666664e-2, 1.6666666666666666e-1, 0.5, 1, 1,
]

/** The exponential by the same steps as the kernel takes, so that both engines train the same bytes. */
export function steppedExp(x: number): number {
  const bounded = Math.max(-700, Math.min(700, x))
  const k = Math.floor(bounded * LOG2_E + 0.5)
  const r = bounded - k * LN2_HIGH - k * LN2_LOW
  let p = COEFFICIENTS[0]!
  for (let i = 1; i < COEFFICIENTS.length; i++) p = p * r + COEFFICIENTS[i]!
  return p * 2 ** k
}
