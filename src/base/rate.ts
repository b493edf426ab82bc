/** Requests per window; `none` is no limit. */
export type Rate = { limit: number; windowSeconds: number } | 'none'

const ratePattern = /^([1-9]\d{0,8})\/(\d{1,6})(s|m|h)$/
const secondsPer = { s: 1, m: 60, h: 3600 } as const

/** Parses `1000/60s`, `20/1m` or `none`; undefined for other texts. */
export function rateOf(text: string): Rate | undefined {
  if (text === 'none') return 'none'
  const [, limit, length, unit] = ratePattern.exec(text) ?? []
  const windowSeconds = Number(length) * secondsPer[unit as keyof typeof secondsPer]
  return windowSeconds >= 1 && windowSeconds <= 86_400 ? { limit: Number(limit), windowSeconds } : undefined
}
