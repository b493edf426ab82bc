// Small synthetic tables for the tests of this folder.
import { seededNormal, seededRandom } from '../random.ts'
import { categoryHash } from './city-hash.ts'
import type { TrainData } from './train.ts'

/** Rows with numeric features, two categorical ones, some missing values, and labels that depend on all of them. */
export function sampleData(rows: number, seed: number, noise = 0.3): TrainData {
  const random = seededRandom(seed)
  const normal = seededNormal(seed + 1)
  const floats = Array.from({ length: 5 }, () => Float32Array.from({ length: rows }, normal))
  const cities = Array.from({ length: rows }, () => Math.floor(random() * 12))
  const shops = Array.from({ length: rows }, () => Math.floor(random() * 30))
  const labels = Float64Array.from({ length: rows }, (_, row) => {
    const value = floats[0]![row]! * 1.5 + (floats[1]![row]! > 0 ? floats[2]![row]! : 0)
    const place = cities[row]! % 3 === shops[row]! % 3 ? 1.5 : -0.75
    return value + place + noise * normal() > 0 ? 1 : 0
  })
  for (let row = 0; row < rows; row += 7) floats[3]![row] = Number.NaN
  return {
    columns: {
      rows,
      floats,
      categories: [
        Int32Array.from(cities, (city) => categoryHash(`city ${city}`)),
        Int32Array.from(shops, (shop) => categoryHash(`shop ${shop}`)),
      ],
    },
    labels,
  }
}

/** The same table in queries of ten rows. */
export function sampleQueries(rows: number, seed: number): TrainData {
  const data = sampleData(rows, seed)
  const queries = Int32Array.from({ length: Math.ceil(rows / 10) + 1 }, (_, i) => Math.min(rows, i * 10))
  return { ...data, columns: { ...data.columns, categories: [] }, queries }
}
