// Reviews of products: buyers write them, moderators approve or reject them, and everyone reads approved ones.

import { Type } from 'typebox'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { exists } from '../../catalog/index.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { del, get, post, put, type Route } from '../../http/route.ts'
import {
  flag,
  id,
  idText,
  instant,
  integer,
  list,
  name,
  named,
  nullable,
  oneOf,
  strict,
} from '../../http/schema.ts'
import { findClients } from '../../identity/index.ts'
import { clientOf } from '../access.ts'
import * as store from './store.ts'
import { type Review, reviewStatuses } from './store.ts'

const stars = integer(1, 5)
const string = Type.String()

const shownFields = {
  id: idText,
  product_id: idText,
  author: Type.String({ description: 'The first name of the author.', examples: ['Aziza'] }),
  stars,
  text: nullable(string),
  is_verified: Type.Boolean({ description: 'The author has received the product.' }),
  created_at: instant,
  updated_at: instant,
}
const shownReview = named('Review', Type.Object(shownFields))
const ownReview = named(
  'OwnReview',
  Type.Object({ ...shownFields, status: oneOf(reviewStatuses), reason: nullable(string) }),
)
const moderatedReview = named(
  'ModeratedReview',
  Type.Object({
    ...shownFields,
    status: oneOf(reviewStatuses),
    reason: nullable(string),
    customer_id: idText,
  }),
)

const shown = (it: Review) => ({
  id: String(it.id),
  product_id: String(it.productId),
  author: it.author,
  stars: it.stars,
  text: it.text,
  is_verified: it.isVerified,
  created_at: it.createdAt.toISOString(),
  updated_at: it.updatedAt.toISOString(),
})
const own = (it: Review) => ({ ...shown(it), status: it.status, reason: it.reason })
const moderated = (it: Review) => ({ ...own(it), customer_id: String(it.clientId) })

const sorts = ['id', 'stars'] as const
const count = integer(0, Number.MAX_SAFE_INTEGER)
const rating = Type.Object({
  average: nullable(Type.Number({ minimum: 1, maximum: 5, examples: [4.6] })),
  count,
  by_stars: Type.Array(Type.Object({ stars, count }), { description: 'From five stars to one.' }),
})

/** The average to one decimal, and how many reviews have how many stars. */
function ratingView(found: readonly { stars: number; count: number }[]) {
  const byStars = [5, 4, 3, 2, 1].map((it) => ({
    stars: it,
    count: found.find((one) => one.stars === it)?.count ?? 0,
  }))
  const total = byStars.reduce((sum, it) => sum + it.count, 0)
  const sum = byStars.reduce((all, it) => all + it.stars * it.count, 0)
  return {
    average: total === 0 ? null : Math.round((sum / total) * 10) / 10,
    count: total,
    by_stars: byStars,
  }
}

const product = (productId: string) => refuse('not_found', { resource: 'product', id: productId })

