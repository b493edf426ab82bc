// Where a word stands in the texts of a row, as bits of a posting, and what each field weighs.

import type { SoundingKind } from './sounds.ts'

/** How many low bits of a posting hold the fields; the slot is above them. */
export const slotBits = 8

/** Where a word stands. The head of a name says what the thing is; `leaf` is the head of its own category's name. */
export const fields = {
  head: 1,
  name: 2,
  brand: 4,
  variant: 8,
  leaf: 16,
  upper: 32,
  category: 64,
  description: 128,
} as const
export type FieldName = keyof typeof fields
export const fieldNames = Object.keys(fields) as FieldName[]

/** Fields whose words a query may be corrected to. */
export const namingFields =
  fields.head | fields.name | fields.brand | fields.leaf | fields.upper | fields.category
/** Fields that say what the thing is. */
export const headFields = fields.head | fields.leaf | fields.upper

/** How a word that has these fields is found by its sound. */
export const soundingKind = (bits: number): SoundingKind =>
  bits & fields.brand ? 'brand' : bits & fields.name ? 'series' : 'other'

type FieldWeights = Record<FieldName, number>

/** The weight of a posting by its field bits: the best field decides, a further one counts a little. */
const weightsOf = (weights: FieldWeights): Float64Array =>
  Float64Array.from({ length: 1 << slotBits }, (_, bits) => {
    const given = Object.entries(fields).flatMap(([name, bit]) =>
      bits & bit ? [weights[name as FieldName]] : [],
    )
    return given.length === 0 ? 0 : Math.max(...given) + 0.05 * (given.length - 1)
  })

// oxfmt-ignore
export const fieldWeights = {
  /** Of a thing: what the row is counts, not what it mentions. */
  thing: weightsOf({ head: 10, leaf: 8, upper: 4, name: 1.5, brand: 1.5, variant: 1.5, category: 1, description: 0.5 }),
  /** Of anything else. */
  other: weightsOf({ head: 10, leaf: 8, brand: 7, name: 6.5, variant: 6, upper: 4, category: 2, description: 1 }),
}
