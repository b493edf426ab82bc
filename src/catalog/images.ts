// Pictures as they are shown: addresses that work from anywhere, and a drawn one for what has none.

import type { Image } from './goods.ts'
import { partnerPicturePath, productPicturePaths } from './pictures.ts'
import { motifOf } from './pictures/motif.ts'
import type { OfferSheet, ProductSheet } from './sheets.ts'

/** The pictures of a product, as addresses. */
export const productImages = (
  { images, slug, categoryPath }: Pick<ProductSheet, 'images' | 'slug' | 'categoryPath'>,
  origin: string,
): Image[] => shown(images, { slug, categorySlug: categoryPath.at(-1)?.slug ?? '', origin })

/** The pictures of what is offered: its product's. */
export const offerImages = (
  { images, product, path }: Pick<OfferSheet, 'images' | 'product' | 'path'>,
  origin: string,
): Image[] => shown(images, { slug: product.slug, categorySlug: path.split('/', 2)[1]!, origin })

export const shownLogo = (
  { logoPath, slug }: { logoPath: string | null; slug: string },
  origin: string,
): string => addressOf(logoPath ?? partnerPicturePath(slug), origin)

const shown = (
  images: readonly Image[],
  { slug, categorySlug, origin }: { slug: string; categorySlug: string; origin: string },
): Image[] =>
  (images.length > 0 ? images : [productPicturePaths(slug, motifOf({ slug, categorySlug }))]).map((it) => ({
    lgPath: addressOf(it.lgPath, origin),
    mdPath: addressOf(it.mdPath, origin),
    smPath: addressOf(it.smPath, origin),
  }))

/** Our own pictures are kept as paths, so that they follow the shop to another address. */
const addressOf = (path: string, origin: string): string => (path.startsWith('/') ? origin + path : path)
