// Generated pictures for entities without one. A slug always gets the same picture; no database is needed.

import { sha256 } from '../../base/random.ts'
import type { Page, PageReply, PageRequest } from '../../http/server.ts'
import { categoryPicture, partnerLogo, productPicture, type Size, widths } from './drawings.ts'
import { isMotif, type Motif, motifOf } from './motif.ts'

export const categoryPicturePath = (slug: string): string => `/pictures/categories/${slug}.svg`

export const partnerPicturePath = (slug: string): string => `/pictures/partners/${slug}.svg`

/** The picture of a product in three sizes. The motif is part of the path, so that no lookup is needed. */
export const productPicturePaths = (slug: string, motif: Motif = motifOf({ slug })) => ({
  lgPath: `/pictures/products/${motif}/${slug}/lg.svg`,
  mdPath: `/pictures/products/${motif}/${slug}/md.svg`,
  smPath: `/pictures/products/${motif}/${slug}/sm.svg`,
})

export const picturePages: Page[] = [
  { path: '/pictures/categories/{file}', run: (asked) => shown(asked, categoryPicture(slugOf(asked))) },
  { path: '/pictures/partners/{file}', run: (asked) => shown(asked, partnerLogo(slugOf(asked))) },
  {
    path: '/pictures/products/{motif}/{slug}/{file}',
    run: (asked) => {
      const { motif = '', slug = '' } = asked.params
      const size = slugOf(asked)
      return shown(asked, productPicture(slug, isMotif(motif) ? motif : 'gift', isSize(size) ? size : 'md'))
    },
  },
]

const slugOf = ({ params }: PageRequest): string => (params['file'] ?? '').replace(/\.svg$/, '')

const isSize = (text: string): text is Size => Object.hasOwn(widths, text)

/** An SVG that may be cached for a day; 304 when the ETag matches. */
function shown({ request }: PageRequest, body: string): PageReply {
  const etag = `"${sha256(body).toString('base64url').slice(0, 22)}"`
  const held = request.headers['if-none-match']
    ?.split(',')
    .some((it) => it.trim().replace(/^W\//, '') === etag)
  return {
    ...(held ? { status: 304 } : {}),
    type: 'image/svg+xml; charset=utf-8',
    body: held ? '' : body,
    headers: {
      etag,
      'cache-control': 'public, max-age=86400',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    },
  }
}
