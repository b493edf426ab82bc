// LambdaMART as CatBoost has it by default: every pair of unlike labels in a query is pushed apart with a logistic
// loss, weighed by how much NDCG (gain = label) would change if the two changed places, the nearer the more.
import { forEachQuery, pushApart, type Derivation, type QueryRows, type Targets } from './derivatives.ts'

/**
 * A pair counts when one of the two is among this many first rows: otherwise a long query would cost the square of its
 * rows.
 */
const topPlaces = 100
/** What keeps equal values from weighing infinitely. */
const leastDistance = 0.01

/** Derivatives of all queries at the present order of their rows. */
export function lambdaMartDerivatives(targets: Targets, approx: Float64Array, { out }: Derivation): void {
  const { weights } = targets
  forEachQuery(targets, { approx, out }, (query) => {
    const ideal = idealGain(query.labels)
    if (ideal > 0) addPairs(query, ideal)
  })
  if (weights === undefined) out.weights.fill(1)
  else out.weights.set(weights)
}

/** What the best order gains, each label by its place. */
function idealGain(labels: Float64Array): number {
  const best = labels.toSorted((a, b) => b - a).subarray(0, topPlaces)
  return best.reduce((sum, label, place) => sum + label * discount(place), 0)
}

const discount = (place: number): number => 1 / Math.log2(place + 2)

function addPairs({ labels, approx, weight, out }: QueryRows, ideal: number): void {
  const order = Int32Array.from(labels.keys()).sort((a, b) => approx[b]! - approx[a]! || a - b)
  const discounts = Float64Array.from(order.keys(), discount)
  const alike = approx[order[0]!] === approx[order.at(-1)!]
  let sum = 0
  for (let i = 0; i < Math.min(topPlaces, order.length); i++) {
    for (let j = i + 1; j < order.length; j++) {
      const gain = labels[order[i]!]! - labels[order[j]!]!
      if (gain === 0) continue
      const [winner, loser] = gain > 0 ? [order[i]!, order[j]!] : [order[j]!, order[i]!]
      const apart = approx[winner]! - approx[loser]!
      const change = (Math.abs(gain) * (discounts[i]! - discounts[j]!)) / ideal
      const pairWeight = alike ? change : change / (leastDistance + Math.abs(apart))
      const doubt = 1 / (1 + Math.exp(apart))
      pushApart(out, { winner, loser, weight: pairWeight, doubt })
      sum += 2 * pairWeight * doubt
    }
  }
  const scale = weight * (sum > 0 ? Math.log2(1 + sum) / sum : 1)
  for (let row = 0; row < labels.length; row++) {
    out.ders[row]! *= scale
    out.hessians[row]! *= scale
  }
}
