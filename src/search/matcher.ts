// Which rows match a query, and how well. The rarest words are matched first, so that frequent words are only looked up
// among the rows that are left.

import { KnownWords } from './known-words.ts'
import { isAccessory, isAnimal, isGenericNoun, isPurpose } from './lexicon.ts'
import {
  largest,
  type LeastThing,
  type MatchedRows,
  type RowGroup,
  RowMatches,
  rowsFrom,
} from './matched-rows.ts'
import type { Step } from './query-steps.ts'
import { rowsOf, type UnitRows } from './query-terms.ts'
import type { Synonyms } from './synonyms.ts'
import { fieldWeights } from './fields.ts'
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
  /** The same by place in `slots`. */
  placed: Float64Array
  /** The query that was searched instead of the typed one. */
  corrected: string | null
  /** Words that were left out because no row has all words. */
  leftOut: string[]
  steps: Step[]
  /** What was found for each unit of the query; valid until the index changes. */
  units: readonly UnitRows[]
}

export interface SearchOptions extends ReadOptions {
  /** Multiplies the scores, which are by place, by what the text does not say, such as availability. */
  boost(slots: Int32Array, scores: Float64Array): void
  /** Replaces the synonyms for this search. */
  synonyms?: Synonyms
}

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

/** A purpose that descriptions have orders what is alike otherwise. */
const purposeWeight = 1

export const weightOf = ({ role, isSeries, isExtra }: QueryUnit): number => {
  if (role === 'modifier' && isExtra) return purposeWeight
  return role === 'brand' && isSeries ? seriesWeight : roleWeights[role]
}

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
  rows: MatchedRows
  leftOut: string[]
  units: readonly UnitRows[]
}

const noRows: MatchedRows = {
  slots: new Int32Array(0),
  scores: new Float64Array(0),
  things: new Float64Array(0),
}

const weighed = ({ unit, lists, size }: UnitRows): RowGroup => ({
  lists,
  size,
  weights: weightsFor(unit),
  factor: weightOf(unit),
  isThing: unit.role === 'thing',
})

/**
 * When rows are the thing itself, those that only mention it are dropped: no chargers for a phone. What the dictionary
 * knows as a thing must be what the row is: a book about doors is no door.
 */
function relatedTo(groups: readonly UnitRows[]): LeastThing {
  const things = groups.filter((it) => it.unit.role === 'thing')
  const isKnown = things.some((it) => it.unit.meanings.length > 0)
  return (best) => (things.length === 0 ? 0 : Math.max(best * relatedShare, isKnown ? leastThing : 0))
}

export class Matcher {
  readonly #rows: SearchedRows
  readonly #index: Texts
  /** Used by searches from now on. */
  synonyms: Synonyms
  readonly #matches: RowMatches
  #scores = new Float64Array(0)

  constructor(rows: SearchedRows, index: Texts, synonyms: Synonyms) {
    this.#rows = rows
    this.#index = index
    this.#matches = new RowMatches(rows)
    this.synonyms = synonyms
  }

