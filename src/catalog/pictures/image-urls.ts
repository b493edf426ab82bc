// Picture URLs: absolute, and a generated picture where there is none.

import type { Image, Variant } from '../entities/entities.ts'
import { partnerPicturePath, productPicturePaths } from './pages.ts'
import { motifOf } from './motif.ts'
import type { OfferDetails, ProductDetails } from '../offers/offer-details.ts'

/** A generated picture has the colour of the variant. */
export const productImageUrls = (
  { images, slug, categoryPath }: Pick<ProductDetails, 'images' | 'slug' | 'categoryPath'>,
  variant: Pick<Variant, 'attributes'> | undefined,
  origin: string,
): Image[] =>
  shown(images, {
    slug,
    colour: variant?.attributes['color'],
    categorySlug: categoryPath.at(-1)?.slug ?? '',
    origin,
  })

/** The pictures of the offer's product. */
export const offerImageUrls = (
  {
    images,
    product,
    variantColour,
    path,
  }: Pick<OfferDetails, 'images' | 'product' | 'path'> & Partial<Pick<OfferDetails, 'variantColour'>>,
  origin: string,
): Image[] =>
  shown(images, { slug: product.slug, colour: variantColour, categorySlug: path.split('/', 2)[1]!, origin })

export const logoUrl = (
  { logoPath, slug }: { logoPath: string | null; slug: string },
  origin: string,
): string => urlOf(logoPath ?? partnerPicturePath(slug), origin)

interface Drawn {
  slug: string
  categorySlug: string
  colour: string | null | undefined
  origin: string
}

const shown = (images: readonly Image[], { origin, ...drawn }: Drawn): Image[] =>
  (images.length > 0 ? images : [drawnPaths(drawn)]).map((it) => ({
    lgPath: urlOf(it.lgPath, origin),
    mdPath: urlOf(it.mdPath, origin),
    smPath: urlOf(it.smPath, origin),
  }))

/** The colour of a picture is the last one that its slug names. */
function drawnPaths({ slug, categorySlug, colour }: Omit<Drawn, 'origin'>): Image {
  const isColour = colour != null && /^[a-z]+(-[a-z]+)*$/.test(colour)
  return productPicturePaths(isColour ? `${slug}-${colour}` : slug, motifOf({ slug, categorySlug }))
}

/** Own pictures are stored as paths, so that they survive a change of the public URL. */
const urlOf = (path: string, origin: string): string => (path.startsWith('/') ? origin + path : path)
