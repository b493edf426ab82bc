import { oval, ring } from './shapes.ts'
import { type Motif, motifOf, motifs } from './motif.ts'
import { paintOf } from './palette.ts'
import { sha256 } from '../../base/random.ts'

/** Pixel widths of the three sizes. */
export const widths = { lg: 960, md: 480, sm: 160 } as const
export type Size = keyof typeof widths

/** The motif in the product's colours on a plain background. */
export function productPicture(slug: string, motif: Motif, size: Size): string {
  const paint = paintOf(slug, motif)
  const width = widths[size]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 480" width="${width}" height="${width}" role="img" aria-label="${motif}"><rect width="480" height="480" fill="${paint.ground}"/>${oval(240, 236, 196, 196, '#ffffff60')}${ring(240, 236, 216, '#ffffff66', 3)}${oval(240, 396, 140, 14, '#1d274022')}${motifs[motif](paint)}</svg>`
}

/** Two hues, three hills and the category's motif, all derived from the slug. */
export function categoryPicture(slug: string): string {
  const seed = sha256(slug)
  const hue = Math.round((seed[0]! / 255) * 360)
  const hills = [1, 2, 3].map((at) => {
    const [left, peak, right] = [1, 2, 3].map((step) => 190 + at * 40 - (seed[at * 3 + step]! % 90))
    return `<path d="M0 ${left} Q120 ${peak} 240 ${right} T480 ${left} V360 H0Z" fill="hsl(${hue + at * 18} 60% ${72 - at * 12}% / .55)"/>`
  })
  const motif = motifOf({ slug })
  const thing = motifs[motif](paintOf(slug, motif))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 360" role="img" aria-label="${motif}"><defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="hsl(${hue} 70% 92%)"/><stop offset="1" stop-color="hsl(${hue + 40} 65% 78%)"/></linearGradient></defs><rect width="480" height="360" fill="url(#g)"/>${hills.join('')}<circle cx="240" cy="180" r="132" fill="#fff" fill-opacity=".6"/><g transform="translate(110 46) scale(.545)">${thing}</g></svg>`
}

/** An eight-fold star with the initials of the name, derived from the slug. */
export function partnerLogo(slug: string): string {
  const [first = 0, second = 0] = sha256(slug)
  const hue = hues[first % hues.length]!
  const letters = slug
    .split('-')
    .flatMap((it) => /^[a-z0-9]/.exec(it)?.[0].toUpperCase() ?? [])
    .slice(0, 2)
    .join('')
  const petals = [0, 1, 2, 3, 4, 5, 6, 7]
    .map(
      (at) => `<path d="${petalForms[second % petalForms.length]!}" transform="rotate(${at * 45} 120 120)"/>`,
    )
    .join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240" role="img" aria-label="${letters}"><rect width="240" height="240" rx="56" fill="hsl(${hue} 58% 34%)"/><g fill="hsl(${(hue + 40) % 360} 62% 62%)" fill-opacity=".55">${petals}</g><circle cx="120" cy="120" r="58" fill="hsl(${hue} 60% 97%)"/><text x="120" y="141" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="800" font-size="58" fill="hsl(${hue} 58% 28%)">${letters}</text></svg>`
}

const hues = [200, 214, 232, 262, 292, 332, 352, 14, 30, 160, 178]

const petalForms = [
  'M120 120L92 44L120 14L148 44Z',
  'M120 120Q70 60 120 16Q170 60 120 120Z',
  'M104 120V40Q120 14 136 40V120Z',
  'M120 120L98 62L120 20L142 62Z',
]
