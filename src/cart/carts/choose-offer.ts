// The offer for a product and variant in a `/v1` cart (SPEC-1 4.1).

import type { Reader } from '../../base/database.ts'
import { refuse } from '../../base/refusal.ts'
import * as catalog from '../../catalog/index.ts'
import type { RequestContext } from '../../http/route.ts'
import { keyOf, type LineKey } from './cart.ts'
import { ordinary } from './request.ts'
import { violated } from './rules.ts'
import type { Shopper } from './shopper.ts'
import { findCart, reservedByOthers } from './store.ts'

export interface NamedProduct {
  product_id: string
  variant_id?: string | null
  quantity: number
}

interface Choice extends Pick<RequestContext, 'region'> {
  shopper: Shopper
  /** The path of the products in the body, for messages. */
  pathOf(at: number): string
}

/** The best offer of each product and variant that can serve the quantity, with what is in the cart already. */
export async function chooseOffers(
  read: Reader,
  products: readonly NamedProduct[],
  { shopper, region, pathOf }: Choice,
): Promise<LineKey[]> {
  if (products.length === 0) return []
  const held = await findCart(read, shopper.buyer, shopper.settings.dayOf(read.now))
  const units = new Map(held?.cart.lines.map((it) => [keyOf(it), it.quantity]))
  const keys: LineKey[] = []
  for (const [at, it] of products.entries()) {
    const offers = await offersOf(read, it, { region, path: pathOf(at) })
    const reserved = await reservedByOthers(
      read,
      offers.map((offer) => ordinary(offer.id)),
      held ? [held.cart.id] : [],
    )
    const unitsAfter = (offerId: number) => (units.get(keyOf(ordinary(offerId))) ?? 0) + it.quantity
    const chosen =
      offers.find(
        ({ id, quantity }) => quantity - (reserved.get(keyOf(ordinary(id))) ?? 0) >= unitsAfter(id),
      ) ?? offers[0]!
    units.set(keyOf(ordinary(chosen.id)), unitsAfter(chosen.id))
    keys.push(ordinary(chosen.id))
  }
  return keys
}

/** The offers in stock of a product and variant, the best first; at least one. */
async function offersOf(
  read: Reader,
  it: NamedProduct,
  { region, path }: Pick<RequestContext, 'region'> & { path: string },
): Promise<catalog.OfferTerms[]> {
  const product = await catalog.findProduct(read, Number(it.product_id))
  if (!product)
    throw refuse('not_found', { resource: 'product', id: it.product_id, path: `${path}product_id` })
  const all = catalog.rankedOffersOf(product, region)
  const variantId = it.variant_id == null ? onlyVariant(product, all, path) : Number(it.variant_id)
  if (variantId !== null && !product.variants.some((one) => one.id === variantId))
    throw refuse('not_found', { resource: 'variant', id: String(variantId), path: `${path}variant_id` })
  const offers = all.filter((one) => one.variantId === variantId && one.quantity > 0)
  if (offers.length === 0) throw violated([{ code: 'offer_unavailable', remedy: { action: 'remove' } }])
  return offers
}

/** The variant of a product that was named without one. A product in several variants is refused with the choice. */
function onlyVariant(
  product: catalog.ProductDetails,
  offers: readonly catalog.OfferTerms[],
  path: string,
): number | null {
  const variantIds = new Set(offers.map((it) => it.variantId))
  if (variantIds.has(null) || variantIds.size === 0) return null
  if (variantIds.size === 1) return [...variantIds][0]!
  const variants = product.variants.filter((it) => variantIds.has(it.id))
  throw refuse('validation_failed', {
    fields: [{ path: `${path}variant_id`, rule: 'choice', limit: variants.map((it) => String(it.id)) }],
    variants: variants.map(({ id, name, attributes }) => ({ id: String(id), name, attributes })),
  })
}
