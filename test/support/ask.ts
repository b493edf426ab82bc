// A question for a list, as the main page asks it.

import type { Ask } from '../../src/recommendations/ask.ts'

export const mainPageAsk = (buyers: string[]): Ask => ({
  channel: '/offers/recommended/v3',
  layer: 'main_page',
  buyers,
  offers: [],
  products: [],
  group: 'prod',
  isGroupChosen: false,
  experiment: null,
  region: 'home',
  place: null,
  isCategoriesPage: false,
  categoryId: null,
  limit: 30,
})
