// Addresses of pages below `/shop/{language}`.

export const productPath = (slug: string): string => `/p/${slug}`
/** For lists with ids only; it redirects to the address with the slug. */
export const productIdPath = (id: string | number): string => `/p/${id}/-`
export const categoryPath = ({ slug }: { slug: string }): string => `/c/${slug}`
/** As `productIdPath`. */
export const categoryIdPath = (id: string): string => `/c/${id}/-`
export const orderPath = (id: string | number): string => `/orders/${id}`

/** The slug of an offer is the slug of its product and the offer's id. Null if it is another one. */
export const productSlugOf = (offerSlug: string, offerId: string | number | null): string | null =>
  offerId !== null && offerSlug.endsWith(`-${offerId}`)
    ? offerSlug.slice(0, -String(offerId).length - 1)
    : null

/** A path of this storefront that a form may name to return to; anything else is the home page. */
export const safeReturn = (path: string | undefined, home: string): string =>
  path !== undefined && /^\/shop\/[\w/?&=%.,+~-]{1,500}$/.test(path) && !path.includes('//') ? path : home