export const reviewRoutes: Route[] = [
  get('/v1/catalog/products/{product_id}/reviews', {
    summary: 'List approved reviews of a product',
    description: 'With the average and the number of stars of all approved reviews. The newest first.',
    scope: 'catalog:read',
    params: { product_id: idText },
    query: listQuery(sorts, {}, '-id'),
    reply: Type.Object({ rating, reviews: list(shownReview, 100), pagination }),
    run: async ({ read, params, query }) => {
      const productId = Number(params.product_id)
      if (!(await exists(read, 'product', productId))) throw product(params.product_id)
      const listing = listingOf(query, '-id')
      const [page, found] = await Promise.all([
        store.listReviews(read, listing, { productId, status: 'approved' }),
        store.starsOf(read, productId),
      ])
      return {
        data: {
          rating: ratingView(found),
          reviews: page.rows.map(shown),
          pagination: paginationView(listing, page),
        },
      }
    },
  }),
  get('/v1/auth/reviews', {
    summary: 'List my reviews',
    scope: 'profile:read',
    needs: 'client',
    query: listQuery(sorts, {}, '-id'),
    reply: Type.Object({ reviews: list(ownReview, 100), pagination }),
    run: async ({ read, principal, query }) => {
      const listing = listingOf(query, '-id')
      const page = await store.listReviews(read, listing, { clientId: clientOf(principal) })
      return { data: { reviews: page.rows.map(own), pagination: paginationView(listing, page) } }
    },
  }),
  put('/v1/auth/reviews/{product_id}', {
    summary: 'Review a product',
    description:
      'One review per product; another one replaces it. It is shown after a moderator has approved it.',
    scope: 'profile:write',
    needs: 'client',
    params: { product_id: idText },
    body: strict({ stars, text: Type.Optional(nullable(name(5_000, 'Keeps the tea hot for hours.'))) }),
    reply: Type.Object({ review: ownReview }),
    run: async ({ tx, principal, params, body }) => {
      const [clientId, productId] = [clientOf(principal), Number(params.product_id)]
      if (!(await exists(tx, 'product', productId))) throw product(params.product_id)
      const [client] = await findClients(tx, [clientId])
      const review = await store.saveReview(tx, {
        productId,
        clientId,
        author: client?.name.trim().split(/\s+/)[0] ?? '',
        stars: body.stars,
        text: body.text?.trim() ?? null,
      })
      publish(tx, { type: 'ReviewSubmitted', reviewId: review.id, productId, clientId })
      return { data: { review: own(review) } }
    },
  }),
  del('/v1/auth/reviews/{product_id}', {
    summary: 'Delete my review of a product',
    scope: 'profile:write',
    needs: 'client',
    params: { product_id: idText },
    reply: Type.Object({ review: ownReview }),
    run: async ({ tx, principal, params }) => {
      const review = await store.deleteReview(tx, clientOf(principal), Number(params.product_id))
      if (!review) throw refuse('not_found', { resource: 'review', id: params.product_id })
      publish(tx, { type: 'ReviewDeleted', reviewId: review.id, productId: review.productId })
      return { data: { review: own(review) } }
    },
  }),
  get('/v1/admin/reviews', {
    summary: 'List reviews for moderation',
    description: 'The oldest first.',
    scope: 'admin:read',
    query: listQuery(sorts, {
      status: Type.Optional(oneOf(reviewStatuses)),
      product_id: Type.Optional(idText),
    }),
    reply: Type.Object({ reviews: list(moderatedReview, 100), pagination }),
    run: async ({ read, query }) => {
      const listing = listingOf(query, 'id')
      const page = await store.listReviews(read, listing, {
        status: query.status,
        productId: query.product_id === undefined ? undefined : Number(query.product_id),
      })
      return { data: { reviews: page.rows.map(moderated), pagination: paginationView(listing, page) } }
    },
  }),
  post('/v1/admin/reviews/{review_id}/decision', {
    summary: 'Approve or reject a review',
    description: 'A later decision replaces an earlier one.',
    scope: 'admin:write',
    params: { review_id: id },
    body: strict({ approved: flag, reason: Type.Optional(name(1_000, 'Contains a phone number')) }),
    reply: Type.Object({ review: moderatedReview }),
    run: async ({ tx, params, body }) => {
      if (!body.approved && body.reason === undefined)
        throw refuse('validation_failed', { fields: [{ path: 'reason', rule: 'required' }] })
      const review = await store.decideReview(tx, {
        id: params.review_id,
        status: body.approved ? 'approved' : 'rejected',
        reason: body.approved ? null : body.reason!,
      })
      if (!review) throw refuse('not_found', { resource: 'review', id: String(params.review_id) })
      publish(tx, {
        type: 'ReviewDecided',
        reviewId: review.id,
        productId: review.productId,
        status: body.approved ? 'approved' : 'rejected',
      })
      return { data: { review: moderated(review) } }
    },
  }),
]
