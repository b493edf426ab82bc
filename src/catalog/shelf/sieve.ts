// The filters of a question, made ready to judge many rows.

import type { Columns } from './columns.ts'
import type { Numbered, Sets } from './interned.ts'
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

type Judge = (slot: number) => boolean

export class Sieve {
  readonly region: Region
  readonly filters: Filters
  /** Every filter asked for: whether a row passes it, and the bit of its failure. */
  readonly #judges: Judge[]
  readonly #bits: number[]

  constructor(columns: Columns, region: Region, filters: Filters) {
    this.region = region
    this.filters = filters
    const judges = judgesOf(columns, region, filters)
    this.#judges = judges.map(([, passes]) => passes)
    this.#bits = judges.map(([bit]) => bit)
  }

  /** Lets everything pass. */
  get isOpen(): boolean {
    return this.#judges.length === 0
  }

  passes(slot: number): boolean {
    for (let at = 0; at < this.#judges.length; at++) if (!this.#judges[at]!(slot)) return false
    return true
  }

  /** For each row the bits of the filters that it fails; undefined when all pass. One filter after the other. */
  failsOf(slots: Int32Array): Uint8Array | undefined {
    if (this.isOpen) return undefined
    const fails = new Uint8Array(slots.length)
    for (const [number, passes] of this.#judges.entries()) {
      const bit = this.#bits[number]!
      for (let at = 0; at < slots.length; at++) if (!passes(slots[at]!)) fails[at]! |= bit
    }
    return fails
  }
}

/** Columns grow by being replaced, so a judge looks them up anew. What has no price or rating compares as false. */
function judgesOf(columns: Columns, region: Region, filters: Filters): [number, Judge][] {
  const { categoryId, brandIds, partnerIds, priceMin, priceMax, ratingMin, inStock, discounted, ids } =
    filters
  const { buyable } = filters
  const here = () => columns.in[region]
  const judges: [number, Judge][] = []
  if (categoryId !== undefined) {
    const passes = setJudge(() => columns.paths, columns.categoryIds, [categoryId])
    judges.push([failed.category, (slot) => passes(columns.path[slot]!)])
  }
  if (brandIds) {
    const wanted = new Set<number | undefined>(brandIds)
    const { ids: met } = columns.brandIds
    judges.push([failed.brand, (slot) => columns.brand[slot]! >= 0 && wanted.has(met[columns.brand[slot]!])])
  }
  if (partnerIds) {
    const passes = setJudge(() => columns.partnerSets, columns.partnerIds, partnerIds)
    judges.push([failed.partner, (slot) => passes(here().partners[slot]!)])
  }
  if (priceMin !== undefined) judges.push([failed.price, (slot) => here().price[slot]! >= priceMin])
  if (priceMax !== undefined) judges.push([failed.price, (slot) => here().price[slot]! <= priceMax])
  if (ratingMin !== undefined) judges.push([failed.rating, (slot) => here().rating[slot]! >= ratingMin])
  if (inStock !== undefined) judges.push([failed.stock, (slot) => (here().inStock[slot] === 1) === inStock])
  if (buyable !== undefined)
    judges.push([
      failed.stock,
      (slot) => (here().inStock[slot] === 1 || here().sentIn[slot]! > 0) === buyable,
    ])
  if (discounted !== undefined)
    judges.push([failed.other, (slot) => here().discount[slot]! > 0 === discounted])
  if (ids) {
    const wanted = new Set(ids)
    judges.push([failed.other, (slot) => wanted.has(columns.id[slot]!)])
  }
  return judges
}

/** Whether a set has one of the wanted ids, which may be met only later; each set is judged once. */
function setJudge(sets: () => Sets, { ids }: Numbered, wanted: number[]): (set: number) => boolean {
  let judged: Sets | undefined
  let verdicts = new Uint8Array(0)
  return (set) => {
    if (judged !== sets() || set >= verdicts.length) {
      judged = sets()
      verdicts = new Uint8Array(judged.size * 2)
    }
    if (verdicts[set] === 0) verdicts[set] = judged.at(set).some((it) => wanted.includes(ids[it]!)) ? 1 : 2
    return verdicts[set] === 1
  }
}
