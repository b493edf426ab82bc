// Ids in files are whole numbers or names of any usual length; inside they are 0 … n − 1, numbers in their order and
// names by length and letters, so that ties by index are ties by id.

import { InputError, lineBatches } from './read-lines.ts'

const idPattern = /^[\p{L}\d][\p{L}\d_:-]{0,79}$/u

/** Numbers ids in order of appearance. */
export class IdIndex {
  readonly #places = new Map<string, number>()
  readonly names: string[] = []

  place(name: string): number {
    const known = this.#places.get(name)
    if (known !== undefined) return known
    this.#places.set(name, this.names.length)
    this.names.push(name)
    return this.names.length - 1
  }

  find(name: string): number | undefined {
    return this.#places.get(name)
  }
}

export interface IdLine {
  number: number
  /** Positions in the id index, in the line's order. */
  ids: Int32Array
}

/** Reads lines of ids. `first` names what stands first on a line when it is not an item; it is returned apart. */
export async function idLines(
  file: string,
  idIndex: IdIndex,
  first?: string,
): Promise<(IdLine & { head: string })[]> {
  const lines: (IdLine & { head: string })[] = []
  for await (const batch of lineBatches(file)) {
    for (const { text, number } of batch) {
      const words = text.trim().split(/\s+/)
      const head = first === undefined ? '' : checked(words.shift()!, first, file, number)
      lines.push({ number, head, ids: itemsOf(words, idIndex, file, number) })
    }
  }
  return lines
}

/** The places of item words, each checked. */
export function itemsOf(words: string[], idIndex: IdIndex, file: string, line: number): Int32Array {
  return Int32Array.from(words, (word) => idIndex.place(checked(word, 'an item', file, line)))
}

function checked(word: string, what: string, file: string, line: number): string {
  if (idPattern.test(word)) return word
  const shown = word.length > 40 ? `${word.slice(0, 40)}…` : word
  throw new InputError(
    `${file} line ${line}: "${shown}" is not ${what}: an id is a number or a name of letters, digits, - _ and :`,
  )
}

export interface Catalog {
  items: number
  /** The id of every item, in order. */
  names: string[]
  /** From positions in the id index to items; positions unknown to training map past the items. */
  itemAt: Int32Array
}

/** Orders the index's first `trained` ids; the others follow, outside the catalog. */
export function catalogOf(idIndex: IdIndex, trained: number): Catalog {
  const order = Array.from({ length: trained }, (_, place) => place).toSorted((a, b) =>
    byLength(idIndex.names[a]!, idIndex.names[b]!),
  )
  const itemAt = Int32Array.from({ length: idIndex.names.length }, (_, place) => place)
  order.forEach((place, item) => (itemAt[place] = item))
  return { items: trained, names: order.map((place) => idIndex.names[place]!), itemAt }
}

function byLength(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** The same lists as items of the catalog. */
export const asItems = (places: Int32Array, { itemAt }: Catalog): Int32Array =>
  places.map((place) => itemAt[place]!)
