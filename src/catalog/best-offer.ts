import type { Reader } from '../base/db.ts'
import type { Region } from './goods.ts'
import type { OfferTerms, ProductSheet } from './sheets.ts'
import { byWorth } from './sheets.ts'
import { findSheet } from './find-product.ts'

/** Of the offers of a product in a region, in stock or not, the one that a buyer would take. */
export const bestOfferOf = (
  sheet: ProductSheet,
  region: Region,
  variantId?: number | null,
): OfferTerms | undefined =>
  sheet.offers
    .filter((it) => it.regions.includes(region) && (variantId === undefined || it.variantId === variantId))
    .toSorted(byWorth)[0]

/** The offer that `(product, variant)` means (contract of the cart): visible, in stock, cheapest; undefined if none is. */
export async function bestOffer(
  read: Reader,
  { productId, variantId, region }: { productId: number; variantId: number | null; region: Region },
): Promise<OfferTerms | undefined> {
  const sheet = await findSheet(read, productId)
  const best = sheet && bestOfferOf(sheet, region, variantId ?? undefined)
  return best && best.quantity > 0 ? best : undefined
}
