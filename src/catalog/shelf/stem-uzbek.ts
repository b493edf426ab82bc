// The root of an Uzbek word, carefully: only endings that are seldom part of a root, and only while enough is left.
// It works on keys, so it serves both scripts; there q is k, sh is ш, y is i.

/** In the order in which they stand from the end of a word: case, possession, number, what makes a quality of it. */
const layers = [
  { endings: ['ning', 'dan', 'ni', 'ga', 'ka', 'da'], shortestRoot: 3 },
  { endings: ['imiz', 'ingiz', 'im', 'ing', 'si', 'i'], shortestRoot: 3 },
  { endings: ['lar'], shortestRoot: 3 },
  { endings: ['lik', 'li'], shortestRoot: 4 },
]

/** After a consonant, li makes a quality; after a vowel its l belongs to the root, as in kabeli. */
const quality = /[^aeiou]li$/

export function uzbekStem(key: string): string {
  let root = key
  for (const { endings, shortestRoot } of layers) {
    const ending = endings.find(
      (it) =>
        root.endsWith(it) && root.length - it.length >= shortestRoot && !(it === 'i' && quality.test(root)),
    )
    if (ending) root = root.slice(0, -ending.length)
  }
  return root
}
