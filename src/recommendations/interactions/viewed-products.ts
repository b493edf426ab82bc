import type { BuyerHistory, InteractionKind } from './interaction.ts'

export interface ViewedProduct {
  productId: number
  /** The offer of the last view. */
  offer: string
  viewedAt: Date
}

const viewKinds: ReadonlySet<InteractionKind> = new Set(['view', 'click'])

/** The products of the buyer's last views, each once, the newest first. Products that were deleted are left out. */
export function viewedProducts(
  { interactions }: Pick<BuyerHistory, 'interactions'>,
  limit: number,
): ViewedProduct[] {
  const found = new Map<number, ViewedProduct>()
  for (const { kind, productId, offer, atMs } of interactions) {
    if (found.size === limit) break
    if (productId === null || !viewKinds.has(kind) || found.has(productId)) continue
    found.set(productId, { productId, offer, viewedAt: new Date(atMs) })
  }
  return [...found.values()]
}
