// Where in a product a word stands, as bits, and what each place is worth.

/** How many low bits of a posting tell the fields; the slot stands above them. */
export const slotBits = 6

export const fields = { name: 1, brand: 2, variant: 4, category: 8, description: 16 } as const
/** Among the first words of a name. */
export const leading = 32

/** The best place counts, and a little for each further one. */
export const fieldWeights = Float64Array.from({ length: 1 << slotBits }, (_, bits) => {
  const worths = [
    bits & fields.name ? 10 : 0,
    bits & fields.brand ? 8 : 0,
    bits & fields.variant ? 6 : 0,
    bits & fields.category ? 5 : 0,
    bits & fields.description ? 2 : 0,
  ]
  const best = Math.max(...worths)
  const further = worths.filter((it) => it > 0).length - 1
  return best + (bits & leading ? 3 : 0) + 0.5 * Math.max(0, further)
})
