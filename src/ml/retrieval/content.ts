// Likeness of words in any language: character n-grams hashed into a short vector. For items without any
// interactions.

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
