import { sha256 } from '../../base/random.ts'
import { motifOf, motifs } from './motif.ts'
import { paintOf } from './palette.ts'

/** Two hues, three hills and, in front of them, a thing that stands for the category; all of it from the slug. */
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
