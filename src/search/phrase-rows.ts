// Rows that have all words of a phrase in their name, or in the names of their categories.

import { nextBound } from './postings.ts'
import { fields, slotBits } from './fields.ts'
import type { Texts } from './texts.ts'
import { eachForm } from './word-forms.ts'

/** Postings of the rarest word that are read for one phrase. */
const maxPostings = 60_000
/** A list this many times longer than the rows left is searched for each of them instead of being read. */
const lookupRatio = 12

const named = fields.name | fields.brand | fields.variant
const categoryHeads = fields.leaf | fields.upper
const fieldMask = (1 << slotBits) - 1
const none = new Uint32Array(0)

/**
 * Where words may meet: fields that are part of the name count as the name. Of categories, both words must be in one
 * name: women’s jeans of the department "Clothes and shoes" are no women’s shoes.
 */
function grouped(bits: number): number {
  const level = bits & categoryHeads
  const category = (bits & fields.category) === 0 ? 0 : level === 0 ? categoryHeads : level
  return ((bits & named) !== 0 ? named : 0) | category
}

/** Where all words of a phrase must stand. */
export type PhrasePlace = 'name' | 'name or category'

/** Postings of the rows, in ascending order; a posting has the fields of all words. They must not be changed. */
export function phraseRows(
  index: Texts,
  words: readonly string[],
  place: PhrasePlace = 'name or category',
): Uint32Array {
  const { phrases } = index
  if (!phrases) return computedRows(index, words, place)
  const key = `${place}: ${words.join(' ')}`
  const known = phrases.get(key)
  if (known) return known
  // A copy: a part of a long array would keep all of it in memory.
  const rows = computedRows(index, words, place).slice()
  phrases.set(key, rows)
  return rows
}

function computedRows(index: Texts, words: readonly string[], place: PhrasePlace): Uint32Array {
  const mask = place === 'name' ? named : named | categoryHeads
  const groups: { entries: number[]; size: number }[] = []
  for (const word of words) {
    const entries = entriesOf(index, word)
    if (entries.length === 0) return none
    groups.push({ entries, size: entries.reduce((sum, it) => sum + index.postings.length(it), 0) })
  }
  groups.sort((a, b) => a.size - b.size)
  if (groups[0]!.size > maxPostings) return none
  const [rarest, ...others] = index.together(groups.map((it) => it.entries))
  let rows = merged(rarest!)
  let shared = rows.map((it) => grouped(it & fieldMask) & mask)
  for (const views of others) {
    let kept = 0
    const cursors = new Uint32Array(views.length)
    for (let at = 0; at < rows.length; at++) {
      const bits = bitsOf(views, cursors, rows[at]! >>> slotBits, rows.length)
      const both = shared[at]! & grouped(bits)
      if (both === 0) continue
      rows[kept] = (rows[at]! | bits) >>> 0
      shared[kept++] = both
    }
    rows = rows.subarray(0, kept)
    shared = shared.subarray(0, kept)
    if (kept === 0) return none
  }
  return rows
}

/** The fields that a row has in any of the lists. Rows are asked in ascending order. */
function bitsOf(views: Uint32Array[], cursors: Uint32Array, slot: number, count: number): number {
  const wanted = (slot << slotBits) >>> 0
  let bits = 0
  for (let which = 0; which < views.length; which++) {
    const view = views[which]!
    let at = cursors[which]!
    if (view.length > lookupRatio * count) at = nextBound(view, wanted, at)
    else while (at < view.length && view[at]! < wanted) at++
    cursors[which] = at
    if (at < view.length && view[at]! >>> slotBits === slot) bits |= view[at]! & fieldMask
  }
  return bits
}

/** All postings in ascending order, one for each row. */
function merged(views: Uint32Array[]): Uint32Array {
  if (views.length === 1) return views[0]!.slice()
  const all = new Uint32Array(views.reduce((sum, it) => sum + it.length, 0))
  let end = 0
  for (const view of views) {
    all.set(view, end)
    end += view.length
  }
  all.sort()
  let kept = 0
  for (let at = 0; at < all.length; at++)
    if (kept > 0 && all[kept - 1]! >>> slotBits === all[at]! >>> slotBits)
      all[kept - 1] = (all[kept - 1]! | all[at]!) >>> 0
    else all[kept++] = all[at]!
  return all.subarray(0, kept)
}

/** The entries of a word in all its forms. */
function entriesOf(index: Texts, word: string): number[] {
  const entries = new Set<number>()
  eachForm(index, word, { mayBeRussian: false }, (entry) => entries.add(entry))
  return [...entries]
}
