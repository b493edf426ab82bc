import { sha256 } from '../../base/random.ts'

/** Tiles of the kind that cover old walls, as an eight-fold star, with the first letters of the name in the middle. */
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
