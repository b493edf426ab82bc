export interface Brand {
  id: number
  slug: string
  name: string
  version: number
  createdAt: Date
  updatedAt: Date
}

/** What a shop says of a brand. Without an id, the shop finds one. */
export interface BrandRecord {
  id?: number
  slug: string
  name: string
}
