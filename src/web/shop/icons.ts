// Icons, as one hidden sprite per page.

import { Html, html } from '../../http/html.ts'

// oxfmt-ignore
const paths = {
  search: 'M10.5 18a7.5 7.5 0 1 1 0-15 7.5 7.5 0 0 1 0 15Zm5.5-2 5 5',
  cart:   'M3 4h2.2l2.1 11.2a1.5 1.5 0 0 0 1.5 1.2h8.6a1.5 1.5 0 0 0 1.5-1.2L20.5 8H6.3M9.5 20.2h.01M17 20.2h.01',
  heart:  'M12 20.3s-7.8-4.6-8.9-9.4C2.2 6.9 5 4.3 7.9 4.3c1.8 0 3.3 1 4.1 2.4.8-1.4 2.3-2.4 4.1-2.4 2.9 0 5.7 2.6 4.8 6.6-1.1 4.8-8.9 9.4-8.9 9.4Z',
  user:   'M12 12.2a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.4c.8-3.6 3.8-5.5 7.5-5.5s6.7 1.9 7.5 5.5',
  home:   'M4 11.2 12 4l8 7.2V20h-5.3v-5.2H9.3V20H4Z',
  grid:   'M4 4h6.5v6.5H4ZM13.5 4H20v6.5h-6.5ZM4 13.5h6.5V20H4ZM13.5 13.5H20V20h-6.5Z',
  globe:  'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3.3 12h17.4M12 3c2.6 2.6 3.6 5.6 3.6 9s-1 6.4-3.6 9c-2.6-2.6-3.6-5.6-3.6-9s1-6.4 3.6-9Z',
  moon:   'M20 14.4A8.3 8.3 0 0 1 9.6 4a8.3 8.3 0 1 0 10.4 10.4Z',
  trash:  'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.8 12.5h9.4L17.5 7M10.3 10.5v5.5M13.7 10.5v5.5',
  check:  'm4.5 12.5 5 5 10-11',
  truck:  'M3 6h11v10H3ZM14 9.5h4l3 3.3V16h-7M7 18.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6ZM17.5 18.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z',
  card:   'M3 6.5h18v11H3ZM3 10h18M6.5 14h4',
  box:    'M4 8l8-4 8 4v8.5l-8 4-8-4ZM4 8l8 4 8-4M12 12v8.5',
  back:   'M9 8 4 12.8 9 17.5M4.5 12.8h9.8a5.2 5.2 0 0 0 0-10.4',
  people: 'M9 11.5a3.4 3.4 0 1 0 0-6.8 3.4 3.4 0 0 0 0 6.8ZM2.8 19.5c.5-3.2 3-5 6.2-5s5.7 1.8 6.2 5M15.5 5a3.3 3.3 0 0 1 0 6.3M17.8 14.8c1.9.7 3.1 2.3 3.4 4.7',
} as const

export type IconName = keyof typeof paths

export const icon = (name: IconName): Html =>
  html`<svg class="icon" aria-hidden="true" viewBox="0 0 24 24"><use href="#i-${name}" /></svg>`

export const iconSprite = new Html(
  `<svg class="sprite" aria-hidden="true">${Object.entries(paths)
    .map(([name, path]) => `<symbol id="i-${name}" viewBox="0 0 24 24"><path d="${path}"/></symbol>`)
    .join('')}</svg>`,
)

/** The mark of the shop: an eight-pointed star, as on the tiles of the region. */
export const mark = new Html(
  '<svg class="mark" aria-hidden="true" viewBox="0 0 32 32"><path fill="var(--brand)" d="M16 0l4.7 4.7h6.6v6.6L32 16l-4.7 4.7v6.6h-6.6L16 32l-4.7-4.7H4.7v-6.6L0 16l4.7-4.7V4.7h6.6Z"/><path fill="var(--saffron)" d="M16 8.2l2.3 2.3h3.2v3.2l2.3 2.3-2.3 2.3v3.2h-3.2L16 23.8l-2.3-2.3h-3.2v-3.2L8.2 16l2.3-2.3v-3.2h3.2Z"/></svg>',
)
