// What every page shows around its content: the category tree and the visitor's cart.

import type { Category } from '../../sdk/index.ts'
import type { Product } from '../../sdk/index.ts'
import type { Frame, Visit } from './visit.ts'

/** Lists that all visitors see alike. */
export interface Showcase {
  deals: Product[]
  discounts: Product[]
  popular: Product[]
}

const maxPerPage = 100
const maxCategories = 500

/** All categories, or as many as a menu can show. */
async function allCategories({ store }: Visit): Promise<Category[]> {
  const found: Category[] = []
  for await (const category of store.categories.list({ per_page: maxPerPage })) {
    found.push(category)
    if (found.length === maxCategories) break
  }
  return found
}

/** What all visitors see alike around every page. */
export const sharedFrame = (visit: Visit): Promise<Pick<Frame, 'categories' | 'shop'>> =>
  visit.keep('frame', async () => {
    const [categories, { shop }] = await Promise.all([allCategories(visit), visit.store.shop.get()])
    return { categories, shop }
  })

export async function loadFrame(visit: Visit): Promise<Frame> {
  const [shared, cart] = await Promise.all([
    sharedFrame(visit),
    // A new visitor has no cart yet.
    visit.isNew ? undefined : visit.bozor.cart.get(visit.buyer),
  ])
  return { ...shared, cartCount: cart?.TotalItemsCount ?? 0 }
}

const shownDeals = 60
const maxDiscounts = 100

/** Popular products, and those in promotions. */
export async function loadShowcase({ store }: Visit): Promise<Showcase> {
  const [deals, discounts, popular] = await Promise.all([
    store.products.list({ discounted: true, in_stock: true, sort: '-popularity', per_page: shownDeals }),
    store.products.list({ discounted: true, in_stock: true, sort: '-discount', per_page: maxDiscounts }),
    store.products.list({ in_stock: true, sort: '-popularity', per_page: shownDeals }),
  ])
  return { deals: deals.items, discounts: discounts.items, popular: popular.items }
}

export const childrenOf = (categories: readonly Category[], id: string | null): Category[] =>
  categories.filter((it) => it.parent_id === id)

/** The category and those above it, the top one first. */
export function ancestry(categories: readonly Category[], id: string): Category[] {
  const path: Category[] = []
  for (let next = categories.find((it) => it.id === id); next;) {
    path.unshift(next)
    const { parent_id: parent }: Category = next
    next = path.length > 10 ? undefined : categories.find((it) => it.id === parent)
  }
  return path
}
