// The name that was probably meant: for messages about a misspelt one.

const maxNames = 500
const maxLength = 60

/** The most similar name with at most two changed, missing, extra or swapped letters; undefined when there is none. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  if (word.length > maxLength) return undefined
  let best: { name: string; distance: number } | undefined
  for (const name of names.slice(0, maxNames)) {
    if (name.length > maxLength || Math.abs(name.length - word.length) > 2) continue
    const distance = editDistance(word.toLowerCase(), name.toLowerCase())
    // Of short names only a third may differ, otherwise everything resembles everything.
    const isNear = distance <= Math.min(2, Math.ceil(name.length / 3))
    if (isNear && distance < (best?.distance ?? Infinity)) best = { name, distance }
  }
  return best?.name
}

/** Damerau-Levenshtein distance of neighbours. */
function editDistance(a: string, b: string): number {
  let [before, above] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let column = 1; column <= b.length; column++) {
      const isEqual = a[row - 1] === b[column - 1]
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      line[column] = Math.min(
        above[column]! + 1,
        line[column - 1]! + 1,
        above[column - 1]! + (isEqual ? 0 : 1),
        isSwapped ? before[column - 2]! + 1 : Infinity,
      )
    }
    ;[before, above] = [above, line]
  }
  return above[b.length]!
}
