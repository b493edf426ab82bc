// Likeness of words in any language: character n-grams hashed into a short vector. For items without any
// interactions.

import { addScore, maxProposed, type Retriever } from './score-board.ts'
import { factorSearch } from './factor-index.ts'

export const contentDims = 128
const gramLength = 3
const maxText = 400

/** A unit vector per text; an empty text is the zero vector, similar to nothing. */
export function contentVectors(texts: ArrayLike<string>, dims = contentDims): Float32Array {
  const vectors = new Float32Array(texts.length * dims)
  for (let row = 0; row < texts.length; row++)
    addText(vectors.subarray(row * dims, (row + 1) * dims), texts[row]!)
  return vectors
}

function addText(vector: Float32Array, text: string): void {
  const words = ` ${text
    .slice(0, maxText)
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
  for (let from = 0; from + gramLength <= words.length; from++) {
    let hash = 0x811c9dc5
    for (let at = from; at < from + gramLength; at++)
      hash = Math.imul(hash ^ words.charCodeAt(at), 0x01000193)
    hash ^= hash >>> 15
    vector[(hash >>> 0) % vector.length]! += hash & 0x10000 ? 1 : -1
  }
  let square = 0
  for (const value of vector) square += value * value
  if (square > 0) for (let at = 0; at < vector.length; at++) vector[at]! /= Math.sqrt(square)
}

/** Scores items by the likeness of their words to those of the history, the latest item most. */
export function contentRetriever(
  vectors: Float32Array,
  options: { dims: number; fade: number; last: number },
): Retriever {
  const { dims, fade, last } = options
  const count = vectors.length / dims
  const search = factorSearch(vectors, dims)
  return (history, board) => {
    const query = new Float32Array(dims)
    for (let back = 0; back < Math.min(last, history.length); back++) {
      const item = history[history.length - 1 - back]!
      if (!(item >= 0 && item < count)) continue
      const weight = Math.exp(-fade * back)
      for (let at = 0; at < dims; at++) query[at]! += weight * vectors[item * dims + at]!
    }
    if (query.every((value) => value === 0)) return
    const { ids, scores } = search(query, maxProposed)
    for (let at = 0; at < ids.length; at++) if (scores[at]! > 0) addScore(board, ids[at]!, scores[at]!)
  }
}
