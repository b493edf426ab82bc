// A recommendation request of the main page.

import type { RecommendationRequest } from '../../src/recommendations/serving/request.ts'

export const mainPageRequest = (buyers: string[]): RecommendationRequest => ({
  channel: '/offers/recommended/v3',
  layer: 'main_page',
  identifiers: buyers,
  offers: [],
  products: [],
  group: 'prod',
  isGroupChosen: false,
  experimentGroup: null,
  region: 'home',
  place: null,
  platform: [],
  isCategoriesPage: false,
  categoryId: null,
  limit: 30,
})
