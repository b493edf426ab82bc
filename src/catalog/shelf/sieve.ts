// The filters of a question, made ready to judge many rows.

import type { Columns } from './columns.ts'
import type { Sets } from './interned.ts'
import type { Filters } from './question.ts'
import type { Region } from './item.ts'

/** Which filters a row fails, as bits. Facets leave out one of them at a time. */
export const failed = {
  brand: 1,
  partner: 2,
  category: 4,
  price: 8,
  rating: 16,
  stock: 32,
  other: 64,
} as const

export class Sieve {
  readonly region: Region
  readonly filters: Filters
  readonly #columns: Columns
  readonly #brands: Set<number> | undefined
  readonly #ids: Set<number> | undefined
  readonly #pathPasses: SetJudge | undefined
  readonly #partnersPass: SetJudge | undefined

  constructor(columns: Columns, region: Region, filters: Filters) {
    this.#columns = columns
    this.region = region
    this.filters = filters
    const { brandIds, partnerIds, categoryId, ids } = filters
    this.#brands =
      brandIds && new Set(brandIds.map((id) => columns.brandIds.find(id)).filter((it) => it >= 0))
    this.#ids = ids && new Set(ids)
    this.#pathPasses =
      categoryId === undefined
        ? undefined
        : judgeOf(() => columns.paths, new Set([columns.categoryIds.find(categoryId)]))
    this.#partnersPass =
      partnerIds &&
      judgeOf(() => columns.partnerSets, new Set(partnerIds.map((id) => columns.partnerIds.find(id))))
  }

  /** Lets everything pass. */
  get isOpen(): boolean {
    return Object.values(this.filters).every((it) => it === undefined)
  }

  /** For each row the bits of the filters that it fails; undefined when all pass. */
  failsOf(slots: Int32Array): Uint8Array | undefined {
    if (this.isOpen) return undefined
    const fails = new Uint8Array(slots.length)
    for (let at = 0; at < slots.length; at++) fails[at] = this.fails(slots[at]!)
    return fails
  }

  /** The bits of the filters that this row fails: 0 when it passes. */
  fails(slot: number): number {
    const columns = this.#columns
    const here = columns.in[this.region]
    const { priceMin, priceMax, ratingMin, inStock, discounted } = this.filters
    let bits = 0
    if (this.#pathPasses && !this.#pathPasses(columns.path[slot]!)) bits |= failed.category
    if (this.#brands && !this.#brands.has(columns.brand[slot]!)) bits |= failed.brand
    if (this.#partnersPass && !this.#partnersPass(here.partners[slot]!)) bits |= failed.partner
    // A row without a price or a rating compares as false, and so fails.
    if (priceMin !== undefined && !(here.price[slot]! >= priceMin)) bits |= failed.price
    if (priceMax !== undefined && !(here.price[slot]! <= priceMax)) bits |= failed.price
    if (ratingMin !== undefined && !(here.rating[slot]! >= ratingMin)) bits |= failed.rating
    if (inStock !== undefined && (here.inStock[slot] === 1) !== inStock) bits |= failed.stock
    if (discounted !== undefined && here.discount[slot]! > 0 !== discounted) bits |= failed.other
    if (this.#ids && !this.#ids.has(columns.id[slot]!)) bits |= failed.other
    return bits
  }
}

type SetJudge = (set: number) => boolean

/** Whether a set has one of the wanted members; each set is judged once. */
function judgeOf(sets: () => Sets, wanted: Set<number>): SetJudge {
  let judged = sets()
  let verdicts: (boolean | undefined)[] = []
  return (set) => {
    if (judged !== sets()) {
      judged = sets()
      verdicts = []
    }
    return (verdicts[set] ??= judged.at(set).some((it) => wanted.has(it)))
  }
}
