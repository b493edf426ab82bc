/** Ratings that are counted, the highest first. */
export const ratingSteps = [4.5, 4, 3, 2, 1]

/** The place of the highest step that a rating reaches; the number of steps when it reaches none or is NaN. */
export function ratingStep(rating: number): number {
  let step = 0
  while (step < ratingSteps.length && !(rating >= ratingSteps[step]!)) step++
  return step
}
