// Reviews of a product: the rating, what buyers wrote, and the form of a client.

import { html, type Html } from '../../../http/html.ts'
import { BozorError, type Operations } from '../../../sdk/index.ts'
import { leaveNote } from '../notes.ts'
import { productIdPath } from '../path.ts'
import type { Reply } from '../storefront.ts'
import { fill } from '../texts/index.ts'
import { signInAddress, type Visit } from '../visit.ts'
import { fieldProblems } from '../remedies.ts'

type Listed = Operations['products.listReviews']['reply']
export type Reviews = Pick<Listed, 'rating' | 'reviews' | 'pagination'>

const shownReviews = 10
/** More are not read at once. */
const mostReviews = 100
const maxText = 5_000
const fiveStars = [5, 4, 3, 2, 1]

/** How many tens of reviews the visitor has asked for. */
const shownTens = ({ query }: Visit): number =>
  Math.min(mostReviews / shownReviews, Math.max(1, Math.floor(Number(query.get('reviews'))) || 1))

export const loadReviews = async (visit: Visit, productId: string): Promise<Reviews> =>
  (
    await visit.bozor.products.listReviews({
      product_id: productId,
      per_page: shownReviews * shownTens(visit),
    })
  ).data

export function reviewsSection(
  visit: Visit,
  { productId, rating, reviews, pagination }: Reviews & { productId: string },
  problem?: string,
): Html {
  const { texts } = visit
  return html`<section class="row reviews" id="reviews">
    <h2>${texts.reviews}</h2>
    <div class="reviews-body">
      <div class="reviews-side">
        ${
          rating.average === null
            ? html`<p class="muted">${texts.reviewsNone}</p>`
            : html`<p class="rating-large"><b>${rating.average.toFixed(1)}</b> ${starsOf(rating.average)}</p>
                <p class="muted">${fill(texts.reviewsCount, { n: rating.count })}</p>
                <ul class="rating-bars">
                  ${rating.by_stars.map((it) => bar(it, rating.count))}
                </ul>`
        }
        ${reviewForm(visit, productId, problem)}
      </div>
      <ul class="review-list">
        ${reviews.map(
          (it) =>
            html`<li class="panel">
              <p class="review-head">
                <b>${it.author}</b> ${starsOf(it.stars)}
                ${it.is_verified && html`<span class="tag">${texts.reviewVerified}</span>`}
                <small class="muted">${visit.format.date(it.created_at)}</small>
              </p>
              ${it.text !== null && html`<p>${it.text}</p>`}
            </li>`,
        )}
        ${moreReviews(visit, reviews.length, pagination.total ?? 0)}
      </ul>
    </div>
  </section>`
}

const moreReviews = (visit: Visit, shown: number, total: number): Html | false =>
  shown < Math.min(total, mostReviews) &&
  html`<li>
    <a class="button soft" href="?reviews=${shownTens(visit) + 1}#reviews">${visit.texts.reviewsMore}</a>
  </li>`

const starsOf = (stars: number): Html => {
  const full = Math.round(stars)
  return html`<span class="stars" role="img" aria-label="${stars}/5"
    >${'★'.repeat(full)}${'☆'.repeat(5 - full)}</span
  >`
}

const bar = (it: { stars: number; count: number }, total: number): Html =>
  html`<li>
    <span>${it.stars} ★</span>
    <meter min="0" max="${Math.max(1, total)}" value="${it.count}" aria-label="${it.stars} ★"></meter>
    <small>${it.count}</small>
  </li>`

function reviewForm(visit: Visit, productId: string, problem: string | undefined): Html {
  const { texts, form } = visit
  if (!visit.clientName)
    return html`<p class="muted">
      <a href="${signInAddress(visit)}">${texts.signIn}</a>: ${texts.reviewSignIn}
    </p>`
  return html`<form class="panel review-form" method="post" action="${visit.at(`/p/${productId}/review`)}">
    <h3 class="small-title">${texts.reviewWrite}</h3>
    ${problem !== undefined && html`<p class="alert" role="alert">${problem}</p>`}
    <fieldset class="star-choice">
      <legend>${texts.reviewStars}</legend>
      ${fiveStars.map(
        (it) =>
          html`<label class="check">
            <input
              type="radio"
              name="stars"
              value="${it}"
              required
              ${form['stars'] === String(it) && html`checked`}
            />
            <span>${'★'.repeat(it)}</span>
          </label>`,
      )}
    </fieldset>
    <div class="field">
      <label for="review-text">${texts.reviewText} <small>(${texts.optional})</small></label>
      <textarea id="review-text" name="text" rows="4" maxlength="${maxText}">${form['text'] ?? ''}</textarea>
    </div>
    <button class="button brand">${texts.reviewSend}</button>
  </form>`
}

/** Sends a review; a refused one is explained on the page of the product. */
export async function writeReview(
  visit: Visit,
  show: (visit: Visit, problem: string) => Promise<Reply>,
): Promise<Reply> {
  const { form, texts } = visit
  const productId = visit.params['id'] ?? ''
  const stars = Number(form['stars'])
  if (!visit.clientName)
    return {
      kind: 'redirect',
      status: 303,
      to: signInAddress(visit, visit.at(productIdPath(productId))),
    }
  if (!fiveStars.includes(stars)) return show(visit, texts.reviewStars)
  const text = form['text']?.trim()
  try {
    await visit.bozor.auth.replaceReview({ product_id: productId, stars, ...(text && { text }) })
  } catch (error) {
    if (!(error instanceof BozorError) || error.status === 401) throw error
    const [problem = error.message] = fieldProblems(error).values()
    return show(visit, visit.say(problem))
  }
  leaveNote(visit, 'reviewSent')
  return { kind: 'redirect', status: 303, to: visit.at(productIdPath(productId)) }
}