  search(text: string, options: SearchOptions): Matches {
    const known = new KnownWords(this.#index, options.synonyms ?? this.synonyms)
    const { units, corrected, steps } = understandQuery(text, known, options)
    this.#index.settle()
    const groups = units.map((it) => rowsOf(it, known, options.mode))
    this.#index.settle()
    const all = groups.filter((it) => !it.unit.isExtra)
    const { rows, leftOut, units: used } = this.#find(all, this.#completed(all, known, options))
    const extras = groups.filter((it) => it.unit.isExtra)
    this.#matches.addWorth(extras.map(weighed), rows)
    if (!all.some((it) => it.unit.role === 'thing')) this.#lowerAccessories(rows)
    options.boost(rows.slots, rows.scores)
    return {
      slots: rows.slots,
      scores: this.#bySlot(rows),
      placed: rows.scores,
      corrected: rows.slots.length > 0 ? corrected : null,
      leftOut,
      steps,
      units: [...used, ...extras],
    }
  }

  #bySlot({ slots, scores }: MatchedRows): Float64Array {
    if (this.#scores.length < this.#rows.alive.length)
      this.#scores = new Float64Array(this.#rows.alive.length)
    const all = this.#scores
    for (let place = 0; place < slots.length; place++) all[slots[place]!] = scores[place]!
    return all
  }

  /** All units; else all with the last word as a beginning; else the required ones with the most of the others. */
  #find(all: readonly UnitRows[], completed: () => UnitRows[] | undefined): Found {
    const nothing: Found = { rows: noRows, leftOut: [], units: all }
    if (all.length === 0) return nothing
    const rows = this.#matchAll(all)
    if (rows.slots.length > 0)
      return (
        this.#withoutPurposes(rows, all) ?? this.#ownKindOf(rows, all) ?? { rows, leftOut: [], units: all }
      )
    const longer = completed()
    const more = longer ? this.#matchAll(longer) : noRows
    if (longer && more.slots.length > 0) return { rows: more, leftOut: [], units: longer }
    const required = all.filter((it) => it.unit.isRequired)
    const isSold = required.every((it) => it.size > 0)
    const most = required.length === all.length || !isSold ? nothing : this.#matchMost(required, all)
    if (most.rows.slots.length > 0) return most
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
      if (
        mode === 'submitted' &&
        (all.length === 1 || last.unit.role === 'thing') &&
        sameForms(last.unit).length > 0
      )
        return undefined
      const unit = { ...last.unit, meanings: [], role: 'brand' as const, isBeginning: true }
      const longer = rowsOf(unit, known, mode)
      this.#index.settle()
      return longer.size === 0 ? undefined : all.map((it) => (it === last ? longer : it))
    }
  }

  #matchAll(groups: readonly UnitRows[]): MatchedRows {
    return this.#matches.all(groups.map(weighed), relatedTo(groups))
  }

  /** Rows with all required units and the most of the others, and the words of the units that they lack. */
  #matchMost(required: readonly UnitRows[], all: readonly UnitRows[]): Found {
    const others = all.filter((it) => !required.includes(it))
    // Of what is the thing itself the one with the most words, not of what is only in its department.
    const { rows, reached } = this.#matches.most(required.map(weighed), others.map(weighed), {
      own: leastOwnThing,
      least: relatedTo(required),
    })
    if (rows.slots.length === 0) return { rows, leftOut: [], units: all }
    const leftOut = others.filter((_, at) => (reached & (1 << at)) === 0).map((it) => it.unit.typed)
    return { rows, leftOut, units: all }
  }

  /**
   * When rows have all words but only belong to a department that is named after the thing, the thing itself without the
   * other words is meant: a television set is no loudspeaker of the department "TV and audio".
   */
  #ownKindOf(rows: MatchedRows, all: readonly UnitRows[]): Found | undefined {
    const required = all.filter((it) => it.unit.isRequired)
    const isOther = !all.some(({ unit }) => unit.role === 'thing' && unit.meanings.length > 0)
    const areOwn = largest(rows.things) >= leastOwnThing
    if (isOther || areOwn || required.length === 0 || required.length === all.length) return undefined
    const own = this.#ownKind(this.#matchMost(required, all))
    return own.rows.slots.length > 0 ? own : undefined
  }

  /**
   * When only a similar thing is described as made for the purpose, the thing itself is meant: a carpet for the hall is no
   * yoga mat for a gym.
   */
  #withoutPurposes(rows: MatchedRows, all: readonly UnitRows[]): Found | undefined {
    const isFor = ({ unit }: UnitRows) => unit.role === 'modifier' && isPurpose(unit.words[0]!.word)
    const others = all.filter((it) => !isFor(it))
    if (others.length === all.length || !others.some((it) => it.unit.role === 'thing')) return undefined
    const own = this.#matchAll(others)
    if (largest(own.things) <= largest(rows.things) * similarFactor) return undefined
    return { rows: own, leftOut: all.filter(isFor).map((it) => it.unit.typed), units: all }
  }

  /** Beside another thing, a whole department that has the word in its name is not what is meant: repair of fridges. */
  #ownKind(found: Found): Found {
    const rows = rowsFrom(found.rows, found.rows.things, leastOwnThing)
    return { ...found, rows, leftOut: rows.slots.length > 0 ? found.leftOut : [] }
  }

  #lowerAccessories({ slots, scores }: MatchedRows): void {
    for (let place = 0; place < slots.length; place++)
      if (this.#index.isAccessory(slots[place]!)) scores[place] = scores[place]! * accessoryFactor
  }
}
