/** How many requests in how long; `none` sets no limit. */
export type Rate = { limit: number; windowSeconds: number } | 'none'

const rateForm = /^([1-9]\d{0,8})\/(\d{1,6})(s|m|h)$/
const secondsPer = { s: 1, m: 60, h: 3600 } as const

/** The rate that `1000/60s`, `20/1m` or `none` means; undefined when the text is no rate. */
export function rateOf(text: string): Rate | undefined {
  if (text === 'none') return 'none'
  const [, limit, length, unit] = rateForm.exec(text) ?? []
  const windowSeconds = Number(length) * secondsPer[unit as keyof typeof secondsPer]
  return windowSeconds >= 1 && windowSeconds <= 86_400 ? { limit: Number(limit), windowSeconds } : undefined
}
