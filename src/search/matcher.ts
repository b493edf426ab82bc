// Which rows match a query, and how well. The rarest words are matched first, so that frequent words are only looked up
// among the rows that are left.

import { KnownWords } from './known-words.ts'
import { isAccessory, isAnimal, isGenericNoun, isPurpose } from './lexicon.ts'
import { lowerBound } from './postings.ts'
import { largest, rowsFrom } from './row-values.ts'
import type { Step } from './query-steps.ts'
import { type RowList, rowsOf, type UnitRows } from './query-terms.ts'
import type { Synonyms } from './synonyms.ts'
import { fieldWeights, slotBits } from './text-index.ts'
import type { Texts } from './texts.ts'
import { type ReadOptions, type QueryUnit, understandQuery, type UnitRole } from './understand-query.ts'
import { isCyrillic, keysOf } from './word-key.ts'

/** The rows that are searched. */
export interface SearchedRows {
  /** By slot, 1 for a row that exists. Replaced by a longer array when rows are added. */
  readonly alive: Uint8Array
  /** How many rows exist. */
  readonly size: number
}

export interface Matches {
  slots: Int32Array
  /** By slot; only those of `slots` are valid, until the next search. */
  scores: Float64Array
  /** The query that was searched instead of the typed one. */
  corrected: string | null
  /** Words that were left out because no row has all words. */
  leftOut: string[]
  steps: Step[]
  /** What was looked up for each unit of the query; valid until the index changes. */
  units: readonly UnitRows[]
}

export interface SearchOptions extends ReadOptions {
  /** Multiplies the scores of the matches by what the text does not say, such as availability. */
  boost(slots: Int32Array, scores: Float64Array): void
  /** Replaces the synonyms for this search. */
  synonyms?: Synonyms
}

/** A list this many times longer than the rows left is searched for each of them instead of being read. */
const lookupRatio = 12

const fieldMask = (1 << slotBits) - 1

/** What was asked for decides; how it shall be only orders what was found. */
const roleWeights: Record<UnitRole, number> = {
  thing: 4,
  unknown: 4,
  brand: 1.5,
  number: 1,
  modifier: 1,
}
/** How a thing shall be counts more than the name of its series: a beige dress, not any dress called Midi. */
const seriesWeight = 0.9

export const weightOf = ({ role, isSeries }: QueryUnit): number =>
  role === 'brand' && isSeries ? seriesWeight : roleWeights[role]

/** Without a thing in the query, the thing itself ranks before its accessories. */
export const accessoryFactor = 0.8

/** Rows below this share of the best do not have the thing that was asked for as what they are. */
const relatedShare = 0.45
/** What is worth so many times more as a thing is the thing, and the other is similar. */
const similarFactor = 1.02
/** The worth of a word that is at least the head of an upper category. */
const leastThing = 3
/** The worth of a word that is more than the head of an upper category. */
const leastOwnThing = 5
export const weightsFor = ({ role }: QueryUnit): Float64Array =>
  role === 'thing' ? fieldWeights.thing : fieldWeights.other

/**
 * Of several things that are not sold as one, the first is meant in Russian and the last in the other languages: milk
 * chocolate is chocolate. A generic noun or an accessory alone means nothing, and products for animals are a kind of their own.
 */
function headOf(required: readonly UnitRows[]): UnitRows | undefined {
  const units = required.map((it) => it.unit)
  if (units.length < 2 || units.some((it) => it.role !== 'thing')) return undefined
  const words = units.flatMap((it) => it.words.map(({ word }) => word))
  const isRussian = isCyrillic(words[0]!) && !units.some(isUzbek)
  const head = isRussian ? required[0]! : (required.find((it) => it.unit.isIncomplete) ?? required.at(-1)!)
  const isVague = head.unit.words.every(({ word }) => isGenericNoun(word) || isAccessory(word))
  return head.size === 0 || isVague || words.some(isAnimal) ? undefined : head
}

/** Forms of the dictionary that are the first word of a unit in any script. */
function sameForms({ words: [first], meanings }: QueryUnit): string[] {
  const key = keysOf(first!.word)[0]!
  const forms = meanings.flatMap((it) => it.forms).filter((it) => it.length === 1)
  return forms.map(([only]) => only!).filter((it) => keysOf(it)[0] === key)
}

