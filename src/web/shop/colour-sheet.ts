// The shop's own colour as a style sheet: the Content-Security-Policy allows no inline styles.

import type { Page } from '../../http/server.ts'

export const colourSheetPath = (colour: string): string => `/shop/colours/${colour.slice(1)}.css`

/** White text is readable on the colour; dark pages use a light tone of it with dark text. */
const sheetOf = (colour: string): string => {
  const light = `--brand:${colour};--brand-strong:color-mix(in oklab,${colour} 85%,black);--brand-soft:color-mix(in oklab,${colour} 12%,white);--on-brand:#fff;--on-soft:color-mix(in oklab,${colour} 85%,black)`
  const tone = `color-mix(in oklab,${colour} 45%,white)`
  const dark = `--brand:${tone};--brand-strong:color-mix(in oklab,${colour} 30%,white);--brand-soft:color-mix(in oklab,${colour} 35%,black);--on-brand:#111;--on-soft:color-mix(in oklab,${colour} 25%,white)`
  return `:root{${light}}@media(prefers-color-scheme:dark){:root:not([data-theme='light']){${dark}}}:root[data-theme='dark']{${dark}}`
}

export const colourSheet: Page = {
  method: 'GET',
  path: '/shop/colours/{file}',
  run: async ({ params: { file = '' } }) => {
    const [, digits] = /^([0-9a-f]{6})\.css$/.exec(file) ?? []
    return digits === undefined
      ? { status: 404, type: 'text/plain; charset=utf-8', body: '' }
      : {
          type: 'text/css; charset=utf-8',
          body: sheetOf(`#${digits}`),
          headers: { 'cache-control': 'public, max-age=31536000, immutable' },
        }
  },
}
