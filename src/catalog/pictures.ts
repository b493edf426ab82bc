// Pictures for what has none, drawn on the fly: the same name always gets the same picture.

import { sha256 } from '../base/random.ts'
import type { Page } from '../http/server.ts'

export const categoryPicturePath = (slug: string): string => `/pictures/categories/${slug}.svg`

export const pages: Page[] = [
  {
    path: '/pictures/categories/{file}',
    run: ({ params }) => ({
      type: 'image/svg+xml; charset=utf-8',
      body: drawnPicture((params['file'] ?? '').replace(/\.svg$/, '')),
      headers: {
        'cache-control': 'public, max-age=86400',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      },
    }),
  },
]

/** Two hues, three hills and a letter, all from the slug. */
export function drawnPicture(slug: string): string {
  const seed = sha256(slug)
  const hue = Math.round((seed[0]! / 255) * 360)
  const letter = /[a-z0-9]/i.exec(slug)?.[0]?.toUpperCase() ?? '·'
  const hills = [1, 2, 3].map((at) => {
    const [left, peak, right] = [1, 2, 3].map((step) => 190 + at * 40 - (seed[at * 3 + step]! % 90))
    return `<path d="M0 ${left} Q120 ${peak} 240 ${right} T480 ${left} V360 H0Z" fill="hsl(${hue + at * 18} 60% ${72 - at * 12}% / .55)"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 360" role="img" aria-label="${letter}"><defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="hsl(${hue} 70% 92%)"/><stop offset="1" stop-color="hsl(${hue + 40} 65% 78%)"/></linearGradient></defs><rect width="480" height="360" fill="url(#g)"/>${hills.join('')}<text x="240" y="205" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="700" font-size="120" fill="hsl(${hue} 45% 28%)">${letter}</text></svg>`
}

export const partnerPicturePath = (slug: string): string => `/pictures/partners/${slug}.svg`

export const productPicturePaths = (slug: string) => ({
  lgPath: `/pictures/products/${slug}/lg.svg`,
  mdPath: `/pictures/products/${slug}/md.svg`,
  smPath: `/pictures/products/${slug}/sm.svg`,
})