/** Uzbek in Cyrillic letters: the dictionary has the word only in Latin ones. */
function isUzbek(unit: QueryUnit): boolean {
  const same = sameForms(unit)
  return same.length > 0 && !same.some(isCyrillic)
}

interface Found {
  slots: Int32Array
  leftOut: string[]
  units: readonly UnitRows[]
}

const noRows = new Int32Array(0)

export class Matcher {
  readonly #rows: SearchedRows
  readonly #index: Texts
  #known: KnownWords
  /** By slot, the turn in which a word last reached it; turns are never repeated. */
  #reachedAt = new Uint32Array(0)
  #best = new Float64Array(0)
  #scores = new Float64Array(0)
  #counts = new Uint8Array(0)
  /** By slot, the best worth of a unit that is a thing. */
  #things = new Float64Array(0)
  /** Slots that match all words so far. */
  #left = new Int32Array(0)
  #turn = 0

  constructor(rows: SearchedRows, index: Texts, synonyms: Synonyms) {
    this.#rows = rows
    this.#index = index
    this.#known = new KnownWords(index, synonyms)
  }

  set synonyms(synonyms: Synonyms) {
    this.#known = new KnownWords(this.#index, synonyms)
  }

  search(text: string, options: SearchOptions): Matches {
    const known = options.synonyms ? new KnownWords(this.#index, options.synonyms) : this.#known
    const { units, corrected, steps } = understandQuery(text, known, options)
    this.#index.settle()
    const rows = units.map((it) => rowsOf(it, known, options.mode))
    this.#index.settle()
    this.#prepare(6 * rows.length)
    const all = rows.filter((it) => !it.unit.isExtra)
    const found = this.#find(all, this.#completed(all, known, options))
    const extras = rows.filter((it) => it.unit.isExtra)
    for (const it of extras) this.#countReached(it, found.slots)
    if (!all.some((it) => it.unit.role === 'thing')) this.#lowerAccessories(found.slots)
    options.boost(found.slots, this.#scores)
    return {
      ...found,
      units: [...found.units, ...extras],
      scores: this.#scores,
      corrected: found.slots.length > 0 ? corrected : null,
      steps,
    }
  }

  /** All units; else all with the last word as a beginning; else the required ones with the most of the others. */
  #find(all: readonly UnitRows[], completed: () => UnitRows[] | undefined): Found {
    const nothing: Found = { slots: noRows, leftOut: [], units: all }
    if (all.length === 0) return nothing
    const slots = this.#related(this.#matchAll(all), all)
    if (slots.length > 0)
      return (
        this.#withoutPurposes(slots, all) ?? this.#ownKindOf(slots, all) ?? { slots, leftOut: [], units: all }
      )
    const longer = completed()
    const more = longer ? this.#related(this.#matchAll(longer), longer) : noRows
    if (longer && more.length > 0) return { slots: more, leftOut: [], units: longer }
    const required = all.filter((it) => it.unit.isRequired)
    const isSold = required.every((it) => it.size > 0)
    const most = required.length === all.length || !isSold ? nothing : this.#matchMost(required, all)
    if (most.slots.length > 0) return most
    const head = headOf(required)
    return head ? this.#ownKind(this.#matchMost([head], all)) : nothing
  }

  /** The units with the last word as a beginning of longer words; undefined when it cannot be one. */
  #completed(
    all: readonly UnitRows[],
    known: KnownWords,
    { mode, without }: SearchOptions,
  ): () => UnitRows[] | undefined {
    return () => {
      const last = all.find((it) => it.unit.isIncomplete)
      if (!last || last.unit.words.length > 1 || without?.has('prefix')) return undefined
      // What the dictionary knows is complete: клей is no beginning of Klein.
      if (mode === 'submitted' && all.length === 1 && sameForms(last.unit).length > 0) return undefined
      const unit = { ...last.unit, meanings: [], role: 'brand' as const, isBeginning: true }
      const longer = rowsOf(unit, known, mode)
      this.#index.settle()
      return longer.size === 0 ? undefined : all.map((it) => (it === last ? longer : it))
    }
  }

  #prepare(turns: number): void {
    const size = this.#rows.alive.length
    const isExhausted = this.#turn + turns > 0xffff_ffff
    if (this.#reachedAt.length === size && !isExhausted) return
    this.#reachedAt = new Uint32Array(size)
    this.#best = new Float64Array(size)
    this.#scores = new Float64Array(size)
    this.#counts = new Uint8Array(size)
    this.#things = new Float64Array(size)
    this.#left = new Int32Array(size)
    this.#turn = 0
  }

