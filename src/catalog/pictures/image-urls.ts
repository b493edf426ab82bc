// Picture URLs: absolute, and a generated picture where there is none.

import type { Image } from '../entities/entities.ts'
import { partnerPicturePath, productPicturePaths } from './pages.ts'
import { motifOf } from './motif.ts'
import type { OfferDetails, ProductDetails } from '../offers/offer-details.ts'

export const productImageUrls = (
  { images, slug, categoryPath }: Pick<ProductDetails, 'images' | 'slug' | 'categoryPath'>,
  origin: string,
): Image[] => shown(images, { slug, categorySlug: categoryPath.at(-1)?.slug ?? '', origin })

/** The pictures of the offer's product. */
export const offerImageUrls = (
  { images, product, path }: Pick<OfferDetails, 'images' | 'product' | 'path'>,
  origin: string,
): Image[] => shown(images, { slug: product.slug, categorySlug: path.split('/', 2)[1]!, origin })

export const logoUrl = (
  { logoPath, slug }: { logoPath: string | null; slug: string },
  origin: string,
): string => urlOf(logoPath ?? partnerPicturePath(slug), origin)

const shown = (
  images: readonly Image[],
  { slug, categorySlug, origin }: { slug: string; categorySlug: string; origin: string },
): Image[] =>
  (images.length > 0 ? images : [productPicturePaths(slug, motifOf({ slug, categorySlug }))]).map((it) => ({
    lgPath: urlOf(it.lgPath, origin),
    mdPath: urlOf(it.mdPath, origin),
    smPath: urlOf(it.smPath, origin),
  }))

/** Own pictures are stored as paths, so that they survive a change of the public URL. */
const urlOf = (path: string, origin: string): string => (path.startsWith('/') ? origin + path : path)
