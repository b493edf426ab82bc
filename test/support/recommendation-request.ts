// A recommendation request of the main page.

import { type RecommendationRequest, requestWith } from '../../src/recommendations/serving/request.ts'

export const mainPageRequest = (identifiers: string[]): RecommendationRequest =>
  requestWith({ channel: '/offers/recommended/v3', identifiers, isGroupChosen: false })