  #matchAll(groups: readonly UnitRows[]): Int32Array {
    if (groups.some((it) => it.size === 0)) return noRows
    const [left, scores, best, things] = [this.#left, this.#scores, this.#best, this.#things]
    let count = 0
    for (const [at, group] of groups.toSorted((a, b) => a.size - b.size).entries()) {
      const { unit } = group
      count = at === 0 ? this.#reachAny(group) : this.#reachLeft(group, count)
      const weight = weightOf(unit)
      const isThing = unit.role === 'thing'
      for (let place = 0; place < count; place++) {
        const slot = left[place]!
        scores[slot] = (at === 0 ? 0 : scores[slot]!) + weight * best[slot]!
        const thing = isThing ? best[slot]! : 0
        things[slot] = at === 0 ? thing : Math.max(things[slot]!, thing)
      }
      if (count === 0) break
    }
    return left.slice(0, count)
  }

  /** Writes all rows that a unit reaches into `#left`, and their worth into `#best`. */
  #reachAny({ lists, unit }: UnitRows): number {
    const weights = weightsFor(unit)
    const turn = ++this.#turn
    const [reachedAt, best, left] = [this.#reachedAt, this.#best, this.#left]
    const { alive } = this.#rows
    let count = 0
    for (const { values, quality, mask } of lists)
      for (let at = 0; at < values.length; at++) {
        const value = values[at]!
        const bits = value & fieldMask & mask
        if (bits === 0) continue
        const slot = value >>> slotBits
        const worth = quality * weights[bits]!
        if (reachedAt[slot] === turn) {
          if (worth > best[slot]!) best[slot] = worth
        } else if (alive[slot] === 1) {
          reachedAt[slot] = turn
          best[slot] = worth
          left[count++] = slot
        }
      }
    return count
  }

  /** Keeps the rows of `#left` that the unit reaches too. */
  #reachLeft(group: UnitRows, count: number): number {
    const turn = ++this.#turn
    const [reachedAt, left] = [this.#reachedAt, this.#left]
    this.#reachAgain(group, count)
    let kept = 0
    for (let at = 0; at < count; at++) if (reachedAt[left[at]!] === turn) left[kept++] = left[at]!
    return kept
  }

  /** Marks the rows that the last turn reached and these lists reach too. */
  #reachAgain({ lists, unit }: UnitRows, count: number): void {
    const weights = weightsFor(unit)
    const turn = this.#turn
    const [reachedAt, best] = [this.#reachedAt, this.#best]
    for (const { values, quality, mask } of lists)
      if (values.length > lookupRatio * count) this.#lookUp({ values, quality, mask }, weights, count)
      else
        for (let at = 0; at < values.length; at++) {
          const value = values[at]!
          const bits = value & fieldMask & mask
          if (bits === 0) continue
          const slot = value >>> slotBits
          const worth = quality * weights[bits]!
          if (reachedAt[slot] === turn) {
            if (worth > best[slot]!) best[slot] = worth
          } else if (reachedAt[slot] === turn - 1) {
            reachedAt[slot] = turn
            best[slot] = worth
          }
        }
  }

