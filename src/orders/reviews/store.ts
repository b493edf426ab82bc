// Reviews of products: one per client and product.

import type { Reader, Tx } from '../../base/database.ts'
import { type ListPage, type ListRequest, loadPage } from '../../base/listing.ts'

export const reviewStatuses = ['pending', 'approved', 'rejected'] as const
export type ReviewStatus = (typeof reviewStatuses)[number]

export interface Review {
  id: number
  productId: number
  clientId: number
  author: string
  stars: number
  text: string | null
  /** The author has received the product. */
  isVerified: boolean
  status: ReviewStatus
  /** Why it was rejected. */
  reason: string | null
  createdAt: Date
  updatedAt: Date
}

const columns = `id, product_id as "productId", client_id as "clientId", author, stars, text, is_verified as "isVerified",
  status, reason, created_at as "createdAt", updated_at as "updatedAt"`

/** Saves the review of a client; a changed one waits for moderation again. */
export const saveReview = (
  tx: Tx,
  it: Pick<Review, 'productId' | 'clientId' | 'author' | 'stars' | 'text'>,
): Promise<Review> =>
  tx.one(
    `insert into orders_reviews (product_id, client_id, author, stars, text, is_verified, status, created_at, updated_at)
     values ($1, $2, $3, $4, $5,
       exists (select 1 from orders_orders o join orders_lines line on line.order_id = o.id
         where o.client_id = $2 and line.product_id = $1 and o.fulfilment_status in ('delivered', 'partially_returned', 'returned')),
       'pending', $6, $6)
     on conflict (client_id, product_id) do update set author = excluded.author, stars = excluded.stars,
       text = excluded.text, is_verified = excluded.is_verified, status = 'pending', reason = null,
       updated_at = excluded.updated_at
     returning ${columns}`,
    [it.productId, it.clientId, it.author, it.stars, it.text, tx.now],
  )

export const deleteReview = (tx: Tx, clientId: number, productId: number): Promise<Review | undefined> =>
  tx.maybe(`delete from orders_reviews where client_id = $1 and product_id = $2 returning ${columns}`, [
    clientId,
    productId,
  ])

/** Approves or rejects a review. */
export const decideReview = (
  tx: Tx,
  { id, status, reason }: { id: number; status: ReviewStatus; reason: string | null },
): Promise<Review | undefined> =>
  tx.maybe(
    `update orders_reviews set status = $2, reason = $3, updated_at = $4 where id = $1 returning ${columns}`,
    [id, status, reason, tx.now],
  )

export const reviewSorts = {
  id: { by: 'id', type: 'int8' },
  stars: { by: 'stars::int8', type: 'int8' },
} as const

const conditions = { productId: 'product_id =', clientId: 'client_id =', status: 'status =' }

export interface ReviewFilters {
  productId?: number | undefined
  clientId?: number | undefined
  status?: ReviewStatus | undefined
}

export function listReviews(
  read: Reader,
  listing: ListRequest,
  filters: ReviewFilters,
): Promise<ListPage<Review>> {
  const used = (Object.keys(conditions) as (keyof ReviewFilters)[]).filter((it) => filters[it] !== undefined)
  return loadPage<Review>(
    read,
    {
      columns,
      from: 'orders_reviews',
      where: used.map((it, at) => `${conditions[it]} $${at + 1}`),
      values: used.map((it) => filters[it]),
      sorts: reviewSorts,
      key: { by: 'id', type: 'int8' },
    },
    listing,
  )
}

/** The number of approved reviews of a product by stars. */
export const starsOf = (read: Reader, productId: number): Promise<{ stars: number; count: number }[]> =>
  read.all(
    `select stars, count(*) as count from orders_reviews where product_id = $1 and status = 'approved' group by stars`,
    [productId],
  )

/** Moves the reviews of a duplicate to the client it was merged into; of two about one product the client's own stays. */
export async function moveReviews(tx: Tx, { from, into }: { from: number; into: number }): Promise<void> {
  await tx.all(
    `delete from orders_reviews mine using orders_reviews theirs
     where mine.client_id = $1 and theirs.client_id = $2 and theirs.product_id = mine.product_id`,
    [from, into],
  )
  await tx.all(`update orders_reviews set client_id = $2 where client_id = $1`, [from, into])
}

export async function eraseReviews(tx: Tx, clientId: number): Promise<void> {
  await tx.all(`delete from orders_reviews where client_id = $1`, [clientId])
}