  #lookUp(
    { values, quality, mask }: Omit<RowList, 'kind' | 'found'>,
    weights: Float64Array,
    count: number,
  ): void {
    for (let place = 0; place < count; place++) {
      const slot = this.#left[place]!
      const value = values[lowerBound(values, (slot << slotBits) >>> 0, 0, values.length)]
      if (value === undefined || value >>> slotBits !== slot) continue
      const bits = value & fieldMask & mask
      if (bits === 0) continue
      const worth = quality * weights[bits]!
      if (this.#reachedAt[slot] === this.#turn && this.#best[slot]! >= worth) continue
      this.#reachedAt[slot] = this.#turn
      this.#best[slot] = worth
    }
  }

  /** Rows with all required units and the most of the others, and the words of the units that they lack. */
  #matchMost(required: readonly UnitRows[], all: readonly UnitRows[]): Found {
    const matched = this.#matchAll(required)
    if (matched.length === 0) return { slots: matched, leftOut: [], units: all }
    // Of what is the thing itself the one with the most words, not of what is only in its department.
    const own = rowsFrom(matched, this.#things, leastOwnThing)
    const base = own.length > 0 ? own : matched
    const [counts, reachedAt] = [this.#counts, this.#reachedAt]
    for (let at = 0; at < base.length; at++) counts[base[at]!] = 0
    const others = all.filter((it) => !required.includes(it))
    const reachedBy = others.map((group) => this.#countReached(group, base))
    const slots = rowsFrom(base, counts, largest(base, counts))
    const turn = ++this.#turn
    for (let at = 0; at < slots.length; at++) reachedAt[slots[at]!] = turn
    const leftOut = others
      .filter((_, at) => !reachedBy[at]!.some((slot) => reachedAt[slot] === turn))
      .map((it) => it.unit.typed)
    return { slots: this.#related(slots, required), leftOut, units: all }
  }

  /** The rows of `base` that the unit reaches too: each counts one more unit, and its score grows. */
  #countReached(group: UnitRows, base: Int32Array): Int32Array {
    const [counts, scores, best, reachedAt] = [this.#counts, this.#scores, this.#best, this.#reachedAt]
    const from = ++this.#turn
    for (let at = 0; at < base.length; at++) reachedAt[base[at]!] = from
    this.#left.set(base)
    this.#turn++
    this.#reachAgain(group, base.length)
    const reached = rowsFrom(base, reachedAt, this.#turn)
    const weight = weightOf(group.unit)
    for (let at = 0; at < reached.length; at++) {
      const slot = reached[at]!
      counts[slot]!++
      scores[slot] = scores[slot]! + weight * best[slot]!
    }
    return reached
  }

  /**
   * When rows are the thing itself, those that only mention it are dropped: no chargers for a phone. What the dictionary
   * knows as a thing must be what the row is: a book about doors is no door.
   */
  #related(slots: Int32Array, all: readonly UnitRows[]): Int32Array {
    const things = all.filter((it) => it.unit.role === 'thing')
    if (things.length === 0) return slots
    const best = largest(slots, this.#things)
    const isKnown = things.some((it) => it.unit.meanings.length > 0)
    const least = Math.max(best * relatedShare, isKnown ? leastThing : 0)
    return rowsFrom(slots, this.#things, least)
  }

  /**
   * When rows have all words but only belong to a department that is named after the thing, the thing itself without the
   * other words is meant: a television set is no loudspeaker of the department "TV and audio".
   */
  #ownKindOf(slots: Int32Array, all: readonly UnitRows[]): Found | undefined {
    const required = all.filter((it) => it.unit.isRequired)
    const isOther = !all.some(({ unit }) => unit.role === 'thing' && unit.meanings.length > 0)
    const areOwn = largest(slots, this.#things) >= leastOwnThing
    if (isOther || areOwn || required.length === 0 || required.length === all.length) return undefined
    const own = this.#ownKind(this.#matchMost(required, all))
    if (own.slots.length > 0) return own
    this.#matchAll(all)
    return undefined
  }

  /**
   * When only a similar thing is described as made for the purpose, the thing itself is meant: a carpet for the hall is no
   * yoga mat for a gym.
   */
  #withoutPurposes(slots: Int32Array, all: readonly UnitRows[]): Found | undefined {
    const isFor = ({ unit }: UnitRows) => unit.role === 'modifier' && isPurpose(unit.words[0]!.word)
    const others = all.filter((it) => !isFor(it))
    if (others.length === all.length || !others.some((it) => it.unit.role === 'thing')) return undefined
    const best = largest(slots, this.#things)
    const own = this.#related(this.#matchAll(others), others)
    const leftOut = all.filter(isFor).map((it) => it.unit.typed)
    if (largest(own, this.#things) > best * similarFactor) return { slots: own, leftOut, units: all }
    this.#matchAll(all)
    return undefined
  }

  /** Beside another thing, a whole department that has the word in its name is not what is meant: repair of fridges. */
  #ownKind(found: Found): Found {
    const slots = rowsFrom(found.slots, this.#things, leastOwnThing)
    return { ...found, slots, leftOut: slots.length > 0 ? found.leftOut : [] }
  }

  #lowerAccessories(slots: Int32Array): void {
    for (const slot of slots)
      if (this.#index.isAccessory(slot)) this.#scores[slot] = this.#scores[slot]! * accessoryFactor
  }
}
